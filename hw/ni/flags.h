/*
 * The FUGU network interface: flags, atomicity timer, interrupts
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_FLAGS_H
#define FUGU_NI_FLAGS_H

#include "hw/fugu/ni/ni.h"

void fugu_flags_init(FuguNI *ni);

/* Sets the timer and the interrupts anew. To be called after any change of
 * what they depend on. */
void fugu_ni_update(FuguNI *ni);

/* The paper's mechanisms of atomicity are left to software. */
bool fugu_ni_soft(FuguNI *ni);

/* Whether the head of the queue is a message that the user may see. */
bool fugu_ni_message_available(FuguNI *ni);

/* The interrupts that the interface asks for: FUGU_PEND_*. */
uint32_t fugu_ni_pending(FuguNI *ni);

/* ---- Atomicity timer ---- */

/* Starts it anew, with atomicity-timeout. */
void fugu_ni_timer_preset(FuguNI *ni);
/* Accounts for the time until now. */
void fugu_ni_update_timer(FuguNI *ni);
/* What is left to it at local time @now, in cycles. */
int64_t fugu_ni_timer_left(FuguNI *ni, int64_t now);
/* The processor changes its mode: the timer runs in user mode alone. */
void fugu_ni_mode(FuguNI *ni, bool user);

#endif /* FUGU_NI_FLAGS_H */
