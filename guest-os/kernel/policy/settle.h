/*
 * Settling: the work that must not happen in the middle of other work, so that
 * system calls, traps and chores leave it to the scheduler.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SETTLE_H
#define GLAZE_SETTLE_H

#include <stdbool.h>

#include "delivery/delivery.h"
#include "machine/chores.h"
#include "machine/process.h"

/* Chores come before a page that is to be filled: what chores_begin() has returned.
 * The scheduler sets this, and settle_work() clears it. */
extern bool settle_chores_first;

/* Returns whether settle_work() has work, which is rare. */
static inline bool settle_is_due(void)
{
    return !process_can_run(current) || chores_wait || process_doomed ||
           delivery_starved() || processes_changed || process_noted;
}

/*
 * Ends processes that are marked, does the chores, moves a message that has waited
 * for a frame, and takes the network interface from a process that waits for a
 * page. Afterwards the current process has not ended.
 */
void settle_work(void);

/* Moves the head message, unless that waits for a frame and none is free. */
void settle_take_head(void);

#endif /* GLAZE_SETTLE_H */
