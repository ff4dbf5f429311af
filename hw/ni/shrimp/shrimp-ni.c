/*
 * The SHRIMP network interface: the device, reset and saved
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "migration/vmstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/shrimp/automatic.h"
#include "hw/fugu/ni/shrimp/check.h"
#include "hw/fugu/ni/shrimp/command.h"
#include "hw/fugu/ni/shrimp/engine.h"
#include "hw/fugu/ni/shrimp/incoming.h"
#include "hw/fugu/ni/shrimp/inspect.h"
#include "hw/fugu/ni/shrimp/merge.h"
#include "hw/fugu/ni/shrimp/nipt.h"
#include "hw/fugu/ni/shrimp/outgoing.h"
#include "hw/fugu/ni/shrimp/pace.h"
#include "hw/fugu/ni/shrimp/regs.h"
#include "hw/fugu/ni/system/channel.h"
#include "hw/fugu/ni/system/device.h"

/* ---- Reset and state ----------------------------------------------------- */

static void part_reset(FuguSystemNI *system)
{
    ShrimpNI *ni = shrimp_of(system);

    fugu_channel_reset(&ni->main);
    shrimp_nipt_reset(&ni->nipt);
    shrimp_engine_reset(ni);
    shrimp_out_reset(ni);
    shrimp_merge_reset(ni);
    shrimp_in_reset(ni);
    ni->damage = SHRIMP_DAMAGE_NOTHING;
}

static const VMStateDescription vmstate_shrimp_ni = {
    .name = TYPE_SHRIMP_NI,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(parent_obj, ShrimpNI, 1, vmstate_fugu_system_ni,
                       FuguSystemNI),
        VMSTATE_STRUCT(main, ShrimpNI, 1, vmstate_fugu_channel, FuguChannel),
        VMSTATE_STRUCT(nipt, ShrimpNI, 1, vmstate_shrimp_nipt, ShrimpNipt),
        VMSTATE_STRUCT(out, ShrimpNI, 1, vmstate_shrimp_outgoing,
                       ShrimpOutgoing),
        VMSTATE_STRUCT(open, ShrimpNI, 1, vmstate_shrimp_open, ShrimpOpen),
        VMSTATE_STRUCT(engine, ShrimpNI, 1, vmstate_shrimp_engine,
                       ShrimpEngine),
        VMSTATE_STRUCT(in, ShrimpNI, 1, vmstate_shrimp_incoming,
                       ShrimpIncoming),
        VMSTATE_UINT32(damage, ShrimpNI),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- Methods (machine/netif.h) ---------------------------------------------- */

static FuguNetifLimits netif_limits(const FuguMachineState *m, int network)
{
    return network == FUGU_MAIN_NETWORK
           ? (FuguNetifLimits) {
                 .space = FUGU_SHRIMP_CREDITS,
                 .words = FUGU_SHRIMP_OVERHEAD,
                 .body = m->options.packet_max,
                 .counts_bodies = true,
             }
           : fugu_system_limits(m, network);
}

/* What the Outgoing FIFO has is at its source. */
static const FuguPacketList *netif_packets(FuguNetif *obj, int network,
                                           FuguNetifPlace place)
{
    ShrimpNI *ni = (ShrimpNI *)obj;
    const FuguChannel *c = ni->parent_obj.channel[network];

    if (network == FUGU_MAIN_NETWORK && place == FUGU_NETIF_DEPARTING) {
        return &ni->out.fifo;
    }
    return c ? fugu_channel_packets(c, place) : NULL;
}

static const char *netif_check(FuguNetif *ni)
{
    return shrimp_check((ShrimpNI *)ni);
}

/* ---- Methods of the message part (system.h) --------------------------------- */

static void part_init(FuguSystemNI *system)
{
    ShrimpNI *ni = shrimp_of(system);
    const FuguMachineState *m = system->node->machine;
    uint32_t height;

    ni->node = system->node;
    ni->packet_max = m->options.packet_max;
    ni->mesh_width = m->options.main_params.width;
    if (!ni->mesh_width) {
        mesh_shape(m->options.node_count, &ni->mesh_width, &height);
    }
    QTAILQ_INIT(&ni->out.fifo);
    fugu_channel_init(system, &ni->main, FUGU_MAIN_NETWORK, FUGU_SHRIMP_FIFO);
    shrimp_nipt_init(ni);
    shrimp_pace_init(ni);
    shrimp_in_init(ni);
    shrimp_command_init(ni);
}

static void part_settle(FuguSystemNI *system)
{
    shrimp_settle(shrimp_of(system));
}

static uint32_t part_pending(FuguSystemNI *system)
{
    const ShrimpNI *ni = shrimp_of(system);

    return (ni->nipt.arrivals ? FUGU_PEND_ARRIVAL : 0) |
           (ni->in.drop_pending ? FUGU_PEND_DROPPED : 0) |
           shrimp_out_pending(ni);
}

/* ---- The test's hook --------------------------------------------------------- */

/* The mesh never changes a packet. A test says what happens to the next packet
 * that leaves. */
static void set_damage(Object *obj, const char *value, Error **errp)
{
    ShrimpNI *ni = SHRIMP_NI(obj);

    if (!strcmp(value, "crc")) {
        ni->damage = SHRIMP_DAMAGE_CRC;
    } else if (!strcmp(value, "coordinates")) {
        ni->damage = SHRIMP_DAMAGE_COORDINATES;
    } else {
        error_setg(errp, "damage: must be crc or coordinates");
    }
}

/* ---- Device -------------------------------------------------------------- */

static const char *const options[] = {
    "mesh-base", "mesh-hop", "mesh-word", "dma-word", "packet-max",
    "incoming-word", "write-through", NULL
};

static void shrimp_ni_class_init(ObjectClass *klass, void *data)
{
    FuguNetifClass *nc = FUGU_NETIF_CLASS(klass);
    FuguSystemNIClass *part = FUGU_SYSTEM_NI_CLASS(klass);

    DEVICE_CLASS(klass)->desc = "SHRIMP network interface";
    nc->instance_size = sizeof(ShrimpNI);
    nc->number = FUGU_NETIF_SHRIMP;
    nc->state = &vmstate_shrimp_ni;
    nc->options = options;
    nc->limits = netif_limits;
    nc->packets = netif_packets;
    nc->check = netif_check;
    part->init = part_init;
    part->reset = part_reset;
    part->settle = part_settle;
    part->pending = part_pending;
    shrimp_class_init_automatic(nc);
    shrimp_class_init_regs(part);
    shrimp_class_init_inspect(klass);
    object_class_property_add_str(klass, "damage", NULL, set_damage);
}

static const TypeInfo shrimp_types[] = {
    {
        .name = TYPE_SHRIMP_NI,
        .parent = TYPE_FUGU_SYSTEM_NI,
        .instance_size = sizeof(ShrimpNI),
        .class_init = shrimp_ni_class_init,
    },
};

DEFINE_TYPES(shrimp_types)
