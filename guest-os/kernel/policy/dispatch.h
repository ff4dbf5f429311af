/*
 * Dispatch: passes each message of the second network to the file that knows
 * it, and calls the functions that do the chores.
 *
 * Taking a message sends nothing, waits for nothing and ends no process: it
 * notes what the message says, and a chore. So code that waits inside the
 * kernel, for space or for a page, can take messages without any other effect
 * on what it is doing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_DISPATCH_H
#define GLAZE_DISPATCH_H

#include <stdbool.h>

/* Registers the receivers of messages with message.c. Call this once, at the
 * start. */
void dispatch_init(void);

/*
 * Does the chores that are noted, until none is left or a chore has marked a
 * process to end: that one must be reaped first. Caller must be the scheduler.
 *
 * Chores that take too long are noted for later, so that interrupts are taken in
 * between. chores_begin() says that they have just been, and returns whether chores
 * come before other work now (chores_owed).
 */
bool chores_begin(void);
void chores_do(void);

#endif /* GLAZE_DISPATCH_H */
