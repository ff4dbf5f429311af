/*
 * Multicasts: MBCF_UPDATE and MBCF_INVALIDATE along the tree that the tasks'
 * patterns form (MBCF paper, section 4.1.4).
 *
 * A task whose page has copies does the command, and passes it on to the tasks
 * of the copies, as a command of its own: with the keys of its own table. It
 * answers when all of them have. So a requester gets one reply, and each kernel
 * on the way sends and gets as many packets as the page has copies. This is the
 * paper's acknowledge combining.
 *
 * A multicast under way takes one of MBCF_CASTS places of its task. A command
 * that finds none is refused, and waits for nothing: waiting for places could
 * go round in a circle. Places whose commands the network has no space for are
 * the queue that a chore empties, in the order in which the commands were done.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_CASTS_H
#define GLAZE_CASTS_H

#include "services/mbcf/task.h"

/* Checks a multicast, as execute_check() does. */
uint32_t casts_check(struct process *p, const struct packet *c);

/* Returns whether a multicast that has been checked goes on to copies. */
bool casts_goes_on(const struct process *p, const struct packet *c);

/*
 * Does a multicast that has been checked in the memory of p. If the page has
 * copies, passes it on: the reply comes later, the frame of a body (c->body)
 * passes to the multicast, and the function returns false.
 */
bool casts_do(struct process *p, struct packet *c);

/* Takes the reply of a copy's task, which is at the head of the network. */
void casts_reply(struct process *p, const struct packet *reply);

/*
 * Passes on what the network had no space for, or the kernel no time, and sends
 * replies that had no room. Returns whether something of p still waits for that. Leaves
 * `others` cycles of the entry's time (pending.h) for work that comes after. Caller
 * must have seen that p has a frame for casts.
 */
bool casts_step(struct process *p, uint32_t others);

/* The same for a task that may have no such frame: then nothing waits. */
static inline bool casts_continue(struct process *p, uint32_t others)
{
    return p->mbcf->casts && casts_step(p, others);
}

/*
 * Answers all multicasts of a task that has ended, whose casts are in a frame,
 * and frees the frame.
 */
void casts_close(uint32_t casts);

#endif /* GLAZE_CASTS_H */
