/*
 * Who runs: a simple round-robin of a node's processes.
 *
 * Slots of timeslice cycles, by the clock that all nodes share. In slot k the
 * process of the k-th job has its turn, of those jobs that have not ended on
 * all nodes; so without skew the processes of a job run together. While that
 * process waits or after it has ended, the next one that can run does, until
 * the slot's own can again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SCHEDULE_H
#define GLAZE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

/* Cycles of a slot (paper, section 5: 500,000), at least SLOT_LEAST. */
extern uint32_t timeslice;

/*
 * A process that gets the processor keeps it for about so long, if it wants
 * it, whatever is left of the slot; and whatever an access to memory costs,
 * for an instruction (entry.S).
 */
#define SLOT_LEAST      1000

/* Returns whether the current slot is over. */
bool schedule_slot_is_over(void);

/* The cycle timer has reached the end of the slot. */
void schedule_slot_ended(void);

/* The current process gives the rest of its slot away. */
void schedule_yield(void);

/* Processes of this node that have not ended. */
unsigned schedule_alive(void);

/* Goes on with whoever is to run, in user mode. */
void schedule_resume(void) __attribute__((noreturn));

#endif /* GLAZE_SCHEDULE_H */
