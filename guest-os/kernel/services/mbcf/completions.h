/*
 * Replies that come for the commands of tasks (requests.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_COMPLETIONS_H
#define GLAZE_COMPLETIONS_H

#include "services/mbcf/task.h"

/*
 * Takes a reply off the network. Returns false, with the reply still there, if
 * its body needs a frame and none is free.
 */
bool completions_reply(struct packet *reply);

/* A chore: stores replies that have waited for a page of p. Returns true if it has
 * stopped because the cycle stop_at has come, or after a part of a long reply. */
bool completions_step(struct process *p, uint64_t stop_at);

#endif /* GLAZE_COMPLETIONS_H */
