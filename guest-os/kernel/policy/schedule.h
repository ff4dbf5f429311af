/*
 * The scheduler: which process of the node runs.
 *
 * turns.h says whose turn it is. While that process waits, or after it has
 * ended, the next process that can run has the processor, until the owner of
 * the slot can run again. The scheduler's server runs as soon as it can
 * (docs/scheduler.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SCHEDULE_H
#define GLAZE_SCHEDULE_H

#include <stdbool.h>

/* Returns whether the time of the current process is over. */
bool schedule_slot_is_over(void);

/* The cycle timer has interrupted: decides again which process runs. */
void schedule_slot_ended(void);

/*
 * Gives the rest of the current process's slot to the next process. The server
 * gives back the rest of its time.
 */
void schedule_yield(void);

/* Chooses the process that is to run, and resumes it in user mode. */
void schedule_resume(void) __attribute__((noreturn));

#endif /* GLAZE_SCHEDULE_H */
