/*
 * All nodes send to all, with csend() and crecv(), the typed messages of NX/2.
 * See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "nx.h"
#include "udm-collective.h"

enum {
    WORDS = 64,                 /* default: of a message */
    WORDS_MOST = 16384,
    TURNS = 20,
    TURNS_MOST = 100000,
};

static uint32_t words = WORDS, turns = TURNS;
static uint32_t node, nodes;
static uint32_t buffer[WORDS_MOST];

static uint32_t content(uint32_t from, uint32_t to, uint32_t turn, uint32_t i)
{
    return (from << 24 | to << 16) + turn * 977 + i;
}

/* A message's type is its sender's number, so each type has one sender. */
static void send_to(uint32_t to, uint32_t turn)
{
    for (uint32_t i = 0; i < words; i++) {
        buffer[i] = content(node, to, turn, i);
    }
    csend(node, buffer, words * sizeof(*buffer), to, 0);
}

/* Returns the words that are wrong. */
static uint32_t receive_from(uint32_t from, uint32_t turn)
{
    uint32_t wrong = 0;

    crecv(from, buffer, words * sizeof(*buffer));
    wrong += infocount() != (long)(words * sizeof(*buffer));
    wrong += infonode() != (long)from;
    for (uint32_t i = 0; i < words; i++) {
        wrong += buffer[i] != content(from, node, turn, i);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    const struct argument numbers[] = {
        { "WORDS", "words of a message", 0, WORDS_MOST, &words },
        { "TURNS", "exchanges of all with all", 1, TURNS_MOST, &turns },
        { 0 },
    };
    struct arguments arguments = { .app = "nxall", .numbers = numbers };
    uint64_t began;
    uint32_t wrong = 0, took;

    arguments_read(&arguments, argc, argv);
    node = udm_node();
    nodes = udm_nodes();

    udm_barrier();
    began = udm_cycles();
    for (uint32_t turn = 0; turn < turns; turn++) {
        /* Each node begins with another one, so that no one gets all. */
        for (uint32_t k = 1; k < nodes; k++) {
            send_to((node + k) % nodes, turn);
        }
        for (uint32_t k = 1; k < nodes; k++) {
            wrong += receive_from((node + nodes - k) % nodes, turn);
        }
    }
    took = (udm_cycles() - began) / turns;
    wrong = udm_reduce_int(0, UDM_SUM, wrong);
    if (node == 0) {
        printf("nxall: %lu words from each of %lu nodes to all others: %lu "
               "cycles\n", (unsigned long)words, (unsigned long)nodes,
               (unsigned long)took);
        printf("nxall: %s\n", wrong ? "wrong" : "right");
    }
    return wrong != 0;
}
