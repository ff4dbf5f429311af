/*
 * Barriers one after the other: what one costs, and that it holds. See
 * README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "glaze-calls.h"
#include "udm-collective.h"
#include "udm-measure.h"

enum {
    COUNT = 1000,               /* default */
    COUNT_MAX = 10000000,
    CHECKS = 20,                /* barriers that are checked */
    DELAY = 2048,               /* cycles, the longest delay before them */
    STAGGER_MAX = 1000000,      /* cycles */
    SEED_MAX = 1000000,
};

static uint32_t stagger, seed = 1;
static unsigned long count = COUNT;

static void spin(uint32_t cycles)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < cycles) {
    }
}

/* Returns a delay of at most `stagger` cycles, another one for each node. */
static uint32_t first_delay(void)
{
    srand(seed * udm_nodes() + udm_node());
    return stagger ? rand() % (stagger + 1) : 0;
}

/*
 * Returns the cycles that `number` barriers take on this node. Without a delay
 * before the first one, all nodes do the same in the same cycle, and go on so:
 * only a simulator is that exact.
 */
static uint64_t barriers(uint32_t number, uint32_t delay)
{
    uint64_t start = udm_cycles();

    spin(delay);
    for (uint32_t i = 0; i < number; i++) {
        udm_barrier();
    }
    return udm_cycles() - start;
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

/* ---- Arguments ----------------------------------------------------------- */

/* Ends the program: 2, with a line on node 0 that says what is wrong. */
static void refuse(const char *what, uint32_t most)
{
    if (udm_node() == 0) {
        fprintf(stderr, "barrier: %s, 1 to %lu\n", what, (unsigned long)most);
    }
    exit(2);
}

/* Returns a number from 1 to `most`. */
static unsigned long number(const char *text, uint32_t most, const char *what)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (end == text || *end || *text == '-' || value < 1 || value > most) {
        refuse(what, most);
    }
    return value;
}

static void read_arguments(int argc, char **argv)
{
    static const char one[] = "its one argument is a number of barriers";
    static const struct option names[] = {
        { "stagger", required_argument, NULL, 'd' },
        { "seed", required_argument, NULL, 's' },
        { "after", required_argument, NULL, 'a' },
        { },
    };
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        if (option == 'd') {
            stagger = number(optarg, STAGGER_MAX, "--stagger takes cycles");
        } else if (option == 's') {
            seed = number(optarg, SEED_MAX, "--seed takes a number");
        } else if (option == 'a') {
            arguments_compute(number(optarg, ARGUMENTS_AFTER_MAX,
                                     "--after takes cycles"));
        } else {
            refuse("its options are --stagger CYCLES, --seed NUMBER and "
                   "--after CYCLES; its one argument is a number of barriers",
                   COUNT_MAX);
        }
    }
    if (argc - optind > 1) {
        refuse(one, COUNT_MAX);
    }
    if (optind < argc) {
        count = number(argv[optind], COUNT_MAX, one);
    }
}

int main(int argc, char **argv)
{
    struct udm_measured measured;
    uint64_t cycles, ahead;
    uint32_t delay;

    read_arguments(argc, argv);
    delay = first_delay();
    udm_measure_begin();        /* all begin together, with warm caches */
    cycles = barriers(count, delay);
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
