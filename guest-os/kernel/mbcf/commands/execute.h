/*
 * Commands in the memory of their target.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_EXECUTE_H
#define GLAZE_EXECUTE_H

#include "mbcf/task.h"

/* Beside the results of reach_check(): the reply has to wait for the network,
 * because it has a body. */
#define EXECUTE_LATER   0x101

/*
 * Checks that a command can be done in the memory of p, completely. Changes
 * nothing. Returns a status; MBCF_DONE: it can. With REACH_LATER or
 * a higher status, the command has to wait.
 */
uint32_t execute_check(struct process *p, const struct packet *c);

/*
 * Returns the physical address to which the body of a command that has been
 * checked can go at once; 0: execute() needs it elsewhere, at c->body.
 */
uint32_t execute_place(struct process *p, const struct packet *c);

/*
 * Does a command that has been checked. Fills in what the reply says of it. If
 * the reply has a body, execute() has sent the reply, and returns false.
 */
bool execute(struct process *p, const struct packet *c, struct packet *reply);

#endif /* GLAZE_EXECUTE_H */
