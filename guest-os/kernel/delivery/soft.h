/*
 * Soft atomicity: what the kernel does where the network interface does not
 * (docs/soft-kernel.md). soft.S has the part of it that is fast.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SOFT_H
#define GLAZE_SOFT_H

#include <stdbool.h>
#include <stdint.h>

/* The machine leaves atomicity to the kernel. */
extern bool soft;

/* Finds out, and changes trap tables. Once, at the start. */
void soft_init(void);

/*
 * Of K_PENDING, what it would be with hard atomicity: the head is for the
 * current process to take, or for the kernel.
 */
uint32_t soft_pending(uint32_t pending);

/* What the current process finds when it is resumed: divert-mode, the
 * processor's level, the cycle timer. */
void soft_settle(void);

/* The cycle timer has interrupted the current process. */
void soft_timer(void);

/* An operation of the network interface that it has not. */
void soft_operation(void);

#endif /* GLAZE_SOFT_H */
