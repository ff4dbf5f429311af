/*
 * One network of a network interface: arrivals, input queue, source space
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_CHANNEL_H
#define FUGU_CHANNEL_H

#include "hw/fugu/ni/system/system.h"

/* Makes @channel the interface's channel of @network. Its input queue has
 * @queue words: at least as many as the longest message counts. */
void fugu_channel_init(FuguSystemNI *ni, FuguChannel *channel, int network,
                       uint32_t queue);
void fugu_channel_reset(FuguChannel *channel);

/* Takes @packet, which the hub delivers between two rounds. */
void fugu_channel_arrive(FuguChannel *channel, FuguPacket *packet);

/*
 * Sends @packet, a message, at local time @time, or when those before it have
 * left. Takes its words from the space, which must have them. The caller has
 * set its destination, words and body.
 */
void fugu_channel_send(FuguChannel *channel, FuguPacket *packet, int64_t time,
                       bool user);

/* Removes the head of the input queue, which must have one, for code in user
 * or supervisor mode. */
void fugu_channel_drop_head(FuguChannel *channel, bool user);

/*
 * For a message part in which the hardware, not the processor, empties the input
 * queue: removes the head, which must be there, at @time. That may be earlier
 * than local time, and no earlier than anything that has entered the queue.
 */
void fugu_channel_drain_head(FuguChannel *channel, int64_t time);

/*
 * For a message part that needs its credits at the cycle at which they come: the
 * processor may be past it, and the event of the arrival not yet have fired.
 * fugu_channel_next_credit() returns the arrival of the first credit that has
 * come by @time, or FUGU_NEVER if there is none. fugu_channel_take_credit() takes
 * that credit.
 */
int64_t fugu_channel_next_credit(const FuguChannel *channel, int64_t time);
void fugu_channel_take_credit(FuguChannel *channel);

/* Returns the packets at @place. */
const FuguPacketList *fugu_channel_packets(const FuguChannel *channel,
                                           FuguNetifPlace place);

extern const VMStateDescription vmstate_fugu_channel;

#endif /* FUGU_CHANNEL_H */
