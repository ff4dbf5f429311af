/*
 * Backing store, as this node uses it: pages of processes go to slots of a
 * server (server.h) and come back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_BACKING_H
#define GLAZE_BACKING_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

/*
 * Whether pages can be put out: there is a server, which is looked for when
 * this is first asked, it has a free slot for this node, and it has not
 * failed. Waits for the second network.
 */
bool backing_usable(void);

/* If not, why not, for the end of a line; else an empty string. */
const char *backing_trouble(void);

/* No page is on its way. */
bool backing_idle(void);

/* Sends a page out; usable and idle. It is there until it has arrived. */
void backing_out(struct process *p, uint32_t page);

/* Waits until no page is on its way. The second network is served. */
void backing_wait(void);

/*
 * The process needs a page that is out: it waits for it, and others run. It
 * goes on with the instruction that needed it.
 */
void backing_fetch(struct process *p, uint32_t page);

/* The same at once, for a copy by the kernel. False: it is not to be had. */
bool backing_fetch_now(struct process *p, uint32_t page);

/* The page or the process goes: nothing of it is on its way afterwards. */
void backing_leave_page(struct process *p, uint32_t page);
void backing_leave(struct process *p);

/* A slot is not needed any more. */
void backing_slot_free(uint32_t slot);

/* A message of the second network from the server: notes it. */
void backing_message(uint32_t operation, const uint32_t *words);

/* A chore: pages that are waited for, and some that will be. */
void backing_step(void);

struct backing_count {
    uint32_t slots;
    uint32_t slots_free;
    uint32_t outs;              /* pages that have gone out, and come back */
    uint32_t ins;
};
extern struct backing_count backing_count;

#endif /* GLAZE_BACKING_H */
