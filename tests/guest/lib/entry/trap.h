/*
 * Traps and interrupts: a table of C handlers, and code that runs under guard.
 */
#ifndef GUEST_TRAP_H
#define GUEST_TRAP_H

#include "psr.h"

/*
 * What a trap saves on the stack of the interrupted code, above the space for
 * a window. These are the offsets for trap.S; trap.c compares them with struct
 * trap.
 */
#define TRAP_PSR        0x00
#define TRAP_PC         0x04
#define TRAP_NPC        0x08
#define TRAP_Y          0x0c
#define TRAP_TYPE       0x10
#define TRAP_G1         0x14
#define TRAP_G2         0x18
#define TRAP_G4         0x20
#define TRAP_G6         0x28
#define TRAP_I0         0x30
#define TRAP_SIZE       0x50

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The interrupted state. A handler may change it; the return from the trap
 * restores it. */
struct trap {
    uint32_t psr, pc, npc, y;
    uint32_t type;
    uint32_t g[7];              /* %g1 to %g7 */
    uint32_t o[8];              /* %o0 to %o7 of the interrupted code */
};

/*
 * A handler runs in supervisor mode with interrupts masked. When it returns,
 * the interrupted code continues at t->pc. If the handler does not change
 * t->pc, the interrupted instruction is executed again.
 */
typedef void trap_handler(struct trap *t);

/* Sets the handler of a trap type; NULL restores the default. */
void trap_set(unsigned type, trap_handler *handler);

/* Continues after the interrupted instruction instead of repeating it. */
static inline void trap_skip(struct trap *t)
{
    t->pc = t->npc;
    t->npc += 4;
}

/* Whether the trap was taken from user mode. */
static inline bool trap_from_user(const struct trap *t)
{
    return !(t->psr & PSR_PS);
}

/* ---- Code under guard ---------------------------------------------------- */

enum mode { USER, KERNEL };

/*
 * Calls fn(arg) in `mode`, with interrupts up to level `pil` masked, until fn
 * returns or takes a trap that has no handler. Returns the trap type, or 0 if
 * fn returned. `caught` has the state of the trap; after a return, caught.o[0]
 * is the result of fn.
 *
 * run_as() must not be nested. The code shares its caller's stack.
 */
unsigned run_as(enum mode mode, void (*fn)(void *), void *arg, unsigned pil);

/* run_as() for a function or assembly routine of any type. */
#define RUN(mode, fn, arg, pil) \
    run_as(mode, (void (*)(void *))(uintptr_t)(fn), (void *)(uintptr_t)(arg), \
           pil)

extern struct trap caught;

/* Ends the code that run_as() runs. Only handlers may call run_leave(). */
void run_leave(struct trap *t) __attribute__((noreturn));

/* ---- Interrupt level ----------------------------------------------------- */

static inline uint32_t psr_read(void)
{
    uint32_t psr;

    asm volatile ("rd %%psr, %0" : "=r" (psr) : : "memory");
    return psr;
}

/* A write of the PSR may take effect up to three instructions later. */
static inline void psr_write(uint32_t psr)
{
    asm volatile ("wr %0, %%psr; nop; nop; nop" : : "r" (psr) : "memory");
}

/* Masks interrupts up to this level. Returns the previous level. */
static inline unsigned pil_set(unsigned level)
{
    uint32_t psr = psr_read();

    psr_write((psr & ~PSR_PIL) | level << PSR_PIL_SHIFT);
    return (psr & PSR_PIL) >> PSR_PIL_SHIFT;
}

#define PIL_ALL 15      /* masks all interrupts */
#define PIL_NONE 0      /* masks none */

/* Waits until an interrupt is pending. A masked interrupt is not taken:
 * execution just continues. */
static inline void cpu_wait(void)
{
    asm volatile ("wr %%g0, %%asr19" : : : "memory");
}

#endif /* __ASSEMBLER__ */
#endif
