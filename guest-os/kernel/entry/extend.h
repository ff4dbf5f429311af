/*
 * Pages for insertions in assembly.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_EXTEND_H
#define GLAZE_EXTEND_H

#include "machine/process.h"

/*
 * Gives p's buffer, which is empty or whose newest page is full, the page for
 * its next record. Begins the buffer if it is empty, and puts p into buffered
 * mode if p is not current. Returns the current process's %g6, which was `base`;
 * 0 if C has to do the insertion: because of the state of p, or because a page
 * takes more than a clean frame of the right colour.
 *
 * Caller must insert a record right afterwards.
 */
uint32_t extend(struct process *p, uint32_t base);

#endif /* GLAZE_EXTEND_H */
