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

#include "qemu/queue.h"
#include "migration/vmstate.h"
#include "hw/fugu/fugu-regs.h"
#include "hw/fugu/mesh/mesh.h"

enum {
    FUGU_MAIN_NETWORK,
    FUGU_SECOND_NETWORK,
    FUGU_NETWORKS
};

typedef enum FuguPacketKind {
    FUGU_PACKET_MESSAGE,
    FUGU_PACKET_CREDIT,         /* words[0]: words of space returned */
} FuguPacketKind;

typedef struct FuguPacket {
    QTAILQ_ENTRY(FuguPacket) next;
    int64_t time;               /* it leaves its source */
    int64_t arrival;            /* it reaches its destination */
    uint8_t kind;
    uint8_t network;
    bool has_body;              /* a message with one, or a credit for one */
    uint16_t source;
    uint16_t dest;
    uint32_t sequence;          /* counts the packets of this source */
    uint32_t length;            /* descriptor words */
    uint32_t words[FUGU_MSG_WORDS];
    uint32_t body_len;          /* bytes, a multiple of 4 */
    uint8_t *body;              /* or NULL; freed with the packet */
} FuguPacket;

typedef QTAILQ_HEAD(FuguPacketList, FuguPacket) FuguPacketList;

extern const VMStateDescription vmstate_fugu_packet;
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
