/*
 * Backing store, as this node uses it: pages of processes go to slots of a
 * server (server.h) and come back.
 *
 * One page is on its way at a time. From the start of its way out until it has
 * come back its entry says that it is out, so that no process changes a page
 * in mid-transfer. The frame and the slot of a transfer belong to this file. A
 * page that is unmapped meanwhile, or whose process ends, is forgotten when
 * the transfer is over; no caller waits for that.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_BACKING_H
#define GLAZE_BACKING_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

/*
 * came: a page is in memory that was out. p->lost is set instead if the disk
 * cannot read it. Called from backing_step() and backing_wait().
 */
void backing_init(void (*came)(struct process *p, uint32_t page));

/*
 * Returns whether pages can go out: there is a server, it has a free slot for
 * this node, and its disk has not failed. The first call looks for the server,
 * and waits for the second network.
 */
bool backing_usable(void);

/* Why pages cannot go out, for the end of a line; "" if they can. */
const char *backing_trouble(void);

/* No page is on its way. */
bool backing_idle(void);

/*
 * Sends a page out. Caller must have seen that backing store is usable and
 * idle.
 */
void backing_out(struct process *p, uint32_t page);

/*
 * Fetches a page that is out into a frame. Caller must have seen that backing
 * store is idle.
 */
void backing_in(struct process *p, uint32_t page, uint32_t frame);

/*
 * Waits until no page is on its way, and serves the second network meanwhile.
 * For a kernel that can do nothing else: the first network stands still.
 */
void backing_wait(void);

/* A message of the second network from the server: notes it. */
void backing_message(uint32_t operation, const uint32_t *words);

/* A chore: does what such messages have asked for. */
void backing_step(void);

struct backing_count {
    uint32_t outs;              /* pages that have gone out, and come back */
    uint32_t ins;
};
extern struct backing_count backing_count;

#endif /* GLAZE_BACKING_H */
