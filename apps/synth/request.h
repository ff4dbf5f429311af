/*
 * Requests, their replies, and how long a request takes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef REQUEST_H
#define REQUEST_H

#include <stdbool.h>
#include <stdint.h>

/* Counts of this node; request_reset() sets them to 0. */
extern volatile uint32_t request_handled;       /* requests of other nodes */
extern volatile uint32_t request_replies;       /* to its own requests */

void request_reset(void);

/* Sends a request to a node. */
void request_send(uint32_t node);

/*
 * Waits until this node has had `count` replies. If `yield` is set, the process
 * gives its slot away meanwhile.
 */
void request_wait(uint32_t count, bool yield);

/*
 * Makes each request cost its receiver `hand` cycles, from the interrupt to the
 * interrupted instruction, with warm caches. All nodes call it together.
 * Returns the cycles that a request takes at least: if that is more than
 * `hand`, requests take so long.
 */
uint32_t request_calibrate(uint32_t hand);

/*
 * Reads the clock in a loop until *handled is `until`, and returns the least
 * cycles that a handler which counts there has added between two readings;
 * UINT32_MAX if none came between two of them.
 */
uint32_t request_watch(const volatile uint32_t *handled, uint32_t until);

/* Returns the cycles between two readings of the clock. */
uint32_t request_clock(void);

/* Computes for about `cycles` cycles, interruptions not counted. */
void request_compute(uint32_t cycles);

#endif
