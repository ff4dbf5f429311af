/*
 * The FUGU network interface: the device, reset and saved
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/fugu/check.h"
#include "hw/fugu/ni/fugu/dma.h"
#include "hw/fugu/ni/fugu/flags.h"
#include "hw/fugu/ni/fugu/op.h"
#include "hw/fugu/ni/fugu/regs.h"
#include "hw/fugu/ni/system/channel.h"
#include "hw/fugu/ni/system/device.h"

/* ---- Reset and state ----------------------------------------------------- */

static void part_reset(FuguSystemNI *system)
{
    FuguNI *ni = fugu_ni_of(system);

    fugu_channel_reset(&ni->main);
    memset(&ni->user, 0, sizeof(ni->user));
    memset(&ni->kernel, 0, sizeof(ni->kernel));
    ni->divert = false;
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

static const VMStateDescription vmstate_fugu_ni = {
    .name = TYPE_FUGU_NI,
    .version_id = 2,
    .minimum_version_id = 2,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(parent_obj, FuguNI, 1, vmstate_fugu_system_ni,
                       FuguSystemNI),
        VMSTATE_STRUCT(main, FuguNI, 1, vmstate_fugu_channel, FuguChannel),
        VMSTATE_STRUCT(user, FuguNI, 1, vmstate_descriptor, FuguDescriptor),
        VMSTATE_STRUCT(kernel, FuguNI, 1, vmstate_descriptor, FuguDescriptor),
        VMSTATE_BOOL(divert, FuguNI),
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

static FuguNetifLimits netif_limits(const FuguMachineState *m, int network)
{
    return network == FUGU_MAIN_NETWORK
           ? (FuguNetifLimits) {
                 .space = m->options.source_space,
                 .words = FUGU_MSG_WORDS,
                 .body = FUGU_BODY_MAX,
             }
           : fugu_system_limits(m, network);
}

static int netif_op(FuguNetif *ni, SparcleOp op, uint32_t a, uint32_t b,
                    bool user, uintptr_t ra)
{
    return fugu_ni_op((FuguNI *)ni, op, a, b, user, ra);
}

static const char *netif_check(FuguNetif *ni)
{
    return fugu_ni_check((FuguNI *)ni);
}

/* ---- Methods of the message part (system.h) --------------------------------- */

static void part_init(FuguSystemNI *system)
{
    FuguNI *ni = fugu_ni_of(system);

    ni->node = system->node;
    fugu_channel_init(system, &ni->main, FUGU_MAIN_NETWORK,
                      ni->node->machine->options.input_queue);
    fugu_dma_init(ni);
}

static const FuguPacket *part_message(FuguSystemNI *system)
{
    return fugu_ni_message(fugu_ni_of(system));
}

static uint32_t part_pending(FuguSystemNI *system)
{
    return fugu_ni_pending(fugu_ni_of(system));
}

/* ---- Device -------------------------------------------------------------- */

static const char *const options[] = {
    "input-queue", "source-space", "dma-word", "atomicity", NULL
};

static void fugu_ni_class_init(ObjectClass *klass, void *data)
{
    FuguNetifClass *nc = FUGU_NETIF_CLASS(klass);
    FuguSystemNIClass *part = FUGU_SYSTEM_NI_CLASS(klass);

    DEVICE_CLASS(klass)->desc = "FUGU network interface";
    nc->instance_size = sizeof(FuguNI);
    nc->number = FUGU_NETIF_FUGU;
    nc->state = &vmstate_fugu_ni;
    nc->options = options;
    nc->limits = netif_limits;
    nc->op = netif_op;
    nc->check = netif_check;
    part->init = part_init;
    part->reset = part_reset;
    part->message = part_message;
    part->pending = part_pending;
    fugu_ni_class_init_regs(part);
}

static const TypeInfo ni_types[] = {
    {
        .name = TYPE_FUGU_NI,
        .parent = TYPE_FUGU_SYSTEM_NI,
        .instance_size = sizeof(FuguNI),
        .class_init = fugu_ni_class_init,
    },
};

DEFINE_TYPES(ni_types)
