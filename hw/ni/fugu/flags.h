/*
 * The FUGU network interface: whose the head of the queue is, and what it
 * interrupts
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_FLAGS_H
#define FUGU_NI_FLAGS_H

#include "hw/fugu/ni/fugu/ni.h"

/* Returns the head of the queue if it is a message that the user may see:
 * message-available. Otherwise returns NULL. */
FuguPacket *fugu_ni_message(FuguNI *ni);

/* Returns the interrupts that the head requests: FUGU_PEND_MESSAGE and
 * FUGU_PEND_MISMATCH. */
uint32_t fugu_ni_pending(FuguNI *ni);

#endif /* FUGU_NI_FLAGS_H */
