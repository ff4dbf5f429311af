/*
 * Who runs: a simple round-robin of a node's processes.
 *
 * Slots of timeslice cycles, by the clock that all nodes share; in slot k the
 * k-th process that can run has its turn, so that without skew the processes
 * of a job run together on all nodes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SCHEDULE_H
#define GLAZE_SCHEDULE_H

#include "process.h"

extern struct process *idle;

/* Cycles of a slot (paper, section 5: 500,000). */
extern uint32_t timeslice;

/* The end of the slot that it is; never, while a process is alone. */
extern uint64_t slot_end;
#define SLOT_NEVER      UINT64_MAX

/* The cycle timer has reached the end of a slot. */
void schedule_slot_ended(void);

/* The current process gives the rest of its slot away. */
void schedule_yield(void);

/* Processes of this node that have not ended. */
unsigned schedule_alive(void);

/* Overflow control's advice: the job's processes should run together. */
void schedule_advise_gang(unsigned gid);

/* Goes on with whoever is to run, in user mode. */
void schedule_resume(void) __attribute__((noreturn));

#endif /* GLAZE_SCHEDULE_H */
