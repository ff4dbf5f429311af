/*
 * Upcalls made from C, and registers of the interrupted user.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_UPCALL_H
#define GLAZE_UPCALL_H

#include <stdint.h>

#include "process.h"

/* Cycles a user may hold up the network (paper, section 4.1). */
extern uint32_t atomicity_timeout;

/*
 * Makes sure that a window is free for an upcall. False: the stack that the
 * oldest window goes to is not there, and the current process waits for it or
 * has ended.
 */
bool upcall_room(void);

/*
 * The current process goes on with an upcall, and these bits of UAC are set.
 * False: upcall_room() is, and nothing has changed. The upcall must be tried
 * again when the process goes on.
 */
bool upcall_begin(unsigned which, uint32_t bits);

/* The same for a message upcall: GLAZE_U_MESSAGE or GLAZE_U_BUFFERED. */
void upcall_message(unsigned which);

/* Registers back to the interrupted code's. False: as registers_refill(). */
bool upcall_leave(void);

/* On behind the instruction that trapped. */
void registers_skip(struct registers *r);

/* The stack pointer of window k, 0 being the current one. */
uint32_t registers_sp(const struct registers *r, unsigned k);

/*
 * Windows to, and from, the stack of the current process. False: nothing has
 * changed, and the process waits for the stack's page, or has ended over it.
 */
bool registers_spill(void);
bool registers_refill(void);

#endif /* GLAZE_UPCALL_H */
