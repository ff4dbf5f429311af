/*
 * The M-Machine's message interface (--ni m-machine): the null round trip, on the
 * bare machine. Node 0 sends requests to the last node, whose handler replies.
 *
 * Arguments: times=N: so many of each kind, 1000 by default.
 *
 * Prints the cycles, with a processor that waits and with one that is busy, and one line per check; the exit status is the
 * number of failed checks.
 */
#include "check.h"
#include "console.h"
#include "cycles.h"
#include "slots.h"
#include "trap.h"

/* nullmsg_code.S */
void slot_code(void);
void request_handler(void);
void reply_handler(void);
uint32_t send_and_wait(uint32_t dest, uint32_t handler, uint32_t word);
uint32_t send_and_spin(uint32_t dest, uint32_t handler, uint32_t word,
                       volatile uint32_t *until);

static volatile uint32_t came __attribute__((aligned(8)));

/* Returns the cycles from the first of a SEND to the first of the reply's handler. */
static uint32_t round_trip(uint32_t to, bool busy)
{
    uint32_t sent;

    came = 0;
    if (busy) {
        sent = send_and_spin(at(to, 0), 0, at(0, 0), &came);
    } else {
        REG64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE) = cycles() + 2000;
        sent = send_and_wait(at(to, 0), 0, at(0, 0));
    }
    return came - sent;
}

/* The first two warm the caches, and do not count. */
static void check_round_trips(uint32_t to, uint32_t times, bool busy)
{
    uint32_t least = ~0u, most = 0;

    for (uint32_t i = 0; i < times + 2; i++) {
        uint32_t took = round_trip(to, busy);

        if (i > 1) {
            least = took < least ? took : least;
            most = took > most ? took : most;
        }
    }
    printf("null round trip, %s: %lu to %lu cycles\n", busy ? "busy" : "waiting",
           (unsigned long)least, (unsigned long)most);
    if (!busy) {
        check("each takes as long", least, most);
    }
}

int main(void)
{
    uint32_t last = NI_U(FUGU_U_NODES) - 1, times = argument("times", 1000);

    pil_set(PIL_ALL);
    set_segment(0, &came);
    set_handler(0, request_handler, 4);
    set_handler(1, reply_handler, 4);
    start_slot(0, slot_code);
    start_slot(1, slot_code);
    if (NI_U(FUGU_U_NODE) != 0) {
        for (;;) {
            cpu_wait();
        }
    }
    while (cycles32() < 100000) {       /* all nodes have got that far */
    }
    REG(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL) = 1;
    check_round_trips(last, times, false);
    check_round_trips(last, times, true);
    machine_stop(check_result());
}
