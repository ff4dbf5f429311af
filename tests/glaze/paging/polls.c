/*
 * A program whose processes wait for each other without giving up the processor.
 *
 *   polls UNTIL
 *
 * Until the cycle UNTIL, each node sends a message to the next one, and polls for the
 * one from the node before it. Node 0 prints how often.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "udm.h"

static volatile uint32_t seen;

static void take(void)
{
    udm_dispose();
    seen++;
}

int main(int argc, char **argv)
{
    uint64_t until = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
    uint32_t sent = 0;

    while (udm_cycles() < until) {
        udm_inject((udm_node() + 1) % udm_nodes(), take);
        sent++;
        while (seen < sent && udm_cycles() < until) {
        }
    }
    if (!udm_node()) {
        printf("polls: %lu rounds\n", (unsigned long)sent);
    }
    return argc < 2;
}
