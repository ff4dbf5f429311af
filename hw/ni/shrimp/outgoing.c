/*
 * The SHRIMP network interface: Outgoing FIFO, credits (see outgoing.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/ni/shrimp/outgoing.h"
#include "hw/fugu/ni/shrimp/packet.h"
#include "hw/fugu/ni/system/channel.h"
#include "hw/fugu/ni/system/check.h"
#include "hw/fugu/trace.h"

/* ---- Packets in the network ----------------------------------------------- */

static void flight_remove(ShrimpOutgoing *out, uint32_t i)
{
    out->flight_count--;
    for (; i < out->flight_count; i++) {
        out->flight_number[i] = out->flight_number[i + 1];
        out->flight_dest[i] = out->flight_dest[i + 1];
    }
}

/* There is a place, as there were credits. But another process may have given
 * credits for no packet of this node's. */
static void flight_add(ShrimpOutgoing *out, uint32_t number, uint32_t dest)
{
    if (out->flight_count == SHRIMP_FLIGHT_MAX) {
        flight_remove(out, 0);
    }
    out->flight_number[out->flight_count] = number;
    out->flight_dest[out->flight_count++] = dest;
}

/* Receivers keep the order of a source's packets, so a credit is for the oldest
 * packet to its receiver. Credits of different receivers come in any order. */
void shrimp_out_credited(ShrimpNI *ni, uint32_t dest)
{
    ShrimpOutgoing *out = &ni->out;

    for (uint32_t i = 0; i < out->flight_count; i++) {
        if (out->flight_dest[i] == dest) {
            flight_remove(out, i);
            return;
        }
    }
}

uint32_t shrimp_out_last_credited(const ShrimpNI *ni)
{
    const ShrimpOutgoing *out = &ni->out;

    return out->flight_count ? out->flight_number[0] - 1 : out->injected;
}

/* ---- FIFO ---------------------------------------------------------------- */

static void inject(ShrimpNI *ni, FuguPacket *p, int64_t at)
{
    ShrimpOutgoing *out = &ni->out;
    uint32_t words = shrimp_packet_counted(p);

    QTAILQ_REMOVE(&out->fifo, p, next);
    out->words -= words;
    out->injected++;
    out->free = at + (int64_t)words * ni->node->machine->options.main_params.word;
    flight_add(out, out->injected, p->dest);
    shrimp_packet_damage(ni, p, ni->damage);
    ni->damage = SHRIMP_DAMAGE_NOTHING;
    if (ni->node->seen) {
        fugu_seen_leaves(ni->node->seen, at, out->injected, out->words);
    }
    fugu_channel_send(&ni->main, p, at, true);
}

void shrimp_out_pump(ShrimpNI *ni, int64_t at)
{
    ShrimpOutgoing *out = &ni->out;
    FuguPacket *p;

    fugu_event_set(ni->node, &out->inject, FUGU_NEVER);
    while ((p = QTAILQ_FIRST(&out->fifo)) &&
           ni->main.space >= shrimp_packet_counted(p)) {
        if (out->free > at) {
            fugu_event_set(ni->node, &out->inject, out->free);
            return;
        }
        inject(ni, p, at);
    }
}

void shrimp_out_put(ShrimpNI *ni, FuguPacket *p, int64_t at)
{
    ShrimpOutgoing *out = &ni->out;

    p->kind = FUGU_PACKET_MESSAGE;
    p->network = FUGU_MAIN_NETWORK;
    p->source = ni->node->number;
    p->time = at;
    out->sent++;
    out->words += shrimp_packet_counted(p);
    assert(out->words <= FUGU_SHRIMP_FIFO);
    trace_fugu_shrimp_put(p->source, out->sent, p->dest, shrimp_packet_dest(p),
                          shrimp_packet_bytes(p), out->words, at);
    if (ni->node->seen) {
        fugu_seen_update(ni->node->seen, at, &(FuguUpdate) {
            .packet = p,
            .number = out->sent,
            .address = shrimp_packet_dest(p),
            .bytes = shrimp_packet_bytes(p),
            .words = out->words,
        });
    }
    QTAILQ_INSERT_TAIL(&out->fifo, p, next);
    shrimp_out_pump(ni, at);
}

/* ---- Interrupts ----------------------------------------------------------- */

/* A kernel that awaits room knows that the FIFO is full. What the open packet has
 * reserved is no room. */
uint32_t shrimp_out_pending(const ShrimpNI *ni)
{
    const ShrimpOutgoing *out = &ni->out;

    if (out->await) {
        return FUGU_SHRIMP_FIFO - out->words - shrimp_open_words(ni) >= out->await
               ? FUGU_PEND_ROOM : 0;
    }
    return out->words > out->threshold ? FUGU_PEND_OUTGOING : 0;
}

/* ---- Checks -------------------------------------------------------------- */

static const char *check_fifo(const ShrimpNI *ni)
{
    const ShrimpOutgoing *out = &ni->out;
    const FuguPacket *p, *first = QTAILQ_FIRST(&out->fifo);
    uint32_t words = 0, packets = 0;

    QTAILQ_FOREACH(p, &out->fifo, next) {
        FUGU_REQUIRE(p->source == ni->node->number);
        FUGU_REQUIRE(p->dest < ni->node->machine->options.node_count);
        FUGU_REQUIRE(p->has_body && p->body);
        FUGU_REQUIRE(p->body_len <= ni->packet_max);
        FUGU_REQUIRE(shrimp_packet_is_whole(p));
        words += shrimp_packet_counted(p);
        packets++;
    }
    FUGU_REQUIRE(words == out->words && words <= FUGU_SHRIMP_FIFO);
    FUGU_REQUIRE(packets == out->sent - out->injected);
    FUGU_REQUIRE(!first || ni->main.space < shrimp_packet_counted(first) ||
                 out->inject.time == out->free);
    FUGU_REQUIRE(out->inject.time == FUGU_NEVER || first);
    return NULL;
}

const char *shrimp_out_check(const ShrimpNI *ni)
{
    const ShrimpOutgoing *out = &ni->out;

    FUGU_REQUIRE_ALL(check_fifo(ni));
    FUGU_REQUIRE(out->threshold >= 1 && out->threshold <= FUGU_SHRIMP_FIFO);
    FUGU_REQUIRE(out->await <= FUGU_SHRIMP_FIFO);
    FUGU_REQUIRE(out->flight_count <= SHRIMP_FLIGHT_MAX);
    FUGU_REQUIRE(out->flight_count == ni->main.bodies_out);
    for (uint32_t i = 0; i < out->flight_count; i++) {
        uint32_t later = i + 1 < out->flight_count ? out->flight_number[i + 1]
                                                   : out->injected + 1;

        FUGU_REQUIRE((int32_t)(later - out->flight_number[i]) > 0);
    }
    return NULL;
}

/* ---- State --------------------------------------------------------------- */

void shrimp_out_reset(ShrimpNI *ni)
{
    ShrimpOutgoing *out = &ni->out;
    FuguPacket *p;

    while ((p = QTAILQ_FIRST(&out->fifo))) {
        QTAILQ_REMOVE(&out->fifo, p, next);
        fugu_packet_free(ni->node->machine->parts.hub, p);
    }
    out->words = 0;
    out->threshold = FUGU_SHRIMP_FIFO * 3 / 4;
    out->await = 0;
    out->sent = 0;
    out->injected = 0;
    out->free = 0;
    out->flight_count = 0;
    fugu_event_set(ni->node, &out->inject, FUGU_NEVER);
}

static int outgoing_post_load(void *opaque, int version)
{
    ShrimpOutgoing *out = opaque;

    return out->flight_count <= SHRIMP_FLIGHT_MAX ? 0 : -EINVAL;
}

const VMStateDescription vmstate_shrimp_outgoing = {
    .name = "shrimp-ni/outgoing",
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = outgoing_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_QTAILQ_V(fifo, ShrimpOutgoing, 1, vmstate_fugu_packet,
                         FuguPacket, next),
        VMSTATE_UINT32(words, ShrimpOutgoing),
        VMSTATE_UINT32(threshold, ShrimpOutgoing),
        VMSTATE_UINT32(await, ShrimpOutgoing),
        VMSTATE_UINT32(sent, ShrimpOutgoing),
        VMSTATE_UINT32(injected, ShrimpOutgoing),
        VMSTATE_INT64(free, ShrimpOutgoing),
        VMSTATE_UINT32(flight_count, ShrimpOutgoing),
        VMSTATE_UINT16_ARRAY(flight_dest, ShrimpOutgoing, SHRIMP_FLIGHT_MAX),
        VMSTATE_UINT32_ARRAY(flight_number, ShrimpOutgoing, SHRIMP_FLIGHT_MAX),
        VMSTATE_END_OF_LIST()
    }
};
