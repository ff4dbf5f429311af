/*
 * The pager: brings the pages that processes wait for (docs/paging.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PAGER_H
#define GLAZE_PAGER_H

/* Call this once, at the start. */
void pager_init(void);

/*
 * If the current process waits for a page, frees the network, so that messages
 * need not wait for the page (paper, section 4.3). Brings the page at once if
 * it needs only a free frame. Caller must be the scheduler.
 */
void pager_fault(void);

/*
 * A chore: goes on with what processes wait for, and reads ahead. A job may
 * end.
 */
void pager_step(void);

#endif /* GLAZE_PAGER_H */
