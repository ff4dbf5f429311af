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

#include "process/process.h"

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

/* Returns whether more frames are free than the high-water mark asks for. */
bool water_is_high(void);

/*
 * Checks the marks after p has taken another page for its buffer. If fewer
 * frames are free than the low-water mark asks for, and p's buffer has most of
 * those in use, the function marks p (p->overflows) and notes a chore.
 */
void water_check(struct process *p);

#endif /* GLAZE_WATER_H */
