/*
 * The pager: brings the pages that processes wait for (docs/paging.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PAGER_H
#define GLAZE_PAGER_H

#include "machine/process.h"

/* Call this once, at the start. */
void pager_init(void);

/*
 * For a current process that waits for a page: frees the network, so that messages
 * need not wait for the page (paper, section 4.3). Brings the page at once if
 * it needs only a free frame, and it may. Caller must be the scheduler.
 */
void pager_fault(bool may);

/*
 * Gets a frame for a process that is being made (process_make()). p->granted has it,
 * or p->refused says that it gets none, when CHORE_JOBS is noted. Returns false if
 * another process is being served in this way.
 */
bool pager_make(struct process *p);

/*
 * A chore: goes on with what processes wait for, and reads ahead. A job may
 * end.
 */
void pager_step(void);

/* CHORE_PAGER_ON: looks at processes for which pager_step() has had no time, and those
 * for which a search for a page that can go has not ended. */
void pager_goes_on(void);

/*
 * Tells the pager that a message has had the frame that it waited for: the next frame
 * is for a process, if one waits.
 */
void pager_message_came(void);

#endif /* GLAZE_PAGER_H */
