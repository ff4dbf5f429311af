/*
 * The M-Machine's message interface (--ni m-machine): the watchdog of message slots, on
 * the bare machine. Each node sends to itself.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "pass.h"
#include "slots.h"
#include "trap.h"

#define LIMIT       500
#define MESSAGES    4           /* as many as have room */
#define LITTLE      100         /* turns of a handler's loop, of 3 cycles: below LIMIT, */
#define MUCH        100000      /*   and far above */

/* metered_code.S */
void slot_code(void);
void looping_handler(void);
void send_one(uint32_t dest, uint32_t handler, uint32_t word);

static uint32_t state(unsigned priority)
{
    return NI_K(FUGU_K_MM_STATE + 4 * priority);
}

static uint32_t busy(unsigned priority)
{
    return NI_K(FUGU_K_MM_BUSY + 4 * (priority + 1));
}

static void send(unsigned priority, uint32_t turns)
{
    NI_K(FUGU_K_MM_PRIORITY) = priority;
    send_one(at(NI_U(FUGU_U_NODE), 0), 0, turns);
}

/* Messages that take little are not stopped, however many come. */
static void check_many(unsigned priority, void (*rest)(uint32_t))
{
    uint32_t before = busy(priority);

    for (unsigned k = 0; k < MESSAGES; k++) {
        send(priority, LITTLE);
    }
    rest(4000);
    check_quietly("the slot is on", state(priority), FUGU_MM_SLOT_ON);
    check_quietly("all messages are handled",
                  busy(priority) - before > MESSAGES * 3 * LITTLE, 1);
}

/* One that takes much is, and the next one, too. */
static void check_one(unsigned priority, void (*rest)(uint32_t))
{
    uint32_t before = busy(priority), used, pc;

    send(priority, MUCH);
    rest(4000);
    used = busy(priority) - before;
    pc = NI_K(FUGU_K_MM_START + 4 * priority);
    check_quietly("the slot is at fault", state(priority), FUGU_MM_SLOT_FAULT);
    check_quietly("for this", NI_K(FUGU_K_MM_FAULT + 4 * priority),
                  FUGU_TT_MM_WATCHDOG);
    check_quietly("no address", NI_K(FUGU_K_MM_ADDRESS + 4 * priority), 0);
    check_quietly("no cause", NI_K(FUGU_K_MM_CAUSE + 4 * priority), 0);
    check_quietly("in the handler", pc - (uint32_t)(uintptr_t)looping_handler < 24, 1);
    check_quietly("not too early", used >= LIMIT, 1);
    check_quietly("not too late", used < LIMIT + 20, 1);
    start_slot(priority, slot_code);
}

/* What the slot has used before it is held counts when it goes on. */
static void check_held(unsigned priority)
{
    uint32_t before = busy(priority), used;

    send(priority, MUCH);
    pass(LIMIT);
    NI_K(FUGU_K_MM_STATE + 4 * priority) = FUGU_MM_SLOT_HELD;
    used = busy(priority) - before;
    check_quietly("it has begun", used > 100 && used < LIMIT, 1);
    pass(4000);
    NI_K(FUGU_K_MM_STATE + 4 * priority) = FUGU_MM_SLOT_ON;
    pass(4000);
    used = busy(priority) - before;
    check_quietly("at fault", state(priority), FUGU_MM_SLOT_FAULT);
    check_quietly("in time", used >= LIMIT && used < LIMIT + 20, 1);
    start_slot(priority, slot_code);
}

/* A slot that is on when the limit is set is in time for it, and one that has none is
 * not stopped. */
static void check_changes(unsigned priority)
{
    uint32_t before;

    NI_K(FUGU_K_MM_WATCHDOG) = 0;
    send(priority, MUCH);
    pass(4000);
    check_quietly("no limit", state(priority), FUGU_MM_SLOT_ON);
    before = busy(priority);
    NI_K(FUGU_K_MM_WATCHDOG) = LIMIT;
    pass(4000);
    check_quietly("a limit", state(priority), FUGU_MM_SLOT_FAULT);
    check_quietly("soon", busy(priority) - before <= LIMIT + 20, 1);
    check_quietly("it reads back", NI_K(FUGU_K_MM_WATCHDOG), LIMIT);
    start_slot(priority, slot_code);
}

int main(void)
{
    pil_set(PIL_ALL);
    check("none at reset", NI_K(FUGU_K_MM_WATCHDOG), 0);
    set_segment(0, 0);
    set_handler(0, looping_handler, 0);
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 1;
    NI_K(FUGU_K_MM_WATCHDOG) = LIMIT;
    for (unsigned priority = 0; priority < FUGU_MM_PRIORITIES; priority++) {
        start_slot(priority, slot_code);
        for (unsigned turn = 0; turn < 3; turn++) {
            check_many(priority, sleep);
            check_many(priority, pass);
            check_one(priority, sleep);
            check_one(priority, pass);
        }
        check_held(priority);
        check_changes(priority);
        check_sum("a slot has so many cycles for a message");
    }
    return check_result();
}
