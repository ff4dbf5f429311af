/*
 * Chores: what the kernel does when it has time to, because a message of the
 * second network or the disk has asked for it.
 *
 * Processes that chores mark to end are reaped before the next ones begin.
 *
 * Taking a message off the second network sends nothing, waits for nothing
 * and ends nobody: it leaves a note, and a chore for later. So whoever waits
 * inside the kernel, for space or for a page, can take messages without
 * anything happening behind its back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_CHORES_H
#define GLAZE_CHORES_H

enum chore {
    CHORE_SERVER = 1,           /* the server of backing store */
    CHORE_BACKING = 2,          /* what the server has said */
    CHORE_PAGER = 4,            /* pages that are waited for */
    CHORE_OVERFLOW = 8,         /* overflow control */
    CHORE_JOBS = 16,            /* ends of jobs */
};

/* The chores that may have something to do: an or of the above. */
extern unsigned chores_wait;

/* Does it, in the kernel's outermost loop alone. */
void chores_do(void);

#endif /* GLAZE_CHORES_H */
