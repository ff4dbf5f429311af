/*
 * The M-Machine's message interface (--ni m-machine): requests to random nodes, whose
 * handlers reply, on the bare machine. Replies are of priority 1, which always drains.
 *
 * Arguments: times=N: requests of each node, 1000 by default. rules=0: handlers reply
 * at priority 0, and the machine may come to a deadlock.
 *
 * Prints one line per check of each node; the exit status is the number of failed
 * checks.
 */
#include "check.h"
#include "cycles.h"
#include "random.h"
#include "slots.h"
#include "trap.h"

#define WORDS   10              /* of a request; the first is where to reply to */

enum { REQUEST, REPLY, COUNT };

/* replies_code.S */
void slot_code(void);
void request_handler(void);
void reply_handler(void);
void count_handler(void);
void send_ten(uint32_t dest, uint32_t handler, const uint32_t *words);
void send_none(uint32_t dest, uint32_t handler);

/* What other nodes reach. */
static struct {
    volatile uint32_t replies, sum;
    volatile uint32_t done;             /* nodes, at node 0 */
} area __attribute__((aligned(8)));

static uint32_t node, nodes;

/* Returns the sum of the words that come back. */
static uint32_t request(uint32_t *state)
{
    uint32_t words[WORDS] __attribute__((aligned(8)));
    uint32_t sum = 0;

    words[0] = at(node, 0);
    for (unsigned i = 1; i < WORDS; i++) {
        words[i] = random_next(state);
        sum += words[i];
    }
    send_ten(at(random_next(state) % nodes, 0), REQUEST, words);
    return sum;
}

int main(void)
{
    uint32_t times = argument("times", 1000), sum = 0, state;

    pil_set(PIL_ALL);
    node = NI_U(FUGU_U_NODE);
    nodes = NI_U(FUGU_U_NODES);
    set_segment(0, &area);
    set_handler(REQUEST, request_handler, 0);
    set_handler(REPLY, reply_handler, 8);
    set_handler(COUNT, count_handler, 12);
    NI_K(FUGU_K_MM_RULES) = argument("rules", FUGU_MM_RULE_REPLIES);
    start_slot(0, slot_code);
    start_slot(1, slot_code);
    while (cycles32() < 100000) {       /* all nodes have got that far */
    }
    state = random_stream(1, node, 0, 0);
    for (uint32_t i = 0; i < times; i++) {
        sum += request(&state);
    }
    while (area.replies < times) {
    }
    check("each request is answered once", area.replies, times);
    check("with its words", area.sum, sum);
    check("no slot is at fault", NI_K(FUGU_K_PENDING), 0);
    send_none(at(0, 8), COUNT);
    if (node != 0) {
        for (;;) {
            cpu_wait();
        }
    }
    while (area.done < nodes) {
    }
    machine_stop(check_result());
}
