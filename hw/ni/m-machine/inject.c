/*
 * The M-Machine's message interface: injection (paper, "Injection")
 *
 * SEND takes the message from the registers as a whole, or not at all. The network
 * controller retrieves a word a cycle; then the Ack bit is valid, and the context
 * may send again. Registers are copied at SEND, since a window may be spilled
 * meanwhile (docs/caveats.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/ni/m-machine/inject.h"
#include "hw/fugu/ni/m-machine/tables.h"
#include "hw/fugu/ni/system/channel.h"

#define ALL_ACKS        ((1u << FUGU_MM_ACKS) - 1)

/* ---- Ack ------------------------------------------------------------------ */

uint32_t mm_acks(MMachineNI *ni, unsigned context)
{
    const MMInjection *in = &ni->injection[context];

    return in->acks |
           (in->free <= fugu_node_time(ni->node) ? 1u << in->ack : 0);
}

/* Waits for the network controller to retrieve the last message. */
static int wait_for_buffer(MMachineNI *ni, MMInjection *in)
{
    fugu_event_set(ni->node, &in->event, in->free);
    return fugu_system_wait(&ni->parent_obj, FUGU_WAIT_ACK);
}

int mm_await(MMachineNI *ni, unsigned context, uint32_t acks)
{
    return acks & ALL_ACKS & ~mm_acks(ni, context)
           ? wait_for_buffer(ni, &ni->injection[context]) : 0;
}

/* ---- SEND ----------------------------------------------------------------- */

/* Returns the priority at which @context sends, or -1 if it may not send. */
static int priority_of(const MMachineNI *ni, unsigned context)
{
    if (context == 0) {
        return ni->main_priority;
    }
    if (!(ni->rules & FUGU_MM_RULE_REPLIES)) {
        return context - 1;
    }
    return context == 1 ? 1 : -1;
}

static uint32_t gid_of(const MMachineNI *ni, unsigned context)
{
    return context == 0 ? ni->parent_obj.gid : ni->extraction[context - 1].gid;
}

static int refuse(MMachineNI *ni, uint32_t dest, uint32_t handler, int tt)
{
    ni->tables.miss_dest = dest;
    ni->tables.miss_ip = handler;
    return tt;
}

static void inject(MMachineNI *ni, FuguChannel *c, uint32_t gid,
                   const MMTarget *target, unsigned length,
                   const uint32_t *words)
{
    FuguNode *node = ni->node;
    FuguPacket *p = fugu_packet_new(node->machine->parts.hub);

    p->dest = target->node;
    p->length = FUGU_MM_HEAD + length;
    p->words[MM_HEADER] = gid << FUGU_HDR_GID_SHIFT | node->number;
    p->words[MM_HANDLER] = target->pc;
    p->words[MM_DEST] = target->address;
    memcpy(p->words + MM_BODY, words, length * sizeof(words[0]));
    fugu_channel_send(c, p, fugu_node_time(node), true);
    fugu_meter_sent(&node->meter, gid, false, 0);
}

int mm_send(MMachineNI *ni, unsigned context, uint32_t dest, uint32_t handler,
            const SparcleSend *s, const uint32_t *words)
{
    MMInjection *in = &ni->injection[context];
    uint32_t gid = gid_of(ni, context);
    int priority = priority_of(ni, context);
    int64_t now = fugu_node_time(ni->node);
    FuguChannel *c;
    MMTarget target;
    int tt;

    if (priority < 0 || s->length > FUGU_MM_BODY_MAX) {
        return refuse(ni, dest, handler, FUGU_TT_PROTECTION_VIOLATION);
    }
    tt = mm_translate(&ni->tables, gid,
                      ni->node->machine->options.node_count, dest, handler,
                      &target);
    if (tt) {
        return refuse(ni, dest, handler, tt);
    }
    if (in->free > now) {
        return wait_for_buffer(ni, in);
    }
    c = &ni->channel[priority];
    if (c->space < FUGU_MM_HEAD + s->length) {
        return fugu_system_wait(&ni->parent_obj, FUGU_WAIT_SPACE);
    }
    inject(ni, c, gid, &target, s->length, words);
    in->acks = (in->acks | 1u << in->ack) & ~(1u << s->ack);
    in->ack = s->ack;
    in->free = now + s->length;
    return 0;
}

/* ---- Set-up --------------------------------------------------------------- */

/* The node lets contexts that wait try again after each event. */
static void buffer_is_free(void *opaque)
{
}

void mm_injection_init(MMachineNI *ni)
{
    for (unsigned i = 0; i < SPARCLE_CONTEXTS; i++) {
        fugu_event_init(ni->node, &ni->injection[i].event, buffer_is_free, ni);
    }
}

/* All Ack bits are valid, so a program that has sent nothing does not wait. */
void mm_injection_reset(MMachineNI *ni)
{
    for (unsigned i = 0; i < SPARCLE_CONTEXTS; i++) {
        MMInjection *in = &ni->injection[i];

        in->free = 0;
        in->ack = 0;
        in->acks = ALL_ACKS;
        fugu_event_set(ni->node, &in->event, FUGU_NEVER);
    }
}

static int injection_post_load(void *opaque, int version)
{
    const MMInjection *in = opaque;

    /* Only the bit of the last SEND becomes valid by itself. */
    return in->ack < FUGU_MM_ACKS && (in->acks | 1u << in->ack) == ALL_ACKS
           ? 0 : -EINVAL;
}

const VMStateDescription vmstate_mm_injection = {
    .name = "m-machine-ni/injection",
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = injection_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_INT64(free, MMInjection),
        VMSTATE_UINT8(ack, MMInjection),
        VMSTATE_UINT32(acks, MMInjection),
        VMSTATE_END_OF_LIST()
    }
};
