/*
 * The scheduler: a simple round-robin of a node's processes.
 *
 * Slots take `timeslice` cycles, by the clock that all nodes share. Slot k
 * belongs to the process of the k-th job that has not ended on all nodes. So
 * without skew the processes of a job run together. While that process waits,
 * or after it has ended, the next process that can run has the processor,
 * until the owner of the slot can run again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SCHEDULE_H
#define GLAZE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "process/process.h"

/* Cycles of a slot (paper, section 5: 500,000); at least SLOT_LEAST. */
extern uint32_t timeslice;

/*
 * A process that gets the processor may keep it for about this many cycles,
 * however short the rest of the slot is. The process executes at least one
 * instruction, whatever an access to memory costs (resume.S).
 */
#define SLOT_LEAST      1000

/* Returns whether the current slot is over. */
bool schedule_slot_is_over(void);

/* Ends the slot: the cycle timer has interrupted. */
void schedule_slot_ended(void);

/* Gives the rest of the current process's slot to the next process. */
void schedule_yield(void);

/* Returns how many processes of this node have not ended. */
unsigned schedule_alive(void);

/* Chooses the process that is to run, and resumes it in user mode. */
void schedule_resume(void) __attribute__((noreturn));

#endif /* GLAZE_SCHEDULE_H */
