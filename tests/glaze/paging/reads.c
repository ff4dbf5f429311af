/*
 * How long a node lets messages of the first network wait.
 *
 *   reads NODE UNTIL
 *
 * Node 0 reads a word of NODE by MBCF again and again, from the cycle FROM until the
 * cycle UNTIL, and prints the longest time that it has waited. NODE's kernel answers, whichever process
 * runs there. The processes of the other nodes end at once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "mbcf.h"
#include "udm-collective.h"

static volatile uint32_t word;

#define FROM    1000000         /* by then, processes of other jobs on node 0 have ended */
#define PAUSE   120000          /* cycles: so the job is not suspended for a debt */

static void pass(uint32_t cycles)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < cycles) {
    }
}

static void null(void)
{
    udm_dispose();
}

/* A message for the process there is before the command in the network. */
static uint32_t one_read(uint32_t node)
{
    uint32_t start = udm_cycles32(), value;

    udm_inject(node, null);
    mbcf_read_now(node, &value, (uintptr_t)&word, sizeof(value));
    return udm_cycles32() - start;
}

int main(int argc, char **argv)
{
    uint32_t node, longest = 0, reads = 0;
    uint64_t until;

    if (argc != 3) {
        return 2;
    }
    node = strtoul(argv[1], NULL, 0);
    until = strtoull(argv[2], NULL, 0);
    word = 1;
    mbcf_open();
    udm_barrier();
    if (udm_node() == 0) {
        while (udm_cycles() < FROM) {
        }
        for (; udm_cycles() < until; reads++) {
            uint32_t cycles = one_read(node);

            longest = cycles > longest ? cycles : longest;
            pass(PAUSE);
        }
        printf("reads: %lu, the longest one %lu cycles\n", (unsigned long)reads,
               (unsigned long)longest);
    }
    while (udm_node() == node && udm_cycles() < until) {
        /* has the processor, and its messages take the fast path */
    }
    return 0;
}
