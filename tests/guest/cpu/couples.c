/*
 * A branch in the delay slot of another branch. The second is not taken and
 * annuls the instruction after it. A loop that has no other transfer of
 * control can still be interrupted.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "cycles.h"
#include "trap.h"

#define CODE    0x40080000      /* RAM that nothing else uses */

static const uint32_t loop[] = {
    0x80902001,         /*    orcc %g0, 1, %g0: the result is not zero */
    0x01000000,         /* 1: nop: annulled from the second lap on */
    0x90022001,         /*    inc %o0 */
    0x10bffffe,         /*    ba 1b */
    0x22800001,         /*     be,a .+4: delay slot; not taken */
};

static void expired(struct trap *t)
{
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 0;
    run_leave(t);
}

int main(void)
{
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_TIMER), expired);
    for (unsigned i = 0; i < sizeof(loop) / 4; i++) {
        REG(CODE + 4 * i) = loop[i];
    }
    for (enum mode mode = USER; mode <= KERNEL; mode++) {
        REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = cycles() + 5000;
        REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 1;
        check("the loop is interrupted", RUN(mode, CODE, 0, PIL_NONE),
              FUGU_TT_IRQ(FUGU_IRQ_TIMER));
        check_true("after some laps", caught.o[0] > 100);
    }
    return check_result();
}
