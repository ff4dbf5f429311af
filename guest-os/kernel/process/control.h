/*
 * Process control: how processes begin, take the processor, and end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_CONTROL_H
#define GLAZE_CONTROL_H

#include <stdbool.h>

#include "process/process.h"

/*
 * Makes the process of a job, ready to run its program's first instruction.
 * `words` are the job's name and arguments. Returns NULL, or a text that says
 * why the process cannot be made.
 */
const char *process_create(unsigned gid, const char *words, unsigned length);

/*
 * Makes the idle process, which becomes current. Returns false if no frames
 * are free for it.
 */
bool process_create_idle(void);

/*
 * Makes a process current: switches address space, FPU and network interface.
 * Either process may be the idle one.
 */
void process_switch(struct process *p);

/*
 * Returns whether process_switch() has been called since the last call of this
 * function.
 */
bool process_switched(void);

/*
 * Ends all processes that process_doom() has marked and gives back what they
 * have. If the current process is among them, the idle process becomes
 * current. Caller must be the scheduler or the code that makes room, with
 * nothing else under way.
 */
void process_reap(void);

#endif /* GLAZE_CONTROL_H */
