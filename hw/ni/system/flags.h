/*
 * The system part of a network interface: UAC, atomicity timer, interrupts
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SYSTEM_FLAGS_H
#define FUGU_SYSTEM_FLAGS_H

#include "hw/fugu/ni/system/system.h"

void fugu_system_flags_init(FuguSystemNI *ni);

/* Updates the timer and the interrupt requests. To be called after any change
 * of UAC, GID, timeout, mode or queues, and of what the message part's methods
 * message() and pending() depend on. */
void fugu_system_update(FuguSystemNI *ni);

/* Returns the interrupts that the interface requests: FUGU_PEND_*. */
uint32_t fugu_system_pending(FuguSystemNI *ni);

/* ---- Atomicity timer ---- */

/* Sets the timer to atomicity-timeout. */
void fugu_system_timer_preset(FuguSystemNI *ni);
/* Accounts for the time until now, and starts or stops the timer. */
void fugu_system_update_timer(FuguSystemNI *ni);
/* Returns the cycles left at local time @now. */
int64_t fugu_system_timer_left(FuguSystemNI *ni, int64_t now);

/* ---- Modes ---- */

/* The processor changes its mode. */
void fugu_system_mode(FuguSystemNI *ni, bool user);

#endif /* FUGU_SYSTEM_FLAGS_H */
