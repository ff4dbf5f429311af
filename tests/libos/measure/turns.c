/*
 * What is charged to a job beside another one. Two jobs on two nodes:
 *
 *     turns 0 + turns MESSAGES
 *
 * In the middle, node 1 of the second job sends MESSAGES null messages to node
 * 0. Both processes of node 0 print the cycles at which they have read their
 * counters, and the differences. test_measure.py compares with a trace.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define MIDDLE  1000000         /* cycle */
#define END     2000000
#define LATER   5000            /* cycles: not at the start of a slot */
#define GAP     400             /* cycles from one message to the next */

static void null(void)
{
    udm_dispose();
}

static void until(uint64_t cycle)
{
    while (udm_cycles() < cycle) {
    }
}

int main(int argc, char **argv)
{
    unsigned messages = argc > 1 ? atoi(argv[1]) : 0;
    static struct glaze_measure a, b;

    glaze_measure(&a, true);            /* it has memory now */
    glaze_measure(&a, true);
    until(MIDDLE);
    until(udm_cycles() + LATER);
    for (unsigned i = 0; udm_node() == 1 && i < messages; i++) {
        udm_inject(0, null);
        until(udm_cycles() + GAP);
    }
    until(END);
    glaze_measure(&b, false);
    if (udm_node() == 0) {
        printf("turns: gid=%u from=%llu to=%llu",
               (unsigned)glaze_info(GLAZE_I_GID), (unsigned long long)a.now,
               (unsigned long long)b.now);
        for (unsigned k = 0; k < FUGU_METER_COUNTERS; k++) {
            printf(" c%u=%llu", k,
                   (unsigned long long)(b.counter[k] - a.counter[k]));
        }
        printf("\n");
    }
    return 0;
}
