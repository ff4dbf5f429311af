/*
 * The FUGU network interface: arrivals, input queues, source space
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_QUEUE_H
#define FUGU_NI_QUEUE_H

#include "hw/fugu/ni/ni.h"

void fugu_channel_init(FuguNI *ni, int network);
void fugu_channel_reset(FuguChannel *channel);

/* Takes @packet, which the hub delivers between two rounds. */
void fugu_ni_arrive(FuguNI *ni, FuguPacket *packet);

/* Sends @packet at local time @time, or when those before it have left. */
void fugu_channel_send(FuguChannel *channel, FuguPacket *packet, int64_t time);

/* Removes the head of the input queue, which must have one. */
void fugu_channel_drop_head(FuguChannel *channel);

extern const VMStateDescription vmstate_fugu_channel;

#endif /* FUGU_NI_QUEUE_H */
