/*
 * Processes that wait for an upcall.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_WAIT_H
#define GLAZE_WAIT_H

#include <stdbool.h>

/*
 * Makes the current process wait, unless something is there already for which
 * it would get an upcall or for which it may look: a message, wherever it is; a
 * page that has come; an alarm that is due; an invocation of MBCF. All calls
 * that wait do so here. What comes later wakes the process (process_wake()).
 *
 * A process whose suspended sections keep messages back, and that waits for
 * pages, can take nothing but pages: it waits for them alone.
 *
 * Returns whether the process waits.
 */
bool wait_for_upcall(void);

#endif /* GLAZE_WAIT_H */
