/*
 * Soft atomicity: what the kernel does where the network interface does not
 * (docs/soft-kernel.md). soft.S has the part of it that is fast.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SOFT_H
#define GLAZE_SOFT_H

#include <stdint.h>

/* Finds out whether atomicity is soft. Once, at the start. */
void soft_init(void);

/* What the current process finds when it is resumed: divert-mode, the
 * processor's level, the cycle timer. */
void soft_settle(uint64_t slot_end);

/* The cycle timer has interrupted the current process. */
void soft_timer(void);

/* An operation of the network interface that it has not. */
void soft_operation(void);

#endif /* GLAZE_SOFT_H */
