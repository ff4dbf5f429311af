/*
 * A sum of vectors around a ring, with a race: a neighbour overtakes.
 *
 *     overtaken [STEPS]
 *
 * In each step every node sends the vector that it has to the next node, waits
 * for one from the node before, and adds its own number. Two buffers take
 * turns, so a node may write into the buffer that its neighbour still adds up
 * if that is two steps behind: nothing keeps it from that. Node 0 prints the
 * sum of what it has at the end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "udm.h"

enum { WORDS = 16 };

static volatile unsigned buffer[2][WORDS];
static volatile unsigned came;

/* A word of the vector of a step: where, and what. */
static void word_arrives(void)
{
    unsigned step = udm_arg(0), k = udm_arg(1);

    buffer[step % 2][k] = udm_arg(2);
    udm_dispose();
    came++;
}

int main(int argc, char **argv)
{
    unsigned steps = argc > 1 ? (unsigned)atoi(argv[1]) : 8, sum = 0;
    unsigned next = (udm_node() + 1) % udm_nodes(), mine[WORDS];

    for (unsigned k = 0; k < WORDS; k++) {
        mine[k] = udm_node() + k;
    }
    for (unsigned step = 0; step < steps; step++) {
        for (unsigned k = 0; k < WORDS; k++) {
            udm_inject(next, word_arrives, step, k, mine[k]);
        }
        while (came < (step + 1) * WORDS) {
        }
        for (unsigned k = 0; k < WORDS; k++) {
            mine[k] = buffer[step % 2][k] + udm_node();
            for (volatile unsigned work = 0; work < 4 * (udm_node() % 3); work++) {
            }
        }
    }
    for (unsigned k = 0; k < WORDS; k++) {
        sum += mine[k];
    }
    printf("node %u: %u\n", udm_node(), sum);
    return 0;
}
