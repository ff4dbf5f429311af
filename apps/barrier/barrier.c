/*
 * Barriers one after the other: what one costs, and that it holds. See
 * README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm-collective.h"
#include "udm-measure.h"

enum {
    COUNT = 1000,               /* default */
    COUNT_MAX = 10000000,
    CHECKS = 20,                /* barriers that are checked */
    DELAY = 2048,               /* cycles, the longest delay before them */
};

/* Returns the cycles that `count` barriers take on this node. */
static uint64_t barriers(uint32_t count)
{
    uint64_t start = udm_cycles();

    for (uint32_t i = 0; i < count; i++) {
        udm_barrier();
    }
    return udm_cycles() - start;
}

static void spin(uint32_t cycles)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < cycles) {
    }
}

/* Returns the time, by a clock on which all nodes agree even with --skew. */
static uint64_t common_time(void)
{
    return udm_cycles() - glaze_info(GLAZE_I_AHEAD);
}

/*
 * Returns how often this node has left a barrier before the last node came to
 * it. The nodes come at random times, and compare times after the last barrier.
 */
static uint32_t times_ahead(void)
{
    uint64_t came[CHECKS], left[CHECKS];
    uint32_t ahead = 0;

    srand(udm_node() + 1);
    for (unsigned i = 0; i < CHECKS; i++) {
        spin(rand() % DELAY);
        came[i] = common_time();
        udm_barrier();
        left[i] = common_time();
    }
    for (unsigned i = 0; i < CHECKS; i++) {
        ahead += left[i] < (uint64_t)udm_reduce_all_int(UDM_MAX, came[i]);
    }
    return ahead;
}

int main(int argc, char **argv)
{
    char *end = "";
    unsigned long count = argc > 1 ? strtoul(argv[1], &end, 10) : COUNT;
    struct udm_measured measured;
    uint64_t cycles, ahead;

    if (argc > 2 || *end || count < 1 || count > COUNT_MAX) {
        if (udm_node() == 0) {
            fprintf(stderr, "barrier: its one argument is a number of "
                    "barriers, 1 to %d\n", COUNT_MAX);
        }
        return 2;
    }
    udm_measure_begin();        /* all begin together, with warm caches */
    cycles = barriers(count);
    measured = udm_measure_end();
    ahead = udm_reduce_all_int(UDM_SUM, times_ahead());
    if (udm_node() == 0) {
        printf("barrier: %lu barriers on %lu nodes, %.1f cycles each\n",
               count, (unsigned long)udm_nodes(), (double)cycles / count);
        printf("barrier: nodes were ahead %lu times in %d more\n",
               (unsigned long)ahead, CHECKS);
    }
    udm_measure_print("barrier", &measured);
    return ahead != 0;
}
