/*
 * A dissemination barrier: in round r a node tells the node 2^r further, and
 * waits for the one 2^r before. Words are numbers of barriers, so nothing has to
 * be cleared.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "barrier.h"
#include "shrimp.h"
#include "udm.h"

enum { ROUNDS_MOST = 10, NUMBER = 100 };    /* the export's number */

/* A page for each round, as each goes to another node. */
static struct {
    volatile uint32_t number;
    uint32_t unused[1023];
} tells[ROUNDS_MOST] __attribute__((aligned(4096)));

static struct {
    volatile uint32_t number;
    uint32_t unused;
} told[ROUNDS_MOST] __attribute__((aligned(4096)));

static uint32_t rounds, number;

void barrier_init(void)
{
    uint32_t nodes = udm_nodes(), node = udm_node();
    bool failed = shrimp_export(NUMBER, told, sizeof(told)) < 0;

    for (rounds = 0; 1u << rounds < nodes; rounds++) {
        failed |= shrimp_map(&tells[rounds], 8, (node + (1 << rounds)) % nodes,
                             NUMBER, 8 * rounds, SHRIMP_SINGLE) < 0;
    }
    if (failed) {
        fprintf(stderr, "update: the barrier's words cannot be mapped\n");
        exit(1);
    }
}

void barrier(void)
{
    number++;
    for (uint32_t r = 0; r < rounds; r++) {
        uint32_t now = told[r].number;

        tells[r].number = number;
        /* The other node may be one barrier ahead. */
        while ((int32_t)(now - number) < 0) {
            now = shrimp_wait_change(&told[r].number, now);
        }
    }
}
