/*
 * Soft atomicity: what the kernel does if the network interface has no
 * atomicity (docs/soft-kernel.md). soft_vectors.S has the fast paths.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SOFT_H
#define GLAZE_SOFT_H

#include <stdint.h>

/* Finds out whether atomicity is soft. Call this once, at the start. */
void soft_init(void);

/*
 * Takes a section that the current process has opened by GLAZE_U_SECTION into UAC.
 * Call this before anything else, whenever C code is entered.
 */
void soft_take_section(void);

/*
 * Sets divert-mode, PIL and the cycle timer for the current process, which is
 * about to go on.
 */
void soft_settle(uint64_t slot_end);

/*
 * Handles an interrupt of the cycle timer: revokes a section that has held
 * messages back for too long.
 */
void soft_timer(void);

/* Carries out an operation that the network interface does not have. */
void soft_operation(void);

/* Carries out GLAZE_TRAP_CLOSE. */
void soft_close(void);

#endif /* GLAZE_SOFT_H */
