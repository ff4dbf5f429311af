/*
 * The hub: collects the packets that nodes send in a round, and delivers them
 *
 * Everything that passes from one node to another is a packet: messages on a
 * logical network, and the credits that give a sender its space back. A node
 * sends packets while it runs. At the round's end the hub sorts the packets,
 * asks the mesh when they arrive, and hands them to their destinations. For a
 * node of another process it hands the packet to the link (remote.h), which
 * carries the fields of the packet and does not interpret the payload.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_HUB_H
#define FUGU_HUB_H

#include "hw/fugu/machine/packet.h"

extern const VMStateDescription vmstate_fugu_hub;

typedef struct FuguHub FuguHub;
struct FuguMachineState;

FuguHub *fugu_hub_new(struct FuguMachineState *machine);
void fugu_hub_reset(FuguHub *hub);

/* Allocate and free a packet. The hub keeps free packets for reuse. */
FuguPacket *fugu_packet_new(FuguHub *hub);
void fugu_packet_free(FuguHub *hub, FuguPacket *packet);

/* Takes @packet from a node, which it leaves at @packet->time. That is a time
 * of the round that runs. */
void fugu_hub_send(FuguHub *hub, FuguPacket *packet);

/* Delivers the packets of the round that is over. Returns their number. */
unsigned fugu_hub_round(FuguHub *hub);

/* Returns the packets sent in this round so far, in order. The link takes
 * them from the list and sends them to the process that routes them. */
FuguPacketList *fugu_hub_sent(FuguHub *hub);
/* Hands @packet, whose arrival is known, to its destination in this process. */
void fugu_hub_arrive(FuguHub *hub, FuguPacket *packet);

/* Counts the words that each link carries from now on. Exits QEMU if there is
 * no memory. */
void fugu_hub_count_links(FuguHub *hub);
/* Returns the words that link @link of a network (mesh.h) has carried. */
uint64_t fugu_hub_link_words(const FuguHub *hub, int network, uint32_t link);

#endif /* FUGU_HUB_H */
