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

#include "process.h"

extern struct process *idle;

/* Cycles of a slot (paper, section 5: 500,000), at least SLOT_LEAST. */
extern uint32_t timeslice;

/*
 * A process that gets the processor keeps it for about so long, if it wants
 * it, whatever is left of the slot; and whatever an access to memory costs,
 * for an instruction (entry.S).
 */
#define SLOT_LEAST      1000

/* The end of the slot that it is; never, while a process is alone. */
extern uint64_t slot_end;
#define SLOT_NEVER      UINT64_MAX

/* The cycle timer has reached the end of a slot. */
void schedule_slot_ended(void);

/* All nodes' processes of the job have ended: it has no slots any more. */
void schedule_job_gone(unsigned gid);

/* The current process gives the rest of its slot away. */
void schedule_yield(void);

/* Processes of this node that have not ended. */
unsigned schedule_alive(void);

/* Overflow control's advice: the job's processes should run together. */
void schedule_advise_gang(unsigned gid);

/* Goes on with whoever is to run, in user mode. */
void schedule_resume(void) __attribute__((noreturn));

#endif /* GLAZE_SCHEDULE_H */
