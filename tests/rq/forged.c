/*
 * Messages that the library has not sent: all nodes send the library's
 * handlers random words and bodies, and poll.
 *
 *      rq-forged SEED
 *
 * If SEED is a multiple of 3, all nodes have RQ_BY_FETCH. They then also send
 * items, and write random words into each other's memory. Otherwise each node
 * has one of the other back ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "mbcf.h"
#include "rq.h"
#include "udm-collective.h"

enum { QUEUES = 4, MESSAGES = 400 };

static uint32_t state;

static uint32_t chance(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
}

/* A word: a name, a small number, or an address anywhere. */
static uint32_t word(void)
{
    switch (chance(4)) {
    case 0:
        return chance(QUEUES + 1);
    case 1:
        return chance(100);
    case 2:
        return 0x40000000 + 4 * chance(1 << 20);
    default:
        return chance(1 << 24) << 8;
    }
}

/* An item as the library sends it, or a WRITE of random words anywhere. */
static void send_by_fetch(uint32_t node)
{
    uint32_t words[4] = { word(), word(), word(), word() };

    if (chance(4)) {
        rq_enqueue(node, 1 + chance(QUEUES - 1), words[0], words[1]);
    } else {
        mbcf_write(node, word(), words, 4 * (1 + chance(4)), 0, NULL);
    }
}

int main(int argc, char **argv)
{
    static uint32_t body[64];
    uint32_t words[UDM_ARGS_MAX], seed = atoi(argv[argc - 1]);
    bool fetch = seed % 3 == 0;

    state = seed * 1000 + udm_node();
    rq_init(fetch ? RQ_BY_FETCH : chance(2) ? RQ_BY_NI : RQ_BY_MEMORY);
    for (uint32_t k = 1; k <= QUEUES; k++) {
        rq_create(k, k == QUEUES ? RQ_INTERRUPT : RQ_POLL);
    }
    udm_barrier();
    rq_begin();
    for (uint32_t k = 0; k < MESSAGES; k++) {
        uint32_t node = chance(udm_nodes()), count = chance(UDM_ARGS_MAX + 1);
        udm_handler_t handler = chance(2) ? rq_arrive_ : rq_data_;

        for (uint32_t i = 0; i < count; i++) {
            words[i] = word();
        }
        words[0] = chance(16) ? 1 + chance(QUEUES - 1) : words[0];
        if (chance(4) == 0) {
            udm_inject_body(node, handler, body, 4 * chance(64), words[0],
                            words[1]);
        } else {
            udm_inject_words(node, handler, words, count);
        }
        if (fetch) {
            send_by_fetch(node);
        }
        rq_delete_queue(chance(QUEUES));
        if (chance(50) == 0) {
            rq_poll_am_of(1 + chance(QUEUES));
        }
    }
    rq_end();
    return 0;
}
