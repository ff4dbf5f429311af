/*
 * The M-Machine's message interface: the watchdog of message slots
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MM_WATCHDOG_H
#define FUGU_MM_WATCHDOG_H

#include "hw/fugu/ni/m-machine/mm.h"

void mm_watchdog_init(MMachineNI *ni);
void mm_watchdog_reset(MMachineNI *ni);

/* The slot of a priority has taken a message: its cycles count from here. */
void mm_watchdog_began(MMachineNI *ni, unsigned priority);

/* The slot of a priority, which had stopped or waited, goes on. */
void mm_watchdog_rearm(MMachineNI *ni, unsigned priority);

/* Sets FUGU_K_MM_WATCHDOG. */
void mm_watchdog_set(MMachineNI *ni, uint32_t cycles);

#endif /* FUGU_MM_WATCHDOG_H */
