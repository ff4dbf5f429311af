/*
 * What blocks of remote queues cost: ./run.sh paper rq runs it on two nodes.
 *
 *      blocks BYTES 0 MESSAGES
 *
 * Node 0 sends a block by rq_store(), and waits for the item with which node 1 answers
 * the note of its arrival. It is a program of its own, because its buffers would move
 * the data of the others to other places of the cache. Its exit status is 0, or 2 for
 * wrong arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rq.h"
#include "udm-collective.h"
#include "../variants.h"

#define QUEUE       1
#define BLOCK_MOST  65536

/* Blocks begin with a page, as the paper's buffers do. */
static uint32_t block_from[BLOCK_MOST / 4] __attribute__((aligned(4096)));
static uint32_t block_to[BLOCK_MOST / 4] __attribute__((aligned(4096)));

static void trips(uint32_t bytes, unsigned count)
{
    const struct rq_note note = { .queue = QUEUE };
    uint32_t value;

    for (unsigned i = 0; i < count; i++) {
        uint32_t start = udm_cycles32();

        if (udm_node() == SENDER) {
            rq_store(RECEIVER, block_to, block_from, bytes, NULL, &note);
        }
        while (!rq_dequeue(QUEUE, &value)) {
        }
        if (udm_node() == RECEIVER) {
            rq_send(SENDER, QUEUE, i);
        }
        gaps[i] = udm_cycles32() - start;
    }
}

int main(int argc, char **argv)
{
    unsigned count = argc == 4 ? messages_of(argv[3]) : 0;
    uint32_t bytes = argc == 4 ? strtoul(argv[1], NULL, 10) : 0;

    if (!count || !bytes || bytes > BLOCK_MOST) {
        fprintf(stderr, "blocks: ./run.sh paper rq runs it\n");
        return 2;
    }
    rq_init(RQ_BY_NI);
    rq_create(QUEUE, RQ_POLL);
    memset(block_from, 1, sizeof(block_from));
    memset(block_to, 0, sizeof(block_to));
    udm_barrier();
    if (udm_node() <= RECEIVER) {
        rq_begin();
        trips(bytes, count);
        rq_end();
    }
    return 0;
}
