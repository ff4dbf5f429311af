/*
 * The system part of a network interface: the device, reset and saved
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/system/absent.h"
#include "hw/fugu/ni/system/channel.h"
#include "hw/fugu/ni/system/check.h"
#include "hw/fugu/ni/system/device.h"
#include "hw/fugu/ni/system/flags.h"
#include "hw/fugu/ni/system/op.h"
#include "hw/fugu/ni/system/regs.h"

/* ---- Reset and state ----------------------------------------------------- */

static void system_reset_hold(Object *obj, ResetType type)
{
    FuguSystemNI *ni = FUGU_SYSTEM_NI(obj);

    fugu_channel_reset(&ni->second);
    memset(ni->second_window, 0, sizeof(ni->second_window));
    ni->sequence = 0;
    ni->gid = 0;
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
    ni->part->reset(ni);
}

static int system_pre_load(void *opaque)
{
    FUGU_SYSTEM_NI(opaque)->atomic_since = FUGU_NEVER;
    return 0;
}

const VMStateDescription vmstate_fugu_system_ni = {
    .name = TYPE_FUGU_SYSTEM_NI,
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_load = system_pre_load,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(second, FuguSystemNI, 1, vmstate_fugu_channel,
                       FuguChannel),
        VMSTATE_UINT32_ARRAY(second_window, FuguSystemNI, FUGU_MSG_WORDS),
        VMSTATE_UINT32(sequence, FuguSystemNI),
        VMSTATE_UINT32(gid, FuguSystemNI),
        VMSTATE_UINT32(timeout, FuguSystemNI),
        VMSTATE_UINT32(uac, FuguSystemNI),
        VMSTATE_INT64(parent_obj.cycle_offset, FuguSystemNI),
        VMSTATE_UINT32(offset_high, FuguSystemNI),
        VMSTATE_UINT32(cycles_low, FuguSystemNI),
        VMSTATE_INT64(timer_left, FuguSystemNI),
        VMSTATE_INT64(timer_mark, FuguSystemNI),
        VMSTATE_BOOL(timer_runs, FuguSystemNI),
        VMSTATE_BOOL(user_mode, FuguSystemNI),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- Methods of every kind (machine/netif.h) ------------------------------ */

/* The hub and the link deliver no packet in a network without limits. */
static void netif_arrive(FuguNetif *obj, FuguPacket *packet)
{
    FuguSystemNI *ni = (FuguSystemNI *)obj;

    fugu_channel_arrive(ni->channel[packet->network], packet);
}

FuguNetifLimits fugu_system_limits(const FuguMachineState *m, int network)
{
    return network == FUGU_SECOND_NETWORK
           ? (FuguNetifLimits) {
                 .space = FUGU_SECOND_WORDS,
                 .words = FUGU_MSG_WORDS,
             }
           : (FuguNetifLimits) { 0 };
}

static int netif_op(FuguNetif *ni, SparcleOp op, uint32_t a, uint32_t b,
                    bool user, uintptr_t ra)
{
    return fugu_system_op((FuguSystemNI *)ni, op, a, user);
}

static int netif_resolve(FuguNetif *ni, uintptr_t ra)
{
    return fugu_system_resolve((FuguSystemNI *)ni, ra);
}

static void netif_mode(FuguNetif *ni, bool user)
{
    fugu_system_mode((FuguSystemNI *)ni, user);
}

/* Under Glaze, a job's GID is its number. */
static uint32_t netif_job(FuguNetif *ni)
{
    return ((FuguSystemNI *)ni)->gid;
}

static const FuguPacketList *netif_packets(FuguNetif *ni, int network,
                                           FuguNetifPlace place)
{
    FuguChannel *c = ((FuguSystemNI *)ni)->channel[network];

    return c ? fugu_channel_packets(c, place) : NULL;
}

static FuguNetifSection netif_section(FuguNetif *obj)
{
    FuguSystemNI *ni = (FuguSystemNI *)obj;
    FuguChannel *c = ni->channel[FUGU_MAIN_NETWORK];
    FuguNetifSection section = {
        .uac = ni->uac,
        .since = ni->atomic_since == FUGU_NEVER ? -1 : ni->atomic_since,
    };
    FuguPacket *p;

    if (c) {
        QTAILQ_FOREACH(p, &c->queue, next) {
            section.queued++;
        }
    }
    return section;
}

static const char *netif_check(FuguNetif *ni)
{
    return fugu_system_check((FuguSystemNI *)ni);
}

/* ---- Methods that a message part does not set (system.h) ------------------- */

static void part_nothing(FuguSystemNI *ni)
{
}

static const FuguPacket *part_message(FuguSystemNI *ni)
{
    return NULL;
}

static uint32_t part_pending(FuguSystemNI *ni)
{
    return 0;
}

/* ---- Device -------------------------------------------------------------- */

static void system_init(Object *obj)
{
    FUGU_SYSTEM_NI(obj)->part = FUGU_SYSTEM_NI_GET_CLASS(obj);
}

static void system_realize(DeviceState *dev, Error **errp)
{
    FuguSystemNI *ni = FUGU_SYSTEM_NI(dev);

    ni->node = ni->parent_obj.node;
    ni->soft = ni->node->machine->options.atomicity == FUGU_ATOMICITY_SOFT;
    fugu_channel_init(ni, &ni->second, FUGU_SECOND_NETWORK,
                      FUGU_SECOND_WORDS);
    fugu_system_flags_init(ni);
    ni->part->init(ni);
    fugu_system_init_pages(ni);
}

static void system_class_init(ObjectClass *klass, void *data)
{
    FuguNetifClass *nc = FUGU_NETIF_CLASS(klass);
    FuguSystemNIClass *part = FUGU_SYSTEM_NI_CLASS(klass);

    DEVICE_CLASS(klass)->realize = system_realize;
    RESETTABLE_CLASS(klass)->phases.hold = system_reset_hold;
    nc->instance_size = sizeof(FuguSystemNI);
    nc->state = &vmstate_fugu_system_ni;
    nc->arrive = netif_arrive;
    nc->limits = fugu_system_limits;
    nc->op = netif_op;
    nc->resolve = netif_resolve;
    nc->mode = netif_mode;
    nc->job = netif_job;
    nc->packets = netif_packets;
    nc->section = netif_section;
    nc->check = netif_check;
    nc->check_balance = fugu_system_check_balance;
    part->init = part_nothing;
    part->reset = part_nothing;
    part->user_read = fugu_absent_user_read;
    part->kernel_read = fugu_absent_kernel_read;
    part->user_write = fugu_absent_user_write;
    part->kernel_write = fugu_absent_kernel_write;
    part->message = part_message;
    part->settle = part_nothing;
    part->pending = part_pending;
}

static const TypeInfo system_types[] = {
    {
        .name = TYPE_FUGU_SYSTEM_NI,
        .parent = TYPE_FUGU_NETIF,
        .instance_size = sizeof(FuguSystemNI),
        .instance_init = system_init,
        .class_size = sizeof(FuguSystemNIClass),
        .class_init = system_class_init,
        .abstract = true,
    },
};

DEFINE_TYPES(system_types)
