/*
 * The hub: takes what the nodes launch in a round, and delivers it
 *
 * Everything that passes from one node to another is a packet: messages on a
 * logical network, and the credits that give a sender its space back. A node
 * sends in its turn; at the round's end the hub puts the packets in order,
 * asks the mesh when they arrive, and hands them to their destinations. A
 * link to other processes stands between those two steps: it sees packets
 * with a kind, a network, a time and an opaque payload, and nothing else.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_HUB_H
#define FUGU_HUB_H

#include "hw/fugu/mesh/packet.h"

extern const VMStateDescription vmstate_fugu_hub;

typedef struct FuguHub FuguHub;
struct FuguMachineState;

FuguHub *fugu_hub_new(struct FuguMachineState *machine);
void fugu_hub_reset(FuguHub *hub);

/* Packets come from and go back to the hub, which keeps the spare ones. */
FuguPacket *fugu_packet_new(FuguHub *hub);
void fugu_packet_free(FuguHub *hub, FuguPacket *packet);

/* A node sends @packet, with its own local time in @time. */
void fugu_hub_send(FuguHub *hub, FuguPacket *packet);

/* The round is over: deliver what was sent in it. Returns how many packets. */
unsigned fugu_hub_round(FuguHub *hub);

/* What was sent in this round so far, in order: for other processes. */
FuguPacketList *fugu_hub_sent(FuguHub *hub);
/* What another process has routed arrives here. */
void fugu_hub_arrive(FuguHub *hub, FuguPacket *packet);

#endif /* FUGU_HUB_H */
