/*
 * Boot parameters of a node, and the ways to end a node or the machine.
 */
#ifndef GUEST_MACHINE_H
#define GUEST_MACHINE_H

#include <stdint.h>

#include "fugu-regs.h"

/* The register at this address. */
#define REG(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define REG64(address) (*(volatile uint64_t *)(uintptr_t)(address))

static inline uint32_t ram_size(void)
{
    return REG(FUGU_PARAM_BASE + FUGU_PARAM_RAM_SIZE);
}

/* Ends this node. The machine stops when all nodes have ended. */
static inline void __attribute__((noreturn)) node_exit(int status)
{
    for (;;) {
        REG(FUGU_CONTROL_BASE + FUGU_CONTROL_EXIT) = status;
    }
}

/* Ends the whole machine. */
static inline void __attribute__((noreturn)) machine_stop(int status)
{
    for (;;) {
        REG(FUGU_CONTROL_BASE + FUGU_CONTROL_STOP) = status;
    }
}

/*
 * Returns the value of a command line word such as laps=3, or the default if
 * the command line has no such word.
 */
uint32_t argument(const char *name, uint32_t default_value);

/* Prints a line and ends the whole machine with status PANIC. */
void panic(const char *format, ...)
    __attribute__((noreturn));
#define PANIC 119              /* the largest status that a program may give */

#endif
