/*
 * Round trips between nodes 0 and 1 that wait in a loop: a process that waits
 * keeps its slot. test_skew.py runs it, and says what the results must be.
 *
 *      skew COUNT
 *
 * Node 0 prints how many messages the two nodes have received and how many of
 * them came out of a buffer. The exit status is 0; 2 for wrong arguments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

static volatile uint32_t pings, pongs;
static volatile uint32_t inserted_there;

/* Handler on node 0. Argument: the messages that node 1 has had buffered. */
static void pong(void)
{
    inserted_there = udm_arg(0);
    udm_dispose();
    pongs++;
}

static void ping(void)
{
    udm_dispose();
    pings++;
    udm_inject(0, pong, glaze_info(GLAZE_I_INSERTED));
}

int main(int argc, char **argv)
{
    uint32_t count = argc == 2 ? strtoul(argv[1], NULL, 0) : 0;

    if (!count) {
        return 2;
    }
    if (udm_node() == 1) {
        while (pings < count) {
            /* the handler works */
        }
    }
    if (udm_node() == 0) {
        for (uint32_t i = 0; i < count; i++) {
            udm_inject(1, ping);
            while (pongs == i) {
                /* wait for the pong */
            }
        }
        printf("skew: %lu messages, %lu buffered\n", (unsigned long)2 * count,
               (unsigned long)(glaze_info(GLAZE_I_INSERTED) +
                               inserted_there));
    }
    return 0;
}
