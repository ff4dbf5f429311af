/*
 * Frames when there are none: pages go to backing store, or a job ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_EVICT_H
#define GLAZE_EVICT_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

/*
 * A frame full of zeros for a process. If there is none, pages go out, and
 * this waits for that; if none can, the job that holds most ends. 0 if that
 * is the process's own, or the current one, whose frames come when it is
 * reaped.
 */
uint32_t frame_for(struct process *p);

/* Puts a page out, or starts to; backing store is idle. False: none can go. */
bool evict_start(void);

/* The same, of one process's buffer. */
bool evict_start_of(struct process *p);

/* Ends the job that is to make room for p; false if that would be p's. */
bool evict_job(struct process *p);

#endif /* GLAZE_EVICT_H */
