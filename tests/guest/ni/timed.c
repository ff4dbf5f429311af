/*
 * Timer-force is set, so what user mode does is a handler's for the counters. A
 * debugger that stops at user_code() can put the processor into user mode.
 *
 * Prints the cycles of handlers, and those of user_code().
 */
#include "console.h"
#include "cycles.h"
#include "message.h"
#include "mmu.h"
#include "trap.h"

#define LEAVE   7               /* the n of ta n */

#define CONTROL(offset) REG(FUGU_CONTROL_BASE + (offset))
#define HANDLING        REG64(FUGU_CONTROL_BASE + FUGU_CONTROL_METER + \
                              8 * FUGU_METER_HANDLING)

static void leaves(struct trap *t)
{
    printf("handler %u, code %u\n", (uint32_t)HANDLING, t->o[0]);
    machine_stop(0);
}

void __attribute__((noinline)) user_code(void)
{
    register uint32_t taken asm ("o0");
    uint32_t start = cycles32();

    for (volatile int i = 0; i < 100; i++) {
    }
    taken = cycles32() - start;
    asm volatile ("ta %0" : : "i" (LEAVE), "r" (taken));
}

int main(void)
{
    mmu_on();
    ni_fresh();
    trap_set(TT_SOFTWARE + LEAVE, leaves);
    NI_K(FUGU_K_UAC) = FUGU_UAC_TIMER_FORCE;
    CONTROL(FUGU_CONTROL_GID) = NI_K(FUGU_K_GID);
    CONTROL(FUGU_CONTROL_CLEAR) = 1;
    user_code();
    return 1;
}
