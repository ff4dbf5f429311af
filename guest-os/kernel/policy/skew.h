/*
 * Skew: clocks of the nodes that differ on purpose, so that the nodes do not
 * agree on slots (paper, section 5.1).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SKEW_H
#define GLAZE_SKEW_H

#include <stdint.h>

#define SKEW_MAX        100

/* The largest difference between two nodes, in percent of the timeslice. */
extern uint32_t skew_percent;

/*
 * Sets this node's cycle-offset. The offsets of N nodes are N values, evenly
 * spread from 0 to skew_percent of the timeslice, in an order that `seed`
 * decides. Call this once, after the parameters have been read and before the
 * clock is, and before processes are created.
 */
void skew_init(void);

#endif /* GLAZE_SKEW_H */
