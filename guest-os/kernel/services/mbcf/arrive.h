/*
 * Packets of MBCF that arrive, and commands that wait.
 *
 * A command is done when its packet comes, whether or not its target runs. If
 * it needs a page that is not in memory, or its reply has to wait for the
 * network, it is set aside with its body. Later commands of the same task to
 * the same target then wait behind it; others pass.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_ARRIVE_H
#define GLAZE_ARRIVE_H

#include <stdbool.h>

#include "machine/process.h"

/* Returns whether the head message of the first network is a packet of MBCF. */
bool arrive_is_head(void);

/*
 * Takes that packet off the network and does what it says. Returns false, with
 * the packet still there, if that needs a frame and none is free.
 */
bool arrive(void);

/* Returns the GID of the task for which the packet at the head is. */
uint32_t arrive_gid(void);

/* A chore: goes on with what waits for a page or for the network. */
void arrive_step(void);

/* CHORE_MBCF_ON: looks at tasks for which arrive_step() has had no time. */
void arrive_goes_on(void);

/* Gives back what a process has as a task. Refuses the commands that wait. */
void arrive_close(struct process *p);

#endif /* GLAZE_ARRIVE_H */
