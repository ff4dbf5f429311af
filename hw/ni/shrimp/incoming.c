/*
 * The SHRIMP network interface: the Incoming FIFO is emptied into memory
 *
 * The head takes incoming-word cycles for each word of its data, from the time
 * when it has become the head. Then the receiver checks it, and stores it or drops
 * it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/log.h"
#include "migration/vmstate.h"
#include "hw/fugu/devices/transfer.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/shrimp/incoming.h"
#include "hw/fugu/ni/shrimp/nipt.h"
#include "hw/fugu/ni/shrimp/packet.h"
#include "hw/fugu/ni/system/channel.h"
#include "hw/fugu/ni/system/check.h"
#include "hw/fugu/ni/system/flags.h"
#include "hw/fugu/trace.h"

/* ---- Packets -------------------------------------------------------------- */

/* Returns the count of packets that are dropped for what is wrong with this one,
 * or NULL if nothing is. Sets *@page for a packet that is right. */
static uint32_t *what_is_wrong(ShrimpNI *ni, const FuguPacket *p,
                               uint32_t *page)
{
    if (!shrimp_packet_is_here(ni, p)) {
        return &ni->in.dropped_place;
    }
    if (!shrimp_packet_is_whole(p)) {
        return &ni->in.dropped_crc;
    }
    if (!shrimp_nipt_page(&ni->nipt, shrimp_packet_dest(p), page) ||
        !(ni->nipt.entry[*page].in & FUGU_NIPT_IN_MAPPED)) {
        return &ni->in.dropped_page;
    }
    return NULL;
}

static void store(ShrimpNI *ni, const FuguPacket *p, uint32_t page, int64_t at)
{
    uint32_t dest = shrimp_packet_dest(p), bytes = shrimp_packet_bytes(p);

    address_space_write(CPU(&ni->node->cpu)->as, dest, MEMTXATTRS_UNSPECIFIED,
                        shrimp_packet_data(p), bytes);
    fugu_transfer_came(ni->node, p, dest, bytes, at);
    shrimp_nipt_arrive(&ni->nipt, page);
    fugu_digest(ni->node, FUGU_DIGEST_UPDATE, (uint64_t)dest << 32 | bytes);
}

static void drop(ShrimpNI *ni, const FuguPacket *p, uint32_t *count)
{
    (*count)++;
    ni->in.drop_pending = true;
    fugu_digest(ni->node, FUGU_DIGEST_UPDATE, p->source);
}

/* ---- FIFO ---------------------------------------------------------------- */

/* The head begins to go to memory at time @at. */
static void incoming_begin(ShrimpNI *ni, int64_t at)
{
    const FuguPacket *head = QTAILQ_FIRST(&ni->main.queue);

    ni->in.due = at + (int64_t)(head->body_len / 4) *
                      ni->node->machine->options.incoming_word;
    fugu_event_set(ni->node, &ni->in.drain, ni->in.due);
}

void shrimp_in_entered(ShrimpNI *ni, FuguPacket *p, int64_t at)
{
    ni->in.entered++;
    if (QTAILQ_FIRST(&ni->main.queue) == p) {
        incoming_begin(ni, at);
    }
}

static void drain(void *opaque)
{
    ShrimpNI *ni = opaque;
    FuguPacket *p = QTAILQ_FIRST(&ni->main.queue);
    int64_t at = ni->in.due;
    uint32_t page = 0, *wrong = what_is_wrong(ni, p, &page);
    bool more = QTAILQ_NEXT(p, next);

    if (wrong) {
        drop(ni, p, wrong);
    } else {
        store(ni, p, page, at);
    }
    ni->in.left++;
    trace_fugu_shrimp_left(ni->node->number, p->source, p->words[1],
                           shrimp_packet_bytes(p), wrong != NULL, at);
    if (ni->node->seen) {
        fugu_seen_stored(ni->node->seen, at, p, wrong,
                         ni->main.queue_words - shrimp_packet_counted(p));
    }
    fugu_channel_drain_head(&ni->main, at);
    if (more) {
        incoming_begin(ni, at);
    }
    fugu_system_update(&ni->parent_obj);
}

/* ---- Checks and state ------------------------------------------------------ */

const char *shrimp_in_check(const ShrimpNI *ni)
{
    const ShrimpIncoming *in = &ni->in;
    const FuguPacket *p;
    uint32_t packets = 0;

    QTAILQ_FOREACH(p, &ni->main.queue, next) {
        packets++;
    }
    FUGU_REQUIRE(packets == in->entered - in->left);
    FUGU_REQUIRE(in->drain.time == (packets ? in->due : FUGU_NEVER));
    FUGU_REQUIRE(!in->drop_pending || in->dropped_place + in->dropped_crc +
                                      in->dropped_page);
    return NULL;
}

void shrimp_in_init(ShrimpNI *ni)
{
    fugu_event_init(ni->node, &ni->in.drain, drain, ni);
}

void shrimp_in_reset(ShrimpNI *ni)
{
    ShrimpIncoming *in = &ni->in;

    in->entered = 0;
    in->left = 0;
    in->dropped_place = 0;
    in->dropped_crc = 0;
    in->dropped_page = 0;
    in->drop_pending = false;
    in->due = 0;
    fugu_event_set(ni->node, &in->drain, FUGU_NEVER);
}

const VMStateDescription vmstate_shrimp_incoming = {
    .name = "shrimp-ni/incoming",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(entered, ShrimpIncoming),
        VMSTATE_UINT32(left, ShrimpIncoming),
        VMSTATE_UINT32(dropped_place, ShrimpIncoming),
        VMSTATE_UINT32(dropped_crc, ShrimpIncoming),
        VMSTATE_UINT32(dropped_page, ShrimpIncoming),
        VMSTATE_BOOL(drop_pending, ShrimpIncoming),
        VMSTATE_INT64(due, ShrimpIncoming),
        VMSTATE_END_OF_LIST()
    }
};
