/*
 * Packets: everything that passes from one node to another
 *
 * The network interfaces give packets their meaning; the hub looks at the
 * fields of this structure and at no word of the payload. Where messages are
 * streamed, the header is such a field.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_PACKET_H
#define FUGU_PACKET_H

#include "qemu/bitops.h"
#include "qemu/queue.h"
#include "migration/vmstate.h"
#include "hw/fugu/fugu-regs.h"

/*
 * Logical networks. A kind with two priorities sends those of priority 1 in the
 * urgent network. It has no links of its own: its messages take those of the main
 * network, before all that wait there.
 */
enum {
    FUGU_MAIN_NETWORK,
    FUGU_SECOND_NETWORK,
    FUGU_URGENT_NETWORK,
    FUGU_NETWORKS
};

#define FUGU_MESHES 2           /* the main and the second network have links */

typedef enum FuguPacketKind {
    FUGU_PACKET_MESSAGE,        /* the mesh routes it */
    FUGU_PACKET_CREDIT,         /* words[0]: words of space returned */
} FuguPacketKind;

/*
 * The largest packet that mesh, hub and link carry. A message has at least one
 * word. Only messages on the main network have a body. A credit has its number
 * of words in words[0], and no other words.
 */
#define FUGU_PACKET_WORDS       16
#define FUGU_PACKET_BODY_MAX    4096    /* bytes */

typedef struct FuguPacket {
    QTAILQ_ENTRY(FuguPacket) next;
    int64_t time;               /* it leaves its source */
    int64_t arrival;            /* it reaches its destination */
    int64_t issued;             /* a message: its launch instruction was
                                   executed, in the source's time. For
                                   debuggers; other processes do not learn it */
    uint32_t from;              /* an update of a kind that maps memory: its first
                                   byte's physical address at the source, and how
                                   it was sent, as the kind counts it. Else 0. For
                                   debuggers, as `issued`, which is then when the
                                   last byte was stored, or the command given */
    uint8_t mode;
    uint8_t joined;             /* a stream that has arrived: words that have come
                                   after those that opened it, and
                                   FUGU_STREAM_ENDED with the last; else 0 */
    uint8_t kind;
    uint8_t network;
    bool has_body;              /* a message with one, or a credit for one */
    uint16_t source;
    uint16_t dest;
    uint32_t sequence;          /* counts the packets of this source */
    uint32_t length;            /* words of a message; 0 for a credit */
    uint32_t words[FUGU_PACKET_WORDS];
    uint32_t body_len;          /* bytes, a multiple of 4 */
    uint8_t *body;              /* or NULL; freed with the packet */
} FuguPacket;

typedef QTAILQ_HEAD(FuguPacketList, FuguPacket) FuguPacketList;

/*
 * A kind may stream messages: each word leaves when it is written. The first ones
 * are a message of STREAM_OPENS, with the length of the longest, whose room is
 * reserved. Each other word is a packet of two words, the header and itself.
 */
enum {
    FUGU_STREAM_NONE,           /* a message that leaves as a whole */
    FUGU_STREAM_OPENS,
    FUGU_STREAM_WORD,
    FUGU_STREAM_ENDS,           /* a word, and the last one */
};

#define FUGU_STREAM_ENDED       0x80

/* Returns FUGU_STREAM_*, of a message in a network that streams. */
static inline unsigned fugu_packet_stream(const FuguPacket *message)
{
    return extract32(message->words[0], FUGU_HDR_TYPE_SHIFT, 2);
}

/* Inserts @packet into @flight, which is sorted by arrival. Packets of the same
 * arrival stay in the order of insertion. */
void fugu_packet_insert(FuguPacketList *flight, FuguPacket *packet);

extern const VMStateDescription vmstate_fugu_packet;

#endif /* FUGU_PACKET_H */
