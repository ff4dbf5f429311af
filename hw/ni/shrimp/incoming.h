/*
 * The SHRIMP network interface: the Incoming FIFO is emptied into memory
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_INCOMING_H
#define FUGU_SHRIMP_INCOMING_H

#include "hw/fugu/ni/shrimp/shrimp.h"

void shrimp_in_init(ShrimpNI *ni);
void shrimp_in_reset(ShrimpNI *ni);

/* @packet has entered the FIFO, the queue of the main channel, at time @at. */
void shrimp_in_entered(ShrimpNI *ni, FuguPacket *packet, int64_t at);

/* Returns NULL, or a condition of the FIFO that does not hold. */
const char *shrimp_in_check(const ShrimpNI *ni);

extern const VMStateDescription vmstate_shrimp_incoming;

#endif /* FUGU_SHRIMP_INCOMING_H */
