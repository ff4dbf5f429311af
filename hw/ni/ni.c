/*
 * The FUGU network interface: flags, atomicity timer, interrupts, state
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/module.h"
#include "migration/vmstate.h"
#include "hw/fugu/board/machine.h"
#include "hw/fugu/ni/ni.h"

/* ---- Flags and the atomicity timer (paper, table 3) --------------------- */

/*
 * Where atomicity is soft there is no beginatom, no endatom and no timer, so
 * that timeout stays 0 and nothing below it has to ask. UAC is a register of
 * the kernel's, by which no interrupt goes: each message is one, and whose it
 * is, the kernel has to see.
 */
bool fugu_ni_soft(FuguNI *ni)
{
    return ni->node->machine->atomicity == FUGU_ATOMICITY_SOFT;
}

/* The user sees this head: it is its own, and no divert-mode hides it. */
static bool head_is_users(FuguNI *ni, FuguPacket *head)
{
    uint32_t gid = (head->words[0] & FUGU_HDR_GID_MASK) >> FUGU_HDR_GID_SHIFT;

    return !(head->words[0] & FUGU_HDR_KERNEL) && gid == ni->gid &&
           !ni->divert;
}

/* It asks for message-available; any other head, for mismatch-available. */
static bool head_is_a_message(FuguNI *ni, FuguPacket *head)
{
    return fugu_ni_soft(ni) ? !(head->words[0] & FUGU_HDR_KERNEL)
                            : head_is_users(ni, head);
}

bool fugu_ni_message_available(FuguNI *ni)
{
    FuguPacket *head = fugu_ni_head(ni, FUGU_MAIN_NETWORK);

    return head && head_is_users(ni, head);
}

static bool timer_enabled(FuguNI *ni)
{
    return (ni->uac & FUGU_UAC_TIMER_FORCE) ||
           ((ni->uac & FUGU_UAC_INTERRUPT_DISABLE) &&
            fugu_ni_message_available(ni));
}

int64_t fugu_ni_timer_left(FuguNI *ni, int64_t now)
{
    return ni->timer_runs ? MAX(0, ni->timer_left - (now - ni->timer_mark))
                          : ni->timer_left;
}

/* Bring the counter up to date, and decide whether it goes on. */
void fugu_ni_update_timer(FuguNI *ni)
{
    int64_t now = fugu_node_time(ni->node);
    bool enabled = timer_enabled(ni);

    ni->timer_left = enabled ? fugu_ni_timer_left(ni, now) : ni->timeout;
    ni->timer_mark = now;
    ni->timer_runs = enabled && ni->user_mode && ni->timeout &&
                     ni->timer_left > 0;
    fugu_event_set(ni->node, &ni->timer_event,
                   ni->timer_runs ? now + ni->timer_left : FUGU_NEVER);
}

void fugu_ni_timer_preset(FuguNI *ni)
{
    ni->timer_left = ni->timeout;
    ni->timer_mark = fugu_node_time(ni->node);
}

void fugu_ni_mode(FuguNI *ni, bool user)
{
    if (ni->user_mode != user) {
        /* Count the mode that ends, before the new one decides. */
        ni->timer_left = fugu_ni_timer_left(ni, fugu_node_time(ni->node));
        ni->timer_mark = fugu_node_time(ni->node);
        ni->user_mode = user;
        fugu_ni_update(ni);
    }
}

/* ---- Interrupts --------------------------------------------------------- */

uint32_t fugu_ni_pending(FuguNI *ni)
{
    FuguPacket *head = fugu_ni_head(ni, FUGU_MAIN_NETWORK);
    bool message = head && head_is_a_message(ni, head);
    uint32_t set = 0;

    if (message && (fugu_ni_soft(ni) ||
                    !(ni->uac & FUGU_UAC_INTERRUPT_DISABLE))) {
        set |= FUGU_PEND_MESSAGE;
    }
    if (head && !message) {
        set |= FUGU_PEND_MISMATCH;
    }
    if (ni->timeout && timer_enabled(ni) &&
        fugu_ni_timer_left(ni, fugu_node_time(ni->node)) == 0) {
        set |= FUGU_PEND_TIMEOUT;
    }
    if (fugu_ni_head(ni, FUGU_SECOND_NETWORK)) {
        set |= FUGU_PEND_SECOND;
    }
    return set;
}

static void update_irq(FuguNI *ni)
{
    uint32_t set = fugu_ni_pending(ni);

    fugu_node_set_irq(ni->node, FUGU_IRQ_MESSAGE, set & FUGU_PEND_MESSAGE);
    fugu_node_set_irq(ni->node, FUGU_IRQ_MISMATCH, set & FUGU_PEND_MISMATCH);
    fugu_node_set_irq(ni->node, FUGU_IRQ_TIMEOUT, set & FUGU_PEND_TIMEOUT);
    fugu_node_set_irq(ni->node, FUGU_IRQ_SECOND, set & FUGU_PEND_SECOND);
}

void fugu_ni_update(FuguNI *ni)
{
    fugu_ni_update_timer(ni);
    update_irq(ni);
}

static void ni_timer_expired(void *opaque)
{
    fugu_ni_update(opaque);
}

int64_t fugu_ni_cycle_offset(FuguNI *ni)
{
    return ni->cycle_offset;
}

/* ---- Device ------------------------------------------------------------- */

static void fugu_ni_reset_hold(Object *obj, ResetType type)
{
    FuguNI *ni = FUGU_NI(obj);

    for (int i = 0; i < FUGU_NETWORKS; i++) {
        fugu_channel_reset(&ni->channel[i]);
    }
    ni->sequence = 0;
    memset(&ni->user, 0, sizeof(ni->user));
    memset(&ni->kernel, 0, sizeof(ni->kernel));
    memset(&ni->second, 0, sizeof(ni->second));
    ni->gid = 0;
    ni->divert = false;
    ni->timeout = 0;
    ni->uac = 0;
    ni->cycle_offset = 0;
    ni->offset_high = 0;
    ni->cycles_low = 0;
    ni->timer_left = 0;
    ni->timer_mark = 0;
    ni->timer_runs = false;
    ni->user_mode = false;
    fugu_event_set(ni->node, &ni->timer_event, FUGU_NEVER);
    ni->sb_addr = 0;
    ni->sb_offset = 0;
    ni->dma_addr = 0;
    ni->dma_armed = false;
    ni->dma_until = 0;
    ni->dma_hides = false;
    fugu_event_set(ni->node, &ni->dma_event, FUGU_NEVER);
}

static const VMStateDescription vmstate_descriptor = {
    .name = "fugu-ni/descriptor",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_ARRAY(words, FuguDescriptor, FUGU_MSG_WORDS),
        VMSTATE_UINT32(length, FuguDescriptor),
        VMSTATE_UINT32(reserved, FuguDescriptor),
        VMSTATE_END_OF_LIST()
    }
};

const VMStateDescription vmstate_fugu_ni = {
    .name = "fugu-ni",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT_ARRAY(channel, FuguNI, FUGU_NETWORKS, 1,
                             vmstate_fugu_channel, FuguChannel),
        VMSTATE_UINT32(sequence, FuguNI),
        VMSTATE_STRUCT(user, FuguNI, 1, vmstate_descriptor, FuguDescriptor),
        VMSTATE_STRUCT(kernel, FuguNI, 1, vmstate_descriptor, FuguDescriptor),
        VMSTATE_STRUCT(second, FuguNI, 1, vmstate_descriptor, FuguDescriptor),
        VMSTATE_UINT32(gid, FuguNI),
        VMSTATE_BOOL(divert, FuguNI),
        VMSTATE_UINT32(timeout, FuguNI),
        VMSTATE_UINT32(uac, FuguNI),
        VMSTATE_INT64(cycle_offset, FuguNI),
        VMSTATE_UINT32(offset_high, FuguNI),
        VMSTATE_UINT32(cycles_low, FuguNI),
        VMSTATE_INT64(timer_left, FuguNI),
        VMSTATE_INT64(timer_mark, FuguNI),
        VMSTATE_BOOL(timer_runs, FuguNI),
        VMSTATE_BOOL(user_mode, FuguNI),
        VMSTATE_UINT32(sb_addr, FuguNI),
        VMSTATE_UINT32(sb_offset, FuguNI),
        VMSTATE_UINT32(dma_addr, FuguNI),
        VMSTATE_BOOL(dma_armed, FuguNI),
        VMSTATE_INT64(dma_until, FuguNI),
        VMSTATE_BOOL(dma_hides, FuguNI),
        VMSTATE_END_OF_LIST()
    }
};

static void fugu_ni_realize(DeviceState *dev, Error **errp)
{
    FuguNI *ni = FUGU_NI(dev);

    for (int i = 0; i < FUGU_NETWORKS; i++) {
        fugu_channel_init(ni, i);
    }
    fugu_event_init(ni->node, &ni->timer_event, ni_timer_expired, ni);
    fugu_dma_init(ni);
    fugu_ni_init_pages(ni);
}

static void fugu_ni_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    ResettableClass *rc = RESETTABLE_CLASS(klass);

    dc->desc = "FUGU network interface";
    dc->realize = fugu_ni_realize;
    dc->user_creatable = false;
    rc->phases.hold = fugu_ni_reset_hold;
}

static const TypeInfo fugu_ni_info = {
    .name = TYPE_FUGU_NI,
    .parent = TYPE_DEVICE,
    .instance_size = sizeof(FuguNI),
    .class_init = fugu_ni_class_init,
};

static void fugu_ni_register_types(void)
{
    type_register_static(&fugu_ni_info);
}

type_init(fugu_ni_register_types)
