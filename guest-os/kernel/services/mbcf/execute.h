/*
 * Commands in the memory of their target.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_EXECUTE_H
#define GLAZE_EXECUTE_H

#include "services/mbcf/task.h"

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
 * Returns the address in p at which the bytes of a command that has been checked, or an
 * entry with them, begin, if any.
 */
uint32_t execute_target(struct process *p, const struct packet *c);

/*
 * Stores the next `bytes` bytes of the body of a command that has been checked, which
 * nothing but the memory shows. execute() stores those from c->body_done on. Returns
 * false if the command stores no body.
 */
bool execute_part(struct process *p, struct packet *c, uint32_t bytes);

/*
 * Returns whether the body of a command that has been checked has to be in a
 * frame, which execute() keeps.
 */
bool execute_keeps_body(const struct process *p, const struct packet *c);

/*
 * Does a command that has been checked. Fills in what the reply says of it. Of a READ
 * that has a frame at c->body, c->body_done bytes are there already.
 * Returns false if the caller must not send the reply: execute() has sent it,
 * because it has a body, or it comes when copies have replied. If execute()
 * keeps the frame of the body, c->body becomes 0.
 */
bool execute(struct process *p, struct packet *c, struct packet *reply);

#endif /* GLAZE_EXECUTE_H */
