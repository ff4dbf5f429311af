/*
 * The client of backing store: pages of processes go to slots of a server
 * (server.h) and come back.
 *
 * One page is on its way at a time. Its entry says that the page is out, from
 * the start of its way out until it has come back. So no process changes a
 * page during its transfer. The frame and the slot of a transfer belong to
 * backing.c. If the page is unmapped or its process ends in the meantime,
 * backing.c forgets the page when the transfer is over. No caller waits for
 * that.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_BACKING_H
#define GLAZE_BACKING_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/process.h"

/*
 * Registers a function to be called when a page that was out is in memory,
 * from backing_step(). If the disk cannot read the page,
 * p->lost is set instead. Call this once, at the start.
 */
void backing_init(void (*came)(struct process *p, uint32_t page));

/*
 * Returns whether pages can go out: there is a server, it has a free slot for
 * this node, and its disk has not failed. The first call begins to look for the
 * server. Until that is known, the function returns true, and backing store is not
 * idle. backing_is_known() returns whether it is known, and begins to look as well.
 */
bool backing_usable(void);
bool backing_is_known(void);

/* Returns why pages cannot go out, for the end of a line; "" if they can. */
const char *backing_trouble(void);

/*
 * Returns whether no page is on its way, and the server is not being looked for.
 * Whenever that becomes so, CHORE_PAGER and CHORE_OVERFLOW are noted.
 */
bool backing_idle(void);

/*
 * The GID of the process for which pages go and come from now on: it pays for the
 * kernel's work (debts_work_for()), here and on the server's node. GID_NONE: the
 * process of each page.
 */
extern unsigned backing_payer;

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

/* Notes a message from the server. */
void backing_message(uint32_t operation, const uint32_t *words);

/* A chore: acts on such messages. */
void backing_step(void);

struct backing_count {
    uint32_t outs;              /* pages that have gone out */
    uint32_t ins;               /* pages that have come back */
};
extern struct backing_count backing_count;

#endif /* GLAZE_BACKING_H */
