/*
 * What the parts of pingpong share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PINGPONG_H
#define PINGPONG_H

#include "udm.h"

enum way { INTERRUPT, POLLING, BUFFER, WAYS, NO_WAY = WAYS };

/* Cycles, of many messages. */
struct samples {
    uint32_t count, min, max, sum;
};

/* What came of a pair's play, or of all. */
struct score {
    struct samples one_way, round_trip;
    uint32_t buffered;          /* messages that came out of a buffer */
};

#define NO_SAMPLES { .min = UINT32_MAX }
#define NO_SCORE { .one_way = NO_SAMPLES, .round_trip = NO_SAMPLES }

void sample(struct samples *samples, uint32_t value);

/* To node 0, which adds it up and then calls next_pair(). */
void score_send(uint32_t node, enum way way, const struct score *score);
void next_pair(void);

/* On node 0: the table. */
void print_scores(uint32_t rounds);

/* False, and a message on node 0, if they make no sense. */
bool arguments(int argc, char **argv, uint32_t *rounds);

#endif
