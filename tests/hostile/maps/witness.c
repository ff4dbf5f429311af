/*
 * The correct program beside intruder.c, with SHRIMP's interface.
 *
 *      witness TURNS
 *
 * Each node maps a page for deliberate update, a flag for automatic update and an
 * acknowledgement to its neighbours. In each turn it sends a page that the turn
 * determines, and checks every word of the one that it gets. It also checks pages that
 * no other process may change: one that it exports with a secret key, one that it
 * exports to a job that does not exist, and one that it does not export. Node 0 prints
 * the cycles that all turns took.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "shrimp.h"
#include "udm.h"
#include "witness.h"

#define PAGE    GLAZE_PAGE
#define WORDS   (PAGE / 4)
#define ALIGNED __attribute__((aligned(PAGE)))

static volatile uint32_t out[WORDS] ALIGNED, in[WORDS] ALIGNED;
static volatile uint32_t flag_out[WORDS] ALIGNED, ack_out[WORDS] ALIGNED;
static volatile uint32_t flags[WORDS] ALIGNED;         /* 0: flag, 512: acknowledgement */
static volatile uint32_t keyed[WORDS] ALIGNED, foreign[WORDS] ALIGNED;
static volatile uint32_t private[WORDS] ALIGNED;

static uint32_t wrong;

static void want(bool holds)
{
    wrong += !holds;
}

static uint32_t value(uint32_t node, uint32_t turn, uint32_t i)
{
    return (node * 31 + turn) * 0x9e3779b1 + i * 0x85ebca6b;
}

static void export_all(void)
{
    struct shrimp_export e = {
        (uintptr_t)keyed, PAGE, SHRIMP_KEY, 0, { 0x7a3f19c5, 0x1b8de640 }
    };

    want(!shrimp_export(WITNESS_DATA, in, PAGE));
    want(!shrimp_export(WITNESS_FLAGS, flags, PAGE));
    want(!shrimp_export_to(WITNESS_KEYED, &e));
    e = (struct shrimp_export){ (uintptr_t)foreign, PAGE, SHRIMP_A_JOB, 99, { 0, 0 } };
    want(!shrimp_export_to(WITNESS_FOREIGN, &e));
}

/* Returns how many words have changed of pages that no other process may change. */
static uint32_t changed(void)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < WORDS; i++) {
        count += keyed[i] != value(97, 1, i);
        count += foreign[i] != value(98, 2, i);
        count += private[i] != value(99, 3, i);
    }
    return count;
}

int main(int argc, char **argv)
{
    uint32_t node = udm_node(), nodes = udm_nodes();
    uint32_t next = (node + 1) % nodes, before = (node + nodes - 1) % nodes;
    uint32_t turns = argc > 1 ? strtoul(argv[1], NULL, 10) : 20;
    uint64_t start;

    for (uint32_t i = 0; i < WORDS; i++) {
        keyed[i] = value(97, 1, i);
        foreign[i] = value(98, 2, i);
        private[i] = value(99, 3, i);
    }
    export_all();
    want(shrimp_map(out, PAGE, next, WITNESS_DATA, 0, SHRIMP_DELIBERATE) >= 0);
    want(shrimp_map(flag_out, PAGE / 2, next, WITNESS_FLAGS, 0, SHRIMP_SINGLE) >= 0);
    want(shrimp_map(ack_out, PAGE / 2, before, WITNESS_FLAGS, PAGE / 2,
                    SHRIMP_SINGLE) >= 0);
    start = udm_cycles();
    for (uint32_t turn = 1; turn <= turns && !wrong; turn++) {
        for (uint32_t i = 0; i < WORDS; i++) {
            out[i] = value(node, turn, i);
        }
        shrimp_send(out, PAGE);
        shrimp_wait_sent(out);
        shrimp_fence();
        flag_out[0] = turn;
        shrimp_wait(&flags[0], turn);
        for (uint32_t i = 0; i < WORDS; i++) {
            wrong += in[i] != value(before, turn, i);
        }
        ack_out[0] = turn;
        shrimp_wait(&flags[WORDS / 2], turn);
    }
    if (!node) {
        printf("witness: took %lu cycles\n", (unsigned long)(udm_cycles() - start));
    }
    wrong += changed();
    printf("witness: node %lu: %lu wrong\n", (unsigned long)node, (unsigned long)wrong);
    return wrong != 0;
}
