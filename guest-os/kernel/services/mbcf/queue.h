/*
 * A task's queue for first messages (the paper's TASKQUE): a task that has no
 * key yet can write there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_QUEUE_H
#define GLAZE_QUEUE_H

#include "services/mbcf/task.h"

/*
 * Makes the queue of a process, which is a task. Returns false if no frame is free
 * for it: the process has to wait for one (memory_wait_for_frame()).
 */
bool queue_make(struct process *p);

/*
 * Check and do MBCF_WRITE_QUEUE, as execute_check() and execute() do. Messages
 * need no key, so each other job has its share of the places: all of them
 * divided by the jobs that have not ended. The task's own job may have any that
 * are free.
 */
uint32_t queue_check(const struct process *p, const struct packet *c);

/*
 * Returns whether a message that will be put there may wake the task: it comes
 * with a key, from the task's own job, or is the only one of its job. So a job
 * without a key wakes the task once until the task has read its messages.
 */
bool queue_may_wake(const struct process *p, const struct packet *c);

void queue_put(struct process *p, const struct packet *c);

/*
 * MBCF_READ_QUEUE of the current process: moves the oldest message to its
 * memory. Returns 0 or -EAGAIN: there is none, -EPERM: no queue, or the results
 * of io_error().
 */
int32_t queue_take(uint32_t to);

#endif /* GLAZE_QUEUE_H */
