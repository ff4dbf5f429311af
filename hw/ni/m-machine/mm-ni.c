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
#include "hw/fugu/ni/m-machine/watchdog.h"
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
    mm_watchdog_reset(ni);
    ni->main_priority = 0;
    ni->rules = FUGU_MM_RULE_REPLIES;
    ni->irqs = 0;
    ni->main_reads = 0;
}

static const VMStateDescription vmstate_mm_ni = {
    .name = TYPE_MM_NI,
    .version_id = 2,
    .minimum_version_id = 2,
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
        VMSTATE_UINT32(watchdog, MMachineNI),
        VMSTATE_UINT8_ARRAY(holder, MMachineNI, FUGU_MM_PRIORITIES),
        VMSTATE_UINT8(main_reads, MMachineNI),
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
                 .stream = FUGU_MM_HEAD,
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

/* The main context copies a word of a message, if no slot takes its messages. */
static int op_get(MMachineNI *ni, unsigned what)
{
    unsigned priority = what >> 1;
    bool head = what & FUGU_MM_GET_HEAD;
    uint32_t *given = &ni->node->cpu.env.sparcle_word;
    uint32_t word;

    if (!(ni->rules & FUGU_MM_RULE_COPIES) ||
        priority >= FUGU_MM_PRIORITIES) {
        return FUGU_TT_PROTECTION_VIOLATION;
    }
    *given = 0;
    if (ni->extraction[priority].state == FUGU_MM_SLOT_ON) {
        return 0;
    }
    if (mm_peek(ni, priority, head, fugu_node_time(ni->node), &word)) {
        mm_pop(ni, priority, head);
        *given = word;
        return 0;
    }
    if (head) {
        return 0;
    }
    ni->main_reads = priority;
    return fugu_system_wait(&ni->parent_obj, FUGU_WAIT_WORD);
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
    case SPARCLE_PUT:
        return mm_put(ni, sparcle_context(&ni->node->cpu.env), b, a, 0);
    case SPARCLE_GET:
        return op_get(ni, b);
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
           ? 0 : fugu_system_wait(&ni->parent_obj, head ? FUGU_WAIT_MESSAGE
                                                        : FUGU_WAIT_WORD);
}

/* What the system part's operations wait for they try again after each event. */
static bool still_waits(FuguNetif *obj, unsigned context, FuguWait why)
{
    MMachineNI *ni = (MMachineNI *)obj;
    uint32_t word;

    switch (why) {
    case FUGU_WAIT_ACK:
    case FUGU_WAIT_SPACE:
        return mm_send_waits(ni, context, why);
    case FUGU_WAIT_WORD:
    case FUGU_WAIT_MESSAGE:
        return !mm_peek(ni, context ? context - 1 : ni->main_reads,
                        why == FUGU_WAIT_MESSAGE,
                        fugu_node_time(ni->node), &word);
    default:
        return false;
    }
}

/* The watchdog does not look at a slot that waits: it goes on with the slot. */
static bool netif_waits(FuguNetif *obj, unsigned context, FuguWait why)
{
    bool waits = still_waits(obj, context, why);

    if (context && !waits) {
        mm_watchdog_rearm((MMachineNI *)obj, context - 1);
    }
    return waits;
}

/* Under the bare machine, the number of an MMU context is that of a GID. */
static uint32_t netif_taken(FuguNetif *obj, unsigned context, bool head)
{
    MMachineNI *ni = (MMachineNI *)obj;
    const MMExtraction *x = &ni->extraction[context - 1];

    mm_pop(ni, context - 1, head);
    if (head) {
        mm_began(ni, context - 1);
        mm_watchdog_began(ni, context - 1);
    }
    return x->gid;
}

static void netif_fault(FuguNetif *obj, unsigned context, int tt)
{
    mm_stop((MMachineNI *)obj, context - 1, tt);
}

static uint32_t netif_gid(FuguNetif *obj, unsigned context)
{
    MMachineNI *ni = (MMachineNI *)obj;

    return ni->extraction[context - 1].gid;
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
    mm_watchdog_init(ni);
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
    "mesh-base", "mesh-hop", "mesh-word", "input-queue", "source-space",
    "pin-cycles", NULL
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
    nc->waits = netif_waits;
    nc->gid = netif_gid;
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
