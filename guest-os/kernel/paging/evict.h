/*
 * Frames when there are none: pages go to backing store, or a job ends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_EVICT_H
#define GLAZE_EVICT_H

#include <stdbool.h>
#include <stdint.h>

#include "process.h"

/*
 * Starts to put a page out: of any process, or of one process's buffer.
 * Backing store must be idle. False: no page can go.
 */
bool evict_start(void);
bool evict_start_of(struct process *p);

/*
 * When that fails: a page that its process should keep for now (below), of a
 * process behind p in the order of GIDs; or one of p itself, but for the last
 * FRESH_LEAST. evict_must_wait() says whether a process before p has such
 * pages. p then waits until that one has got on with them.
 * So of all processes that need pages the first one always gets on.
 */
bool evict_start_after(const struct process *p);
bool evict_start_own(struct process *p);
bool evict_must_wait(const struct process *p);

/*
 * A page of p has come, or been touched for the first time. The last FRESH of
 * them stay in memory until p leaves the processor for another reason than the
 * want of a page: so it gets together what its next instruction needs.
 */
void evict_spares(struct process *p, uint32_t page);

/*
 * Ends the job that has to make room for p, when no page can go out: another
 * job, or p's own. False: it would be p's own, which goes on.
 */
bool evict_other_job(struct process *p);
void evict_job(struct process *p);

/*
 * Makes at least one frame free, for a message that waits in the network for
 * p's buffer: waits for backing store, and if no page can go out ends a job.
 * Caller must be the scheduler: jobs end here, and the current process may
 * become the idle one.
 */
void evict_make_room(struct process *p);

#endif /* GLAZE_EVICT_H */
