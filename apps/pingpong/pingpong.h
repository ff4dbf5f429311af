/*
 * What pingpong.c and score.c share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PINGPONG_H
#define PINGPONG_H

#include "udm.h"

enum way { INTERRUPT, POLLING, BUFFER, WAYS, NO_WAY = WAYS };

/* A statistic of cycles, over many messages. */
struct samples {
    uint32_t count, min, max, sum;
};

/* The result of one pair, or of all pairs together. */
struct score {
    struct samples one_way, round_trip;
    uint32_t buffered;          /* messages taken out of a buffer */
};

#define NO_SAMPLES { .min = UINT32_MAX }
#define NO_SCORE { .one_way = NO_SAMPLES, .round_trip = NO_SAMPLES }

/* Adds one value, in cycles. */
void sample(struct samples *samples, uint32_t value);

/*
 * Sends a pair's score to `node` (node 0), which adds the score to the sum for
 * that way, and then calls next_pair().
 */
void score_send(uint32_t node, enum way way, const struct score *score);
void next_pair(void);

/* Prints the table. For node 0. */
void print_scores(uint32_t rounds);

/*
 * Reads the number of rounds from the arguments. Returns false if they are
 * wrong, and then prints the reason on node 0.
 */
bool arguments(int argc, char **argv, uint32_t *rounds);

#endif
