/*
 * Packets: in order of arrival; saved and loaded
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/packet.h"

/*
 * Returns the last packet in @flight that arrives no later than @p, or NULL.
 *
 * Where many nodes send to one, thousands of messages are in flight. The mesh
 * routes messages in the order in which they arrive, so a new message belongs
 * near the end. A credit does not contend for links, so only the messages of
 * the next cycles arrive before it, and it belongs near the beginning. The
 * function looks from that side.
 */
static FuguPacket *packet_before(const FuguPacketList *flight,
                                 const FuguPacket *p)
{
    FuguPacket *before, *next;

    if (p->kind == FUGU_PACKET_MESSAGE) {
        before = QTAILQ_LAST(flight);
        while (before && before->arrival > p->arrival) {
            before = QTAILQ_PREV(before, next);
        }
        return before;
    }
    before = NULL;
    QTAILQ_FOREACH(next, flight, next) {
        if (next->arrival > p->arrival) {
            break;
        }
        before = next;
    }
    return before;
}

void fugu_packet_insert(FuguPacketList *flight, FuguPacket *p)
{
    FuguPacket *before = packet_before(flight, p);

    if (before) {
        QTAILQ_INSERT_AFTER(flight, before, p, next);
    } else {
        QTAILQ_INSERT_HEAD(flight, p, next);
    }
}

/* ---- State --------------------------------------------------------------- */

/* QEMU does not initialise the elements of a list that it loads. */
static int packet_pre_load(void *opaque)
{
    FuguPacket *p = opaque;

    p->body = NULL;
    return 0;
}

/* Checks the lengths before memory is allocated for the body. */
static bool packet_fits(void *opaque, int version)
{
    FuguPacket *p = opaque;

    return p->length <= FUGU_PACKET_WORDS &&
           (p->joined & ~FUGU_STREAM_ENDED) <= p->length &&
           p->body_len <= FUGU_PACKET_BODY_MAX;
}

const VMStateDescription vmstate_fugu_packet = {
    .name = "fugu-packet",
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_load = packet_pre_load,
    .fields = (const VMStateField[]) {
        VMSTATE_INT64(time, FuguPacket),
        VMSTATE_INT64(arrival, FuguPacket),
        VMSTATE_INT64(issued, FuguPacket),
        VMSTATE_UINT32(from, FuguPacket),
        VMSTATE_UINT8(mode, FuguPacket),
        VMSTATE_UINT8(joined, FuguPacket),
        VMSTATE_UINT8(kind, FuguPacket),
        VMSTATE_UINT8(network, FuguPacket),
        VMSTATE_BOOL(has_body, FuguPacket),
        VMSTATE_UINT16(source, FuguPacket),
        VMSTATE_UINT16(dest, FuguPacket),
        VMSTATE_UINT32(sequence, FuguPacket),
        VMSTATE_UINT32(length, FuguPacket),
        VMSTATE_UINT32_ARRAY(words, FuguPacket, FUGU_PACKET_WORDS),
        VMSTATE_UINT32(body_len, FuguPacket),
        VMSTATE_VALIDATE("lengths of a message", packet_fits),
        VMSTATE_VBUFFER_ALLOC_UINT32(body, FuguPacket, 1, NULL, body_len),
        VMSTATE_END_OF_LIST()
    }
};
