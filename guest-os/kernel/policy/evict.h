/*
 * Makes frames free: pages go to backing store, or a job ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_EVICT_H
#define GLAZE_EVICT_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/chores.h"
#include "machine/process.h"

/*
 * Start to send a page out: of any process, or of one process's buffer. Return
 * false if no page can go. Caller must have seen that backing store is idle.
 */
bool evict_start(void);
bool evict_start_of(struct process *p);

/*
 * Processes none of whose pages can go are not asked again in the same round. A round
 * begins when something has happened that may let pages go (CHORE_PAGER), and may take
 * several entries into the kernel. Call evict_look_again() in each of them, and when a
 * process has left the processor: evict_start() does not search twice in between.
 */
void evict_round_begins(void);
void evict_look_again(void);

/*
 * These functions and those below return true as well when they have done a part of
 * a search for a page. evict_pauses() returns whether the next part has to wait, and
 * notes the chore for then. Caller must have asked, before it calls any of them.
 */
bool evict_pauses(enum chore chore);

/*
 * Start to send a page out when evict_start() has failed. evict_start_spared()
 * takes a page that its process should keep for now (below), if p comes first of
 * the processes that need memory: each does in turn. For the idle process it takes
 * any page. evict_start_own() takes a page of p, but not one of the last
 * FRESH_LEAST. evict_must_wait() returns whether p does not come first and others
 * have pages: p then waits until these have made progress with them. evict_first()
 * returns the GID of the one that comes first. It needs memory, since
 * evict_start_spared() has looked.
 */
bool evict_start_spared(const struct process *p);
bool evict_start_own(struct process *p);
bool evict_must_wait(const struct process *p);
unsigned evict_first(void);

/*
 * Notes that a page of p has come, or has been touched for the first time. The
 * last FRESH of these pages stay in memory until p leaves the processor for a
 * reason other than a missing page, or its slot ends. So p gets all pages
 * together that its next instruction needs.
 */
void evict_spares(struct process *p, uint32_t page);

/*
 * End the job that has to make room for p when no page can go out. If that is
 * p's job, evict_job() ends it; evict_other_job() does not, and returns false.
 */
bool evict_other_job(struct process *p);
void evict_job(struct process *p);

/*
 * Ends the job of the process that holds most, if that is more than its share once
 * another job has begun. Returns false if none holds so much.
 */
bool evict_for_new_job(void);

#endif /* GLAZE_EVICT_H */
