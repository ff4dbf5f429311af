/*
 * The atomicity timer is on, in supervisor mode, where it does not run. A
 * debugger that stops at user_code() can put the processor into user mode.
 *
 * Prints how far the timer has come, and the cycles of user_code().
 */
#include "console.h"
#include "cycles.h"
#include "message.h"
#include "mmu.h"
#include "trap.h"

#define TIMEOUT 100000
#define LEAVE   7               /* the n of ta n */

static void leaves(struct trap *t)
{
    printf("timer %u, code %u\n", TIMEOUT - NI_K(FUGU_K_TIMER), t->o[0]);
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
    NI_K(FUGU_K_TIMEOUT) = TIMEOUT;
    NI_K(FUGU_K_UAC) = FUGU_UAC_TIMER_FORCE;
    user_code();
    return 1;
}
