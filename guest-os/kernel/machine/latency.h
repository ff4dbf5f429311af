/*
 * Insertions that take longer than they need, for experiments on what the cost
 * of the buffered path matters (paper, section 5.2, figure 10).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_LATENCY_H
#define GLAZE_LATENCY_H

#include <stdint.h>

/*
 * Cycles that each insertion into a buffer takes more. The smallest number but
 * 0 that can be had is LATENCY_LEAST, and others are rounded down to that and
 * whole turns of LATENCY_TURN. With 0, no insertion has a test for it.
 */
extern uint32_t buffer_latency;

#define LATENCY_MAX     1000000
#define LATENCY_LEAST   11      /* of insert_late (insert.S), without a turn */
#define LATENCY_TURN    2       /* of its loop */

/* Sets latency_turns, for insert.S. Call this once, after the parameters have
 * been read. */
void latency_init(void);

/* Waits as long, for insertions in C. */
void latency_wait(void);

#endif /* GLAZE_LATENCY_H */
