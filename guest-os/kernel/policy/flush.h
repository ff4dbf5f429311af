/*
 * Flush: finds out when no message of a job that has gone is left in the first
 * network. Then the job's GID can be used again.
 *
 * A job has gone when its processes have ended on all nodes. Messages that they
 * have sent may still be on their way. Node 0 begins a flush. Each node then
 * sends a marker to each node by the first network, which keeps the messages
 * between two nodes in order. With the M-Machine's interface it sends one at each
 * priority. A node that has got the markers of all nodes has
 * taken all messages that were sent before. So a flush serves all jobs that
 * have gone before it begins.
 *
 * A kernel does not wait for the first network, so a node may need several
 * attempts to send its markers. Node 0 asks all nodes (FLUSH) until each answers
 * (FLUSHED) that it has sent and got all markers. Markers get through: each
 * kernel takes the messages for other processes than the current one at once,
 * and the atomicity timer bounds how long the current process leaves a message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_FLUSH_H
#define GLAZE_FLUSH_H

#include <stdbool.h>
#include <stdint.h>

/* Begins a flush. For node 0, when none is under way. */
void flush_begin(void);

/* Returns whether a flush is under way. For node 0. */
bool flush_is_under_way(void);

/* Notes a message of another kernel: FLUSH or FLUSHED. */
void flush_message(uint32_t operation, const uint32_t *words);

/*
 * A chore: acts on such messages. Returns true, on node 0, if the flush that
 * was under way is complete.
 */
bool flush_step(void);

#endif /* GLAZE_FLUSH_H */
