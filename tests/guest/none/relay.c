/*
 * Messages between kernels by the second network alone, which every kind of
 * network interface has. Each node sends messages of random lengths to random
 * nodes, itself among them, and takes what comes by interrupt or by polling.
 *
 * Arguments: messages=NUMBER, of each node (default 40); seed=NUMBER.
 *
 * The stream of a message's words follows from its source and number, so that
 * the receiver checks each word, and knows how many messages it will get.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "cycles.h"
#include "ni.h"
#include "random.h"
#include "trap.h"

#define NODES_MOST      16
#define SHORTEST        2       /* words: header, number */
#define MARK            0xabcd0000

static uint32_t node, nodes, messages, seed;
static uint32_t got, next[NODES_MOST];  /* by source: smallest number that may
                                           come */

/* What a message is, all from its source and number. */
struct plan {
    uint32_t dest, words, state;
};

static struct plan plan_of(uint32_t source, uint32_t number)
{
    struct plan plan = { .state = random_stream(seed, source, number, 1) };

    plan.dest = random_below(&plan.state, nodes);
    plan.words = SHORTEST + random_below(&plan.state, FUGU_MSG_WORDS -
                                         SHORTEST + 1);
    return plan;
}

static uint32_t expected(void)
{
    uint32_t count = 0;

    for (uint32_t source = 0; source < nodes; source++) {
        for (uint32_t number = 0; number < messages; number++) {
            count += plan_of(source, number).dest == node;
        }
    }
    return count;
}

static uint32_t head(uint32_t offset)
{
    return NI_K(FUGU_K_SECOND_HEAD + offset);
}

/* Checks the head and drops it. */
static void take(void)
{
    uint32_t source = head(0) & FUGU_HDR_NODE_MASK, number = head(4);
    struct plan plan = plan_of(source, number);

    check_quietly("the header", head(0), MARK | source);
    check_quietly("the destination", plan.dest, node);
    check_quietly("in order", number >= next[source], true);
    check_quietly("the length", head(FUGU_HEAD_LENGTH), plan.words);
    for (uint32_t k = SHORTEST; k < plan.words; k++) {
        check_quietly("a word", head(4 * k), random_next(&plan.state));
    }
    next[source] = number + 1;
    got++;
    NI_K(FUGU_K_SECOND_DISPOSE) = 0;
}

static void on_interrupt(struct trap *t)
{
    (void)t;
    take();
}

static void send(uint32_t number)
{
    struct plan plan = plan_of(node, number);

    NI_K(FUGU_K_SECOND_OUT) = MARK | plan.dest;
    NI_K(FUGU_K_SECOND_OUT + 4) = number;
    for (uint32_t k = SHORTEST; k < plan.words; k++) {
        NI_K(FUGU_K_SECOND_OUT + 4 * k) = random_next(&plan.state);
    }
    NI_K(FUGU_K_SECOND_LAUNCH) = plan.words;    /* may wait */
}

/* Sends with interrupts on: a node that waits for space takes what comes. */
static void send_all(void)
{
    pil_set(PIL_NONE);
    for (uint32_t number = 0; number < messages; number++) {
        send(number);
    }
    pil_set(PIL_ALL);
}

int main(void)
{
    node = ni_node();
    nodes = ni_nodes();
    messages = argument("messages", 40);
    seed = argument("seed", 1);
    if (nodes > NODES_MOST) {
        panic("relay runs on at most 16 nodes");
    }
    trap_set(FUGU_TT_IRQ(FUGU_IRQ_SECOND), on_interrupt);
    send_all();
    while (got < expected()) {
        if (head(FUGU_HEAD_PRESENT)) {
            take();
        } else {
            cpu_wait();
        }
    }
    check_sum("every message comes once, in order, with its words");
    check("and no more", head(FUGU_HEAD_PRESENT), 0);
    return check_result();
}
