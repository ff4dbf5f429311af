/*
 * Network interface: launch, dispose, beginatom, endatom (paper, table 1)
 *
 * Each operation returns 0 when it is done, a trap type, or SPARCLE_WAIT. In
 * the last two cases it has had no effect.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/ni/dma.h"
#include "hw/fugu/ni/flags.h"
#include "hw/fugu/ni/op.h"
#include "hw/fugu/ni/queue.h"
#include "hw/fugu/trace.h"

static uint32_t header_node(uint32_t header)
{
    return header & FUGU_HDR_NODE_MASK;
}

uint32_t fugu_ni_space(FuguNI *ni, const FuguDescriptor *d)
{
    const FuguDescriptor *other = d == &ni->user ? &ni->kernel : &ni->user;

    return ni->channel[FUGU_MAIN_NETWORK].space - other->reserved;
}

/* Returns the header that is sent: the hardware fills in GID and source. */
static uint32_t stamped_header(FuguNI *ni, uint32_t header, bool user)
{
    uint32_t keep = FUGU_HDR_TYPE_MASK | (user ? 0 : FUGU_HDR_KERNEL);
    uint32_t gid = ni->gid << FUGU_HDR_GID_SHIFT;

    if (!user && (header & FUGU_HDR_OWN_GID)) {
        gid = header & FUGU_HDR_GID_MASK;
    }
    return (header & keep) | gid | ni->node->number;
}

static void digest_launch(FuguNI *ni, FuguPacket *p)
{
    fugu_digest(ni->node, FUGU_DIGEST_LAUNCH,
                ((uint64_t)p->words[0] << 32) | (p->dest << 16) |
                (p->network << 8) | p->length);
}

/* Makes a message of the first @words words of @d, and sends it at @time. */
static void ni_commit(FuguNI *ni, FuguChannel *c, const FuguDescriptor *d,
                      unsigned words, uint32_t header, FuguPacket *p,
                      int64_t time, bool user)
{
    p->kind = FUGU_PACKET_MESSAGE;
    p->dest = header_node(d->words[0]);
    p->length = words;
    memcpy(p->words, d->words, words * sizeof(p->words[0]));
    p->words[0] = header;
    p->network = c->network;
    c->space -= words;
    c->body_out |= p->has_body;
    trace_fugu_ni_launch(ni->node->number, c->network, p->dest, words,
                         p->body_len, p->words[0], fugu_node_time(ni->node));
    digest_launch(ni, p);
    fugu_channel_send(c, p, time);
    if (ni->node->seen) {
        fugu_seen_launch(ni->node->seen, fugu_node_time(ni->node), p, user,
                         c->space);
    }
}

static int ni_launch(FuguNI *ni, uint32_t n, uint32_t pairs, bool user,
                     uintptr_t ra)
{
    FuguMachineState *machine = ni->node->machine;
    FuguChannel *c = &ni->channel[FUGU_MAIN_NETWORK];
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
        header_node(d->words[0]) >= machine->options.node_count) {
        return FUGU_TT_PROTECTION_VIOLATION;
    }
    /* A fault leaves by longjmp, so no packet may be allocated yet. */
    ret = fugu_dma_check(ni, &d->words[words], pairs, ra);
    if (ret) {
        return ret;
    }
    if (fugu_ni_space(ni, d) < words) {
        return fugu_ni_wait(ni, FUGU_WAIT_SPACE);
    }
    if (pairs && c->body_out) {
        return fugu_ni_wait(ni, FUGU_WAIT_BODY);
    }

    p = fugu_packet_new(machine->parts.hub);
    if (pairs) {
        fugu_dma_gather(ni, &d->words[words], pairs, p, ra);
    }
    if (user) {
        fugu_meter_sent(&ni->node->meter, ni->gid, pairs, p->body_len);
    }
    ni_commit(ni, c, d, words, stamped_header(ni, d->words[0], user), p,
              now + (int64_t)machine->options.dma_word * (p->body_len / 4),
              user);
    d->length = 0;
    d->reserved = 0;
    return 0;
}

int fugu_ni_launch_second(FuguNI *ni, uint32_t n)
{
    FuguMachineState *machine = ni->node->machine;
    FuguChannel *c = &ni->channel[FUGU_SECOND_NETWORK];
    uint32_t header = ni->second.words[0];

    if (n == 0 || n > FUGU_MSG_WORDS ||
        header_node(header) >= machine->options.node_count) {
        return FUGU_TT_PROTECTION_VIOLATION;
    }
    if (c->space < n) {
        return fugu_ni_wait(ni, FUGU_WAIT_SECOND);
    }
    /* This network has no GIDs: software chooses all bits but the node. */
    header = (header & ~FUGU_HDR_NODE_MASK) | ni->node->number;
    ni_commit(ni, c, &ni->second, n, header,
              fugu_packet_new(machine->parts.hub), fugu_node_time(ni->node),
              false);
    return 0;
}

/* The head of this network's queue is about to be removed. */
static void seen_dispose(FuguChannel *c, const FuguPacket *head, bool user)
{
    FuguNode *node = c->ni->node;

    if (node->seen) {
        fugu_seen_dispose(node->seen, fugu_node_time(node), head, user,
                          c->queue_words - head->length);
    }
}

static int ni_dispose(FuguNI *ni, bool user)
{
    FuguPacket *head = fugu_ni_head(ni, FUGU_MAIN_NETWORK);
    int64_t now = fugu_node_time(ni->node);

    if (user && ni->divert) {
        fugu_meter_received(&ni->node->meter);
        return FUGU_TT_DISPOSE_EXTEND;
    }
    if (user ? !fugu_ni_message_available(ni) : !head) {
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
    seen_dispose(&ni->channel[FUGU_MAIN_NETWORK], head, user);
    fugu_channel_drop_head(&ni->channel[FUGU_MAIN_NETWORK]);
    if (user) {
        fugu_meter_received(&ni->node->meter);
        ni->uac &= ~FUGU_UAC_DISPOSE_PENDING;
        fugu_ni_timer_preset(ni);
    }
    fugu_ni_update(ni);
    return 0;
}

int fugu_ni_dispose_second(FuguNI *ni)
{
    if (!fugu_ni_head(ni, FUGU_SECOND_NETWORK)) {
        return FUGU_TT_BAD_DISPOSE;
    }
    seen_dispose(&ni->channel[FUGU_SECOND_NETWORK],
                 fugu_ni_head(ni, FUGU_SECOND_NETWORK), false);
    fugu_channel_drop_head(&ni->channel[FUGU_SECOND_NETWORK]);
    fugu_ni_update(ni);
    return 0;
}

static int ni_beginatom(FuguNI *ni, uint32_t mask, bool user)
{
    if (user && !(ni->uac & FUGU_UAC_INTERRUPT_DISABLE)) {
        ni->atomic_since = fugu_node_time(ni->node);
    }
    ni->uac |= mask & (user ? FUGU_UAC_USER : FUGU_UAC_ALL);
    if (user && ni->node->seen) {
        fugu_seen_before_uac(ni->node->seen, fugu_node_time(ni->node));
        fugu_seen_uac(ni->node->seen, fugu_node_time(ni->node), ni->uac);
    }
    fugu_ni_update(ni);
    return 0;
}

static int ni_endatom(FuguNI *ni, uint32_t mask, bool user)
{
    if (user && (ni->uac & FUGU_UAC_DISPOSE_PENDING)) {
        return FUGU_TT_DISPOSE_FAILURE;
    }
    if (user && (ni->uac & FUGU_UAC_ATOMICITY_EXTEND)) {
        return FUGU_TT_ATOMICITY_EXTEND;
    }
    ni->uac &= ~(mask & (user ? FUGU_UAC_USER : FUGU_UAC_ALL));
    if (user) {
        int64_t now = fugu_node_time(ni->node);

        if (ni->node->seen) {
            fugu_seen_before_uac(ni->node->seen, now);
        }
        fugu_meter_user(&ni->node->meter, now, ni->uac & FUGU_UAC_TIMER_FORCE);
        if (ni->node->seen) {
            fugu_seen_uac(ni->node->seen, now, ni->uac);
        }
    }
    fugu_ni_update(ni);
    return 0;
}

int fugu_ni_op(FuguNI *ni, SparcleOp op, uint32_t a, uint32_t b, bool user,
               uintptr_t ra)
{
    if (fugu_ni_soft(ni) &&
        (op == SPARCLE_BEGINATOM || op == SPARCLE_ENDATOM)) {
        return TT_NCP_INSN;     /* as any unknown operation */
    }
    switch (op) {
    case SPARCLE_LAUNCH:
        return ni_launch(ni, a, b, user, ra);
    case SPARCLE_DISPOSE:
        return ni_dispose(ni, user);
    case SPARCLE_BEGINATOM:
        return ni_beginatom(ni, a, user);
    case SPARCLE_ENDATOM:
        return ni_endatom(ni, a, user);
    }
    g_assert_not_reached();
}
