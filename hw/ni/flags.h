/*
 * The FUGU network interface: flags, atomicity timer, interrupts
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_FLAGS_H
#define FUGU_NI_FLAGS_H

#include "hw/fugu/ni/ni.h"

void fugu_flags_init(FuguNI *ni);

/* Updates the timer and the interrupt requests. To be called after any change
 * of UAC, GID, divert-mode, timeout, mode or queues. */
void fugu_ni_update(FuguNI *ni);

/* Whether the paper's mechanisms of atomicity are left to software. */
bool fugu_ni_soft(FuguNI *ni);

/* Whether the head of the queue is a message that the user may see. */
bool fugu_ni_message_available(FuguNI *ni);

/* Returns the interrupts that the interface requests: FUGU_PEND_*. */
uint32_t fugu_ni_pending(FuguNI *ni);

/* ---- Atomicity timer ---- */

/* Sets the timer to atomicity-timeout. */
void fugu_ni_timer_preset(FuguNI *ni);
/* Accounts for the time until now, and starts or stops the timer. */
void fugu_ni_update_timer(FuguNI *ni);
/* Returns the cycles left at local time @now. */
int64_t fugu_ni_timer_left(FuguNI *ni, int64_t now);

/* ---- Modes ---- */

/* The processor changes its mode. */
void fugu_ni_mode(FuguNI *ni, bool user);

#endif /* FUGU_NI_FLAGS_H */
