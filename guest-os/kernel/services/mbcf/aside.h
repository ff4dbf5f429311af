/*
 * Commands that have been set aside, and the chore that goes on with them.
 *
 * A command waits here with its body if it needs a page that is not in memory, if its
 * reply has to wait for the network, or if an entry into the kernel has had no time for
 * it. Later commands of the same task to the same target wait behind it; others pass.
 * The chore also goes on with multicasts, and with replies that wait for space in the
 * network.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_ASIDE_H
#define GLAZE_ASIDE_H

#include "services/mbcf/task.h"

/*
 * Lets a command wait, whose body is at c->body, because of its status:
 * OUTCOME_BEHIND, OUTCOME_NO_TIME, EXECUTE_LATER or REACH_LATER. There must be a place.
 */
void aside_add(struct mbcf_task *t, const struct packet *c, uint32_t status);

/*
 * Commands wait for the chore alone: so many tasks have to be looked at before others
 * come. arrive.c sets this.
 */
extern unsigned aside_hurry;

/*
 * Lets the chore begin, which then comes again until nothing waits. If its time
 * is set already, it comes then: not for each packet that comes meanwhile.
 */
void aside_try_later(void);

/* A chore: goes on with what waits for a page or for the network. */
void aside_step(void);

/* CHORE_MBCF_ON: looks at tasks for which aside_step() has had no time. */
void aside_goes_on(void);

/* Gives back what a process has as a task. Refuses the commands that wait. */
void aside_close(struct process *p);

#endif /* GLAZE_ASIDE_H */
