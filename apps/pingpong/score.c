/*
 * Statistics of pingpong: samples, sums on node 0, and the table at the end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "pingpong.h"

#define ROUNDS          10      /* default */
#define ROUNDS_MAX      100000  /* so that the sums of a pair fit in 32 bits */

static struct {
    const char *name;
    struct score score;
    uint64_t one_way_sum, round_trip_sum;
    const char *paper;
} ways[WAYS] = {
    [INTERRUPT] = { "interrupt", NO_SCORE, 0, 0, "87" },
    [POLLING] = { "polling", NO_SCORE, 0, 0, "9" },
    [BUFFER] = { "buffer", NO_SCORE, 0, 0, "180 + 52" },
};

void sample(struct samples *samples, uint32_t value)
{
    samples->count++;
    samples->sum += value;
    samples->min = value < samples->min ? value : samples->min;
    samples->max = value > samples->max ? value : samples->max;
}

/* Handler of the message that score_send() sends. */
static void add_score(void);

void score_send(uint32_t node, enum way way, const struct score *score)
{
    udm_inject(node, add_score, way, score->buffered,
               score->one_way.count, score->one_way.min, score->one_way.max,
               score->one_way.sum,
               score->round_trip.count, score->round_trip.min,
               score->round_trip.max, score->round_trip.sum);
}

/*
 * Adds the count, min and max of a message's arguments k to k + 2 to *samples.
 * Returns argument k + 3, the sum, which the caller adds in 64 bits.
 */
static uint32_t add_samples(struct samples *samples, unsigned k)
{
    uint32_t min = udm_arg(k + 1), max = udm_arg(k + 2);

    samples->count += udm_arg(k);
    samples->min = min < samples->min ? min : samples->min;
    samples->max = max > samples->max ? max : samples->max;
    return udm_arg(k + 3);
}

static void add_score(void)
{
    enum way way = udm_arg(0);
    struct score *score = &ways[way].score;

    score->buffered += udm_arg(1);
    ways[way].one_way_sum += add_samples(&score->one_way, 2);
    ways[way].round_trip_sum += add_samples(&score->round_trip, 6);
    udm_dispose();
    next_pair();
}

static void print_samples(const struct samples *samples, uint64_t sum)
{
    printf("  %6lu %6lu %6lu", (unsigned long)samples->min,
           (unsigned long)((sum + samples->count / 2) / samples->count),
           (unsigned long)samples->max);
}

void print_scores(uint32_t rounds)
{
    uint32_t nodes = udm_nodes();

    printf("pingpong: %lu rounds between each of %lu pairs of %lu nodes, "
           "cycles\n", (unsigned long)rounds,
           (unsigned long)(nodes * (nodes - 1) / 2), (unsigned long)nodes);
    printf("                     out of               one way"
           "            round trip     paper's\n");
    printf("receive by messages  buffer     min   mean    max"
           "     min   mean    max  receive\n");
    for (enum way way = 0; way < WAYS; way++) {
        const struct score *score = &ways[way].score;

        printf("%-10s %8lu %7lu", ways[way].name,
               (unsigned long)score->one_way.count,
               (unsigned long)score->buffered);
        print_samples(&score->one_way, ways[way].one_way_sum);
        print_samples(&score->round_trip, ways[way].round_trip_sum);
        printf("  %s\n", ways[way].paper);
    }
}

static bool complain(const char *text)
{
    if (udm_node() == 0) {
        fprintf(stderr, "pingpong: %s\n", text);
    }
    return false;
}

bool arguments(int argc, char **argv, uint32_t *rounds)
{
    char *end;

    *rounds = ROUNDS;
    if (argc > 1) {
        *rounds = strtoul(argv[1], &end, 10);
        if (argc > 2 || *end || *rounds < 1 || *rounds > ROUNDS_MAX) {
            return complain("its one argument is a number of rounds, "
                            "1 to 100000");
        }
    }
    if (udm_nodes() < 2) {
        return complain("it takes two: ./run.sh -n 2 pingpong");
    }
    return true;
}
