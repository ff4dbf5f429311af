/*
 * The FUGU network interface: the device, reset and saved
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/check.h"
#include "hw/fugu/ni/dma.h"
#include "hw/fugu/ni/flags.h"
#include "hw/fugu/ni/op.h"
#include "hw/fugu/ni/queue.h"
#include "hw/fugu/ni/regs.h"

/* ---- Reset and state ----------------------------------------------------- */

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
    ni->parent_obj.cycle_offset = 0;
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
    ni->dma_body = 0;
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

static int ni_pre_load(void *opaque)
{
    FUGU_NI(opaque)->atomic_since = FUGU_NEVER;
    return 0;
}

static const VMStateDescription vmstate_fugu_ni = {
    .name = "fugu-ni",
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_load = ni_pre_load,
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
        VMSTATE_INT64(parent_obj.cycle_offset, FuguNI),
        VMSTATE_UINT32(offset_high, FuguNI),
        VMSTATE_UINT32(cycles_low, FuguNI),
        VMSTATE_INT64(timer_left, FuguNI),
        VMSTATE_INT64(timer_mark, FuguNI),
        VMSTATE_BOOL(timer_runs, FuguNI),
        VMSTATE_BOOL(user_mode, FuguNI),
        VMSTATE_UINT32(sb_addr, FuguNI),
        VMSTATE_UINT32(sb_offset, FuguNI),
        VMSTATE_UINT32(dma_addr, FuguNI),
        VMSTATE_UINT32(dma_body, FuguNI),
        VMSTATE_BOOL(dma_armed, FuguNI),
        VMSTATE_INT64(dma_until, FuguNI),
        VMSTATE_BOOL(dma_hides, FuguNI),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- Methods (machine/netif.h) ---------------------------------------------- */

static void netif_arrive(FuguNetif *ni, FuguPacket *packet)
{
    fugu_ni_arrive((FuguNI *)ni, packet);
}

static FuguNetifLimits netif_limits(const FuguMachineState *m, int network)
{
    return network == FUGU_MAIN_NETWORK
           ? (FuguNetifLimits) {
                 .space = m->options.source_space,
                 .words = FUGU_MSG_WORDS,
                 .body = FUGU_BODY_MAX,
             }
           : (FuguNetifLimits) {
                 .space = FUGU_SECOND_WORDS,
                 .words = FUGU_MSG_WORDS,
             };
}

static int netif_op(FuguNetif *ni, SparcleOp op, uint32_t a, uint32_t b,
                    bool user, uintptr_t ra)
{
    return fugu_ni_op((FuguNI *)ni, op, a, b, user, ra);
}

static int netif_resolve(FuguNetif *ni, uintptr_t ra)
{
    return fugu_ni_resolve((FuguNI *)ni, ra);
}

static void netif_mode(FuguNetif *ni, bool user)
{
    fugu_ni_mode((FuguNI *)ni, user);
}

/* Under Glaze, a job's GID is its number. */
static uint32_t netif_job(FuguNetif *ni)
{
    return FUGU_NI(ni)->gid;
}

static const FuguPacketList *netif_packets(FuguNetif *ni, int network,
                                           FuguNetifPlace place)
{
    FuguChannel *c = &((FuguNI *)ni)->channel[network];

    switch (place) {
    case FUGU_NETIF_DEPARTING:
        return &c->departing;
    case FUGU_NETIF_FLIGHT:
        return &c->flight;
    case FUGU_NETIF_BLOCKED:
        return &c->blocked;
    case FUGU_NETIF_QUEUE:
        return &c->queue;
    }
    g_assert_not_reached();
}

static FuguNetifSection netif_section(FuguNetif *obj)
{
    FuguNI *ni = (FuguNI *)obj;
    FuguNetifSection section = {
        .uac = ni->uac,
        .since = ni->atomic_since == FUGU_NEVER ? -1 : ni->atomic_since,
    };
    FuguPacket *p;

    QTAILQ_FOREACH(p, &ni->channel[FUGU_MAIN_NETWORK].queue, next) {
        section.queued++;
    }
    return section;
}

static const char *netif_check(FuguNetif *ni)
{
    return fugu_ni_check((FuguNI *)ni);
}

/* ---- Device -------------------------------------------------------------- */

static void fugu_ni_realize(DeviceState *dev, Error **errp)
{
    FuguNI *ni = FUGU_NI(dev);

    ni->node = ni->parent_obj.node;
    for (int i = 0; i < FUGU_NETWORKS; i++) {
        fugu_channel_init(ni, i);
    }
    fugu_flags_init(ni);
    fugu_dma_init(ni);
    fugu_ni_init_pages(ni);
}

static void fugu_ni_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    ResettableClass *rc = RESETTABLE_CLASS(klass);
    FuguNetifClass *nc = FUGU_NETIF_CLASS(klass);

    dc->desc = "FUGU network interface";
    dc->realize = fugu_ni_realize;
    rc->phases.hold = fugu_ni_reset_hold;
    nc->instance_size = sizeof(FuguNI);
    nc->number = FUGU_NETIF_FUGU;
    nc->state = &vmstate_fugu_ni;
    nc->arrive = netif_arrive;
    nc->limits = netif_limits;
    nc->op = netif_op;
    nc->resolve = netif_resolve;
    nc->mode = netif_mode;
    nc->job = netif_job;
    nc->packets = netif_packets;
    nc->section = netif_section;
    nc->check = netif_check;
    nc->check_balance = fugu_ni_check_balance;
}

static const TypeInfo ni_types[] = {
    {
        .name = TYPE_FUGU_NI,
        .parent = TYPE_FUGU_NETIF,
        .instance_size = sizeof(FuguNI),
        .class_init = fugu_ni_class_init,
    },
};

DEFINE_TYPES(ni_types)
