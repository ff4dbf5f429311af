/*
 * What a task requests, and the replies that come back to it.
 *
 * Each command takes a slot of its task until the kernel knows that it is done
 * or refused. A command is *silent* if the target's kernel replies only on
 * failure. A reply to a later command of the same task to the same target frees
 * the slots of silent ones before it: commands of one task to another are done
 * in order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_REQUESTS_H
#define GLAZE_REQUESTS_H

#include "mbcf/task.h"

/*
 * MBCF_REQUEST of the current process. Returns 0 or an error (mbcf.h), or
 * IO_AGAIN.
 */
int32_t requests_make(uint32_t list, uint32_t count);

/*
 * Takes a reply off the network. Returns false, with the reply still there, if
 * its body needs a frame and none is free.
 */
bool requests_reply(struct packet *reply);

/* A chore: stores replies that have waited for a page of p. */
void requests_step(struct process *p);

#endif /* GLAZE_REQUESTS_H */
