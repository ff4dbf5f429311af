/*
 * The M-Machine's message interface: the device, reset and saved
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "migration/vmstate.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/m-machine/check.h"
#include "hw/fugu/ni/m-machine/extract.h"
#include "hw/fugu/ni/m-machine/inject.h"
#include "hw/fugu/ni/m-machine/inspect.h"
#include "hw/fugu/ni/m-machine/regs.h"
#include "hw/fugu/ni/m-machine/tables.h"
#include "hw/fugu/ni/system/channel.h"
#include "hw/fugu/ni/system/device.h"
#include "hw/fugu/ni/system/flags.h"
#include "hw/fugu/ni/system/op.h"

static const int network_of[FUGU_MM_PRIORITIES] = {
    FUGU_MAIN_NETWORK, FUGU_URGENT_NETWORK
};

/* ---- Reset and state ----------------------------------------------------- */

static void part_reset(FuguSystemNI *system)
{
    MMachineNI *ni = mm_of(system);

    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        fugu_channel_reset(&ni->channel[i]);
    }
    memset(&ni->tables, 0, sizeof(ni->tables));
    mm_injection_reset(ni);
    mm_extraction_reset(ni);
    ni->main_priority = 0;
    ni->rules = FUGU_MM_RULE_REPLIES;
    ni->irqs = 0;
}

static const VMStateDescription vmstate_mm_ni = {
    .name = TYPE_MM_NI,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT(parent_obj, MMachineNI, 1, vmstate_fugu_system_ni,
                       FuguSystemNI),
        VMSTATE_STRUCT_ARRAY(channel, MMachineNI, FUGU_MM_PRIORITIES, 1,
                             vmstate_fugu_channel, FuguChannel),
        VMSTATE_STRUCT(tables, MMachineNI, 1, vmstate_mm_tables, MMTables),
        VMSTATE_STRUCT_ARRAY(injection, MMachineNI, SPARCLE_CONTEXTS, 1,
                             vmstate_mm_injection, MMInjection),
        VMSTATE_STRUCT_ARRAY(extraction, MMachineNI, FUGU_MM_PRIORITIES, 1,
                             vmstate_mm_extraction, MMExtraction),
        VMSTATE_UINT32(main_priority, MMachineNI),
        VMSTATE_UINT32(rules, MMachineNI),
        VMSTATE_UINT32(irqs, MMachineNI),
        VMSTATE_END_OF_LIST()
    }
};

/* ---- Methods: the mesh (machine/netif.h) ------------------------------------ */

/* Both priorities together have what FUGU's first network has. */
static FuguNetifLimits netif_limits(const FuguMachineState *m, int network)
{
    return network == FUGU_SECOND_NETWORK
           ? fugu_system_limits(m, network)
           : (FuguNetifLimits) {
                 .space = m->options.source_space / FUGU_MM_PRIORITIES,
                 .words = FUGU_MM_HEAD + FUGU_MM_BODY_MAX,
                 .by_head = true,
             };
}

/* ---- Methods: the processor ------------------------------------------------- */

static int op_send(MMachineNI *ni, uint32_t dest, uint32_t handler)
{
    CPUSPARCState *env = &ni->node->cpu.env;
    uint32_t words[FUGU_MM_BODY_MAX];

    if (env->sparcle_send.length <= FUGU_MM_BODY_MAX) {
        sparcle_send_words(env, words);
    }
    return mm_send(ni, sparcle_context(env), dest, handler, &env->sparcle_send,
                   words);
}

static int netif_op(FuguNetif *obj, SparcleOp op, uint32_t a, uint32_t b,
                    bool user, uintptr_t ra)
{
    MMachineNI *ni = (MMachineNI *)obj;

    switch (op) {
    case SPARCLE_SEND:
        return op_send(ni, a, b);
    case SPARCLE_AWAIT:
        return mm_await(ni, sparcle_context(&ni->node->cpu.env), a);
    default:
        /* UAC is the main context's. */
        return sparcle_context(&ni->node->cpu.env)
               ? TT_NCP_INSN : fugu_system_op(&ni->parent_obj, op, a, user);
    }
}

static int netif_word(FuguNetif *obj, unsigned context, bool head,
                      unsigned cycles, uint32_t *word)
{
    MMachineNI *ni = (MMachineNI *)obj;
    int64_t start = fugu_node_time(ni->node) - cycles;

    return mm_peek(ni, context - 1, head, start, word)
           ? 0 : fugu_system_wait(&ni->parent_obj, FUGU_WAIT_WORD);
}

/* Under the bare machine, the number of an MMU context is that of a GID. */
static uint32_t netif_taken(FuguNetif *obj, unsigned context, bool head)
{
    MMachineNI *ni = (MMachineNI *)obj;

    mm_pop(ni, context - 1, head);
    return ni->extraction[context - 1].gid;
}

static void netif_fault(FuguNetif *obj, unsigned context, int tt)
{
    MMachineNI *ni = (MMachineNI *)obj;
    MMExtraction *x = &ni->extraction[context - 1];

    x->state = FUGU_MM_SLOT_FAULT;
    x->fault = tt;
    fugu_context_set(ni->node->contexts, context, false);
    fugu_system_update(&ni->parent_obj);
}

static const char *netif_check(FuguNetif *ni)
{
    return mm_check((MMachineNI *)ni);
}

/* ---- Methods of the message part (system.h) --------------------------------- */

/* Each priority has half of @words, which must be enough for a message. */
static void check_room(const char *name, uint32_t words)
{
    const uint32_t least = FUGU_MM_PRIORITIES *
                           (FUGU_MM_HEAD + FUGU_MM_BODY_MAX);

    if (words < least) {
        error_report("fugu: %s=%" PRIu32 ": with two priorities it must be %"
                     PRIu32 " or more", name, words, least);
        exit(1);
    }
}

static void part_init(FuguSystemNI *system)
{
    MMachineNI *ni = mm_of(system);
    const FuguMachineState *m = system->node->machine;

    check_room("input-queue", m->options.input_queue);
    check_room("source-space", m->options.source_space);
    ni->node = system->node;
    ni->word = m->options.main_params.word;
    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        fugu_channel_init(system, &ni->channel[i], network_of[i],
                          m->options.input_queue / FUGU_MM_PRIORITIES);
    }
    mm_injection_init(ni);
    mm_extraction_init(ni);
    fugu_node_use_slots(ni->node);
}

static uint32_t part_pending(FuguSystemNI *system)
{
    const MMachineNI *ni = mm_of(system);
    uint32_t set = 0;

    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        if (ni->extraction[i].present) {
            set |= FUGU_PEND_MESSAGE;
        }
        if (ni->extraction[i].state == FUGU_MM_SLOT_FAULT) {
            set |= FUGU_PEND_FAULT;
        }
    }
    return set;
}

/* ---- Device -------------------------------------------------------------- */

static const char *const options[] = {
    "mesh-base", "mesh-hop", "mesh-word", "input-queue", "source-space", NULL
};

static void mm_ni_class_init(ObjectClass *klass, void *data)
{
    FuguNetifClass *nc = FUGU_NETIF_CLASS(klass);
    FuguSystemNIClass *part = FUGU_SYSTEM_NI_CLASS(klass);

    DEVICE_CLASS(klass)->desc = "M-Machine message interface";
    nc->instance_size = sizeof(MMachineNI);
    nc->number = FUGU_NETIF_M_MACHINE;
    nc->state = &vmstate_mm_ni;
    nc->options = options;
    nc->limits = netif_limits;
    nc->op = netif_op;
    nc->word = netif_word;
    nc->taken = netif_taken;
    nc->fault = netif_fault;
    nc->check = netif_check;
    part->init = part_init;
    part->reset = part_reset;
    part->pending = part_pending;
    mm_class_init_regs(part);
    mm_class_init_inspect(klass);
}

static const TypeInfo mm_types[] = {
    {
        .name = TYPE_MM_NI,
        .parent = TYPE_FUGU_SYSTEM_NI,
        .instance_size = sizeof(MMachineNI),
        .class_init = mm_ni_class_init,
    },
};

DEFINE_TYPES(mm_types)
