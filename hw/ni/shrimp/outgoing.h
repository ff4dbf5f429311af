/*
 * The SHRIMP network interface: Outgoing FIFO, credits
 *
 * Packets leave the FIFO in order. One leaves as soon as it has entered, its
 * words have credits, and the link has taken the packet before it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_OUTGOING_H
#define FUGU_SHRIMP_OUTGOING_H

#include "hw/fugu/ni/shrimp/shrimp.h"

void shrimp_out_reset(ShrimpNI *ni);

/* Puts @packet into the FIFO at time @at. The FIFO must have room. All that was
 * due before must be done. */
void shrimp_out_put(ShrimpNI *ni, FuguPacket *packet, int64_t at);

/* Lets leave what can leave at time @at; all that was due before must be done.
 * What can leave later is left to the event. */
void shrimp_out_pump(ShrimpNI *ni, int64_t at);

/* A packet to node @dest has entered its Incoming FIFO. */
void shrimp_out_credited(ShrimpNI *ni, uint32_t dest);

/* Returns the number of the last packet of which the credit has come, and those
 * of all before it. */
uint32_t shrimp_out_last_credited(const ShrimpNI *ni);

/* Returns the interrupts that the FIFO requests: FUGU_PEND_*. */
uint32_t shrimp_out_pending(const ShrimpNI *ni);

/* Returns NULL, or a condition of the FIFO that does not hold. */
const char *shrimp_out_check(const ShrimpNI *ni);

extern const VMStateDescription vmstate_shrimp_outgoing;

#endif /* FUGU_SHRIMP_OUTGOING_H */
