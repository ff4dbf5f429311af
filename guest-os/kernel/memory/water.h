/*
 * The water marks of overflow control: which buffers are too large for the
 * frames that are free.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_WATER_H
#define GLAZE_WATER_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/process.h"

/*
 * Percent of the node's frames that are free: when a job is suspended, and
 * when it goes on.
 */
extern uint32_t water_low;
extern uint32_t water_high;

/* Call this once, after the parameters have been read. */
void water_init(void);

/* The low-water mark in frames: overflow control wants this many free. */
extern uint32_t water_low_frames;

/*
 * Frames that only messages may take while pages can go out and no message waits for a
 * frame. A message that waits holds up all messages behind it. So these last until
 * overflow control has stopped those who send.
 */
extern uint32_t water_reserve;

/* Returns whether more frames are free than the high-water mark asks for. */
bool water_is_high(void);

/*
 * Checks the marks after p has taken another page for its buffer. p is marked
 * (p->overflows), and a chore noted, if fewer frames are free than the low-water
 * mark asks for, and p has more than half of those in use, buffer or not; or if
 * half of the reserve has been used up. p's buffer must have several pages:
 * otherwise too few could go out to be of use.
 */
void water_check(struct process *p);

#endif /* GLAZE_WATER_H */
