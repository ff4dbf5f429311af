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
 * The current process goes on with a message upcall: GLAZE_U_MESSAGE or
 * GLAZE_U_BUFFERED. With a bad stack the job ends instead.
 */
void upcall_message(unsigned which);

/* The same for any upcall, with these bits of UAC set. */
void upcall_begin(unsigned which, uint32_t bits);

/* The other way: the end of a message upcall (GLAZE_TRAP_RETURN). */
void upcall_end(void);

/* Registers back to the interrupted code's. False: the job ends. */
bool upcall_leave(void);

/* On behind the instruction that trapped. */
void registers_skip(struct registers *r);

/* The stack pointer of window k, 0 being the current one. */
uint32_t registers_sp(const struct registers *r, unsigned k);

/* Windows to, and from, the stack of the current process. False: it ends. */
bool registers_spill(void);
bool registers_refill(void);

#endif /* GLAZE_UPCALL_H */
