/*
 * A network interface of no particular kind
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/machine/netif.h"

const FuguNetifClass *fugu_netif_kind(const FuguMachineState *m)
{
    ObjectClass *oc = object_class_by_name(m->options.network_interface);

    if (!oc || object_class_is_abstract(oc)) {
        return NULL;
    }
    return (FuguNetifClass *)object_class_dynamic_cast(oc, TYPE_FUGU_NETIF);
}

/* ---- Methods that a kind does not set ------------------------------------ */

static FuguNetifLimits netif_limits(const FuguMachineState *m, int network)
{
    return (FuguNetifLimits) { 0 };
}

static int netif_op(FuguNetif *ni, SparcleOp op, uint32_t a, uint32_t b,
                    bool user, uintptr_t ra)
{
    return TT_NCP_INSN;
}

static void netif_mode(FuguNetif *ni, bool user)
{
}

static uint32_t netif_job(FuguNetif *ni)
{
    return 0;
}

static const FuguPacketList *netif_packets(FuguNetif *ni, int network,
                                           FuguNetifPlace place)
{
    return NULL;
}

static FuguNetifSection netif_section(FuguNetif *ni)
{
    return (FuguNetifSection) { .since = -1 };
}

static const char *netif_check(FuguNetif *ni)
{
    return NULL;
}

static const char *netif_check_balance(FuguMachineState *m)
{
    return NULL;
}

/* ---- Type ---------------------------------------------------------------- */

static void netif_init(Object *obj)
{
    FUGU_NETIF(obj)->kind = FUGU_NETIF_GET_CLASS(obj);
}

static void netif_class_init(ObjectClass *oc, void *data)
{
    FuguNetifClass *nc = FUGU_NETIF_CLASS(oc);

    DEVICE_CLASS(oc)->user_creatable = false;
    nc->limits = netif_limits;
    nc->op = netif_op;
    nc->mode = netif_mode;
    nc->job = netif_job;
    nc->packets = netif_packets;
    nc->section = netif_section;
    nc->check = netif_check;
    nc->check_balance = netif_check_balance;
}

static const TypeInfo netif_types[] = {
    {
        .name = TYPE_FUGU_NETIF,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(FuguNetif),
        .instance_init = netif_init,
        .class_size = sizeof(FuguNetifClass),
        .class_init = netif_class_init,
        .abstract = true,
    },
};

DEFINE_TYPES(netif_types)
