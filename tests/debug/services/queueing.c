/*
 * A process with items in its queues, for tests of fugu queues. Nodes 1 and 2
 * send one after the other; node 0 takes one item and calls look_here().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rq.h"
#include "udm-collective.h"

enum { WORDS = 1, BODIES, INTERRUPT = 20 };

static uint32_t body[2];

/* A place for breakpoints. */
static void __attribute__((noinline)) look_here(void)
{
    asm volatile ("" : : : "memory");
}

static void nothing(const struct rq_item *item)
{
    (void)item;
}

/* With the word `fetch`: by RQ_BY_FETCH. */
int main(int argc, char **argv)
{
    uint32_t word;

    (void)argv;
    rq_init(argc > 1 ? RQ_BY_FETCH : RQ_BY_MEMORY);
    rq_create(WORDS, RQ_POLL);
    rq_create(BODIES, RQ_POLL);
    rq_create(INTERRUPT, RQ_INTERRUPT);
    for (uint32_t node = 1; node < 3; node++) {
        udm_barrier();          /* before this node's turn, its words are sent */
        if (udm_node() == node) {
            for (uint32_t k = 0; k < 3; k++) {
                rq_send(0, WORDS, 0x11, k);
            }
            rq_send_am_to(0, INTERRUPT, nothing);
        }
        udm_barrier();
    }
    if (udm_node() == 2) {
        rq_send_body(0, BODIES, body, sizeof(body), 0x22);
    }
    udm_barrier();
    if (udm_node() == 0) {
        if (argc == 1) {
            while (rq_waiting(BODIES) == 0) {
            }
            rq_dequeue(WORDS, &word);
        }
        look_here();                 /* with slots: this node has looked at none */
    }
    udm_barrier();
    return 0;
}
