/*
 * A ring of nodes with csend() and crecv(), the typed messages of NX/2. See
 * README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "nx.h"
#include "udm-collective.h"

enum {
    BYTES = 1024,               /* default: of a message */
    BYTES_MOST = 65536,
    TURNS = 100,
    TURNS_MOST = 100000,
};

enum { MESSAGE, TOKEN };        /* types */

static uint32_t bytes = BYTES, turns = TURNS;
static uint32_t node, nodes, next, before;
static uint8_t out[BYTES_MOST], in[BYTES_MOST];

static uint8_t content(uint32_t from, uint32_t turn, uint32_t i)
{
    return from * 31 + turn * 7 + i + (i >> 8);
}

/* All nodes send at once. Returns the bytes that are wrong. */
static uint32_t everyone(void)
{
    uint32_t wrong = 0;

    for (uint32_t turn = 0; turn < turns; turn++) {
        for (uint32_t i = 0; i < bytes; i++) {
            out[i] = content(node, turn, i);
        }
        csend(MESSAGE, out, bytes, next, 0);
        crecv(MESSAGE, in, bytes);
        wrong += infocount() != (long)bytes;
        for (uint32_t i = 0; i < bytes; i++) {
            wrong += in[i] != content(before, turn, i);
        }
    }
    return wrong;
}

/* A word goes round: each node adds its number and 1. Returns the word that
 * has come to node 0 last. */
static uint32_t token(void)
{
    uint32_t word = 0;

    for (uint32_t turn = 0; turn < turns; turn++) {
        if (node == 0) {
            word++;
            csend(TOKEN, &word, sizeof(word), next, 0);
            crecv(TOKEN, &word, sizeof(word));
        } else {
            crecv(TOKEN, &word, sizeof(word));
            word += node + 1;
            csend(TOKEN, &word, sizeof(word), next, 0);
        }
    }
    return word;
}

int main(int argc, char **argv)
{
    const struct argument numbers[] = {
        { "BYTES", "bytes of a message", 0, BYTES_MOST, &bytes },
        { "TURNS", "turns of the ring", 1, TURNS_MOST, &turns },
        { 0 },
    };
    struct arguments arguments = { .app = "nxring", .numbers = numbers };
    uint64_t began, took[2];
    uint32_t wrong, word;

    arguments_read(&arguments, argc, argv);
    node = udm_node();
    nodes = udm_nodes();
    next = (node + 1) % nodes;
    before = (node + nodes - 1) % nodes;

    udm_barrier();
    began = udm_cycles();
    wrong = everyone();
    took[0] = udm_cycles() - began;
    udm_barrier();
    began = udm_cycles();
    word = token();
    took[1] = udm_cycles() - began;

    wrong += node == 0 && word != turns * (nodes * (nodes + 1) / 2);
    wrong = udm_reduce_int(0, UDM_SUM, wrong);
    if (node == 0) {
        printf("nxring: %lu bytes to the next of %lu nodes: %lu cycles a "
               "turn\n", (unsigned long)bytes, (unsigned long)nodes,
               (unsigned long)(took[0] / turns));
        printf("nxring: a word from node to node: %lu cycles\n",
               (unsigned long)(took[1] / turns / nodes));
        printf("nxring: %s\n", wrong ? "wrong" : "right");
    }
    return wrong != 0;
}
