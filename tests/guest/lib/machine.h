/*
 * What a node is and how it ends: boot parameters and node control.
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

/* This node is done; the machine stops when all are. */
static inline void __attribute__((noreturn)) node_exit(int status)
{
    for (;;) {
        REG(FUGU_CONTROL_BASE + FUGU_CONTROL_EXIT) = status;
    }
}

/* The whole machine is done. */
static inline void __attribute__((noreturn)) machine_stop(int status)
{
    for (;;) {
        REG(FUGU_CONTROL_BASE + FUGU_CONTROL_STOP) = status;
    }
}

/*
 * The command line has words like laps=3. Value of such a word, or the
 * default where there is none.
 */
uint32_t argument(const char *name, uint32_t default_value);

/* Prints a line and ends the machine with status PANIC. */
void panic(const char *format, ...)
    __attribute__((noreturn));
#define PANIC 119              /* the largest status of a guest */

#endif
