/*
 * Upcalls made from C, and the registers of the interrupted user.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_UPCALL_H
#define GLAZE_UPCALL_H

#include <stdint.h>

#include "machine/process.h"

/* Cycles for which a user may hold up the network (paper, section 4.1). */
extern uint32_t atomicity_timeout;

/*
 * Makes sure that a window is free for an upcall of the current process.
 * Returns false if the stack for the oldest window is not in memory. Then the
 * process waits for that page, or is marked to end.
 */
bool upcall_room(void);

/*
 * Makes the current process go on with upcall `which` (GLAZE_U_*), and sets
 * `bits` in UAC. Returns false if upcall_room() does. Then nothing has
 * changed, and the caller must repeat the upcall when the process goes on.
 */
bool upcall_begin(unsigned which, uint32_t bits);

/* The same for a message upcall: GLAZE_U_MESSAGE or GLAZE_U_BUFFERED. */
void upcall_message(unsigned which);

/*
 * Gives the current process the registers of the code that its upcall has
 * interrupted. Returns false if registers_refill() does.
 */
bool upcall_leave(void);

/* Skips the instruction that trapped. */
void registers_skip(struct registers *r);

/* Returns the stack pointer of window k; 0 is the current window. */
uint32_t registers_sp(const struct registers *r, unsigned k);

/*
 * Move a window of the current process: the oldest one from the process's page
 * to its stack, or the one above the oldest from its stack. Both return false
 * if the stack is not in memory or cannot be used. Then nothing has changed,
 * and the process waits for the stack's page, or is marked to end.
 */
bool registers_spill(void);
bool registers_refill(void);

#endif /* GLAZE_UPCALL_H */
