/*
 * The FUGU network interface: launch, dispose (paper, table 1)
 *
 * Each operation returns 0 when it is done, a trap type, or SPARCLE_WAIT. In
 * the last two cases it has had no effect.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/ni/fugu/dma.h"
#include "hw/fugu/ni/fugu/flags.h"
#include "hw/fugu/ni/fugu/op.h"
#include "hw/fugu/ni/system/channel.h"
#include "hw/fugu/ni/system/flags.h"
#include "hw/fugu/ni/system/op.h"
#include "hw/fugu/trace.h"

uint32_t fugu_ni_space(FuguNI *ni, const FuguDescriptor *d)
{
    const FuguDescriptor *other = d == &ni->user ? &ni->kernel : &ni->user;

    return ni->main.space - other->reserved;
}

/* Returns the header that is sent: the hardware fills in GID and source. */
static uint32_t stamped_header(FuguNI *ni, uint32_t header, bool user)
{
    uint32_t keep = FUGU_HDR_TYPE_MASK | (user ? 0 : FUGU_HDR_KERNEL);
    uint32_t gid = ni->parent_obj.gid << FUGU_HDR_GID_SHIFT;

    if (!user && (header & FUGU_HDR_OWN_GID)) {
        gid = header & FUGU_HDR_GID_MASK;
    }
    return (header & keep) | gid | ni->node->number;
}

static int ni_launch(FuguNI *ni, uint32_t n, uint32_t pairs, bool user,
                     uintptr_t ra)
{
    FuguMachineState *machine = ni->node->machine;
    FuguDescriptor *d = user ? &ni->user : &ni->kernel;
    int64_t now = fugu_node_time(ni->node);
    uint32_t words = n - 2 * pairs;
    FuguPacket *p;
    int ret;

    if (d->length == 0) {
        return 0;
    }
    if (n == 0 || n > d->length || 2 * pairs >= n ||
        (user && (d->words[0] & FUGU_HDR_KERNEL)) ||
        fugu_header_node(d->words[0]) >= machine->options.node_count) {
        return FUGU_TT_PROTECTION_VIOLATION;
    }
    /* A fault leaves by longjmp, so no packet may be allocated yet. */
    ret = fugu_dma_check(ni, &d->words[words], pairs, ra);
    if (ret) {
        return ret;
    }
    if (fugu_ni_space(ni, d) < words) {
        return fugu_system_wait(&ni->parent_obj, FUGU_WAIT_SPACE);
    }
    if (pairs && ni->main.bodies_out) {
        return fugu_system_wait(&ni->parent_obj, FUGU_WAIT_BODY);
    }

    p = fugu_packet_new(machine->parts.hub);
    if (pairs) {
        fugu_dma_gather(ni, &d->words[words], pairs, p, ra);
    }
    if (user) {
        fugu_meter_sent(&ni->node->meter, ni->parent_obj.gid, pairs,
                        p->body_len);
    }
    p->dest = fugu_header_node(d->words[0]);
    p->length = words;
    memcpy(p->words, d->words, words * sizeof(p->words[0]));
    p->words[0] = stamped_header(ni, d->words[0], user);
    fugu_channel_send(&ni->main, p,
                      now + (int64_t)machine->options.dma_word *
                            (p->body_len / 4), user);
    d->length = 0;
    d->reserved = 0;
    return 0;
}

static int ni_dispose(FuguNI *ni, bool user)
{
    FuguPacket *head = fugu_ni_head(ni);
    int64_t now = fugu_node_time(ni->node);

    if (user && ni->divert) {
        fugu_meter_received(&ni->node->meter);
        return FUGU_TT_DISPOSE_EXTEND;
    }
    if (user ? !fugu_ni_message(ni) : !head) {
        return FUGU_TT_BAD_DISPOSE;
    }
    if (!user && ni->dma_armed) {
        int ret = fugu_dma_store_head(ni, head);

        if (ret) {
            return ret;
        }
    }
    trace_fugu_ni_dispose(ni->node->number, user, head->source, now);
    ni->dma_hides = ni->dma_until > now;
    if (!user && !(head->words[0] & FUGU_HDR_KERNEL)) {
        fugu_meter_inserted(&ni->node->meter, now, fugu_ni_gid(head),
                            head->arrival);
    }
    fugu_channel_drop_head(&ni->main, user);
    if (user) {
        fugu_meter_received(&ni->node->meter);
        ni->parent_obj.uac &= ~FUGU_UAC_DISPOSE_PENDING;
        fugu_system_timer_preset(&ni->parent_obj);
    }
    fugu_system_update(&ni->parent_obj);
    return 0;
}

int fugu_ni_op(FuguNI *ni, SparcleOp op, uint32_t a, uint32_t b, bool user,
               uintptr_t ra)
{
    switch (op) {
    case SPARCLE_LAUNCH:
        return ni_launch(ni, a, b, user, ra);
    case SPARCLE_DISPOSE:
        return ni_dispose(ni, user);
    default:
        return fugu_system_op(&ni->parent_obj, op, a, user);
    }
}
