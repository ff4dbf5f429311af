/*
 * Time and waiting: the clock, the cycle timer, cycle-offset, and the
 * instruction that waits for an interrupt.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "cycles.h"
#include "message.h"
#include "ops.h"
#include "stamp.h"
#include "trap.h"

#define T(offset)       REG(FUGU_TIMER_BASE + (offset))
#define COMPARE         REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE)
#define NOW             REG64(FUGU_TIMER_BASE + FUGU_TIMER_NOW)
#define OFFSET          REG64(FUGU_NI_KERNEL_BASE + FUGU_K_OFFSET)

/* Defined in idle_code.S: the wait instruction, under guard. */
void op_wait(void *unused);

static void timer_at(uint64_t time)
{
    COMPARE = time;
    T(FUGU_TIMER_CONTROL) = 1;
}

static void timer_off(void)
{
    T(FUGU_TIMER_CONTROL) = 0;
}

static void check_clock(void)
{
    uint64_t first = cycles(), second = cycles(), timer = NOW, halves;

    halves = (uint64_t)NI_U(FUGU_U_CYCLES) << 32;
    halves |= NI_U(FUGU_U_CYCLES + 4);
    check_true("the clock goes on", second > first);
    check_true("the timer shows the same clock",
               timer > second && timer - second < 100);
    check_true("it can be read by halves",
               halves > timer && halves - timer < 100);
}

/* A read of the low half belongs to the last read of the high half. */
static void check_halves(void)
{
    uint64_t now;
    uint32_t high, low;

    OFFSET = 0;
    OFFSET = 0x100000000 - 300 - cycles();
    high = NI_U(FUGU_U_CYCLES);
    while (T(FUGU_TIMER_NOW) == 0) {
        /* until the timer's high half is 1 */
    }
    low = NI_U(FUGU_U_CYCLES + 4);
    now = (uint64_t)high << 32 | low;
    check("the high half was read before the carry", high, 0);
    check_true("the low half is of that time", now >= 0x100000000 - 300);
    OFFSET = 0;
}

/* ---- Waiting, with the interrupt masked ---------------------------------- */

static void check_masked_wait(void)
{
    uint32_t woken, again;

    timer_off();
    check("disabled, the timer's status is 0", T(FUGU_TIMER_STATUS), 0);
    timer_at(cycles() + 5000);
    check("before its time as well", T(FUGU_TIMER_STATUS), 0);
    woken = stamp_wait();
    again = stamp_wait();
    check("a masked interrupt ends the wait, at its very time", woken,
          (uint32_t)COMPARE);
    check("it is pending", T(FUGU_TIMER_STATUS), 1);
    check_true("with one pending, there is no wait", again - woken < 100);
    timer_off();
    check("disabled, it is not pending any more", T(FUGU_TIMER_STATUS), 0);
}

static void check_sleep_until_past(void)
{
    uint32_t before = cycles32();

    timer_at(1);
    stamp_wait();
    check_true("a time that has passed is there at once",
               cycles32() - before < 500);
    COMPARE = cycles() + 1000000;
    check("moved beyond now, it is not", T(FUGU_TIMER_STATUS), 0);
    timer_off();
}

/* ---- Waiting, with the interrupt unmasked -------------------------------- */

static unsigned ticks;
static uint32_t tick_pc;
static uint64_t tick_time;

static void tick(struct trap *t)
{
    ticks++;
    tick_pc = t->pc;
    tick_time = cycles();
    if (ticks == 3) {
        timer_off();
        trap_skip(t);
    } else {
        timer_at(COMPARE + 2000);
    }
}

static void check_unmasked_wait(void)
{
    uint64_t first;

    trap_set(FUGU_TT_IRQ(FUGU_IRQ_TIMER), tick);
    first = cycles() + 2000;
    timer_at(first);
    check("the wait ends when the handler says so",
          RUN(KERNEL, op_wait, 0, PIL_NONE), 0);
    check("till then it is tried again", ticks, 3);
    check("pc is at the instruction", tick_pc, PC(op_wait));
    check_true("each time is its own",
               tick_time >= first + 4000 && tick_time < first + 4500);
    check("a user may not wait", RUN(USER, op_wait, 0, PIL_ALL),
          TT_PRIVILEGED);

    ticks = 0;
    timer_at(cycles() + 1000);
    pil_set(FUGU_IRQ_TIMER);
    cpu_wait();
    check("an interrupt of no higher level than PIL is not taken", ticks, 0);
    pil_set(FUGU_IRQ_TIMER - 1);
    check("one of a higher level is", ticks > 0, true);
    timer_off();
    pil_set(PIL_ALL);
}

/* A message ends a wait too, unless interrupt-disable is set. */
static void check_wake_by_message(void)
{
    uint32_t sent;

    ni_fresh();
    sent = stamp_send(ni_node(), 0, 3, 0);
    check_true("a message ends a wait", stamp_wait() - sent < 200);
    NI_K(FUGU_K_UAC) = FUGU_UAC_INTERRUPT_DISABLE;
    timer_at(cycles() + 3000);
    check("with interrupt-disable it does not", stamp_wait(),
          (uint32_t)COMPARE);
    timer_off();
    ni_fresh();
}

/* ---- cycle-offset -------------------------------------------------------- */

static void check_offset(void)
{
    uint64_t before, after, timer;
    uint32_t woken;

    before = cycles();
    OFFSET = 1000000;
    after = cycles();
    timer = NOW;
    check_true("cycle-offset is added to the clock",
               after - before > 1000000 && after - before < 1000200);
    check("it can be read back", OFFSET, 1000000);
    check_true("and to the timer's", timer - after < 100);

    timer_at(cycles() + 4000);
    woken = stamp_wait();
    check("the timer compares with it", woken, (uint32_t)COMPARE);
    timer_at(cycles() + 2000000);
    check("a time far away is not reached", T(FUGU_TIMER_STATUS), 0);
    OFFSET = 1000000 + 3000000;
    check("till the offset moves the clock beyond it",
          T(FUGU_TIMER_STATUS), 1);
    timer_off();

    OFFSET = -500ull;
    before = cycles();
    OFFSET = 0;
    after = cycles();
    check_true("it is signed", after - before > 500 && after - before < 700);
}

int main(void)
{
    check_clock();
    check_halves();
    check_masked_wait();
    check_sleep_until_past();
    check_unmasked_wait();
    check_wake_by_message();
    check_offset();
    return check_result();
}
