/*
 * What the processor tells its node, and the node as a device: creation, reset
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "accel/tcg/line-cache.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"
#include "hw/fugu/trace.h"

/* ---- What the processor tells its node ---------------------------------- */

static int node_op(void *opaque, SparcleOp op, uint32_t a, uint32_t b,
                   uintptr_t ra)
{
    FuguNode *node = opaque;

    return node->ni->kind->op(node->ni, op, a, b, !node->cpu.env.psrs, ra);
}

static int node_resolve(void *opaque, uintptr_t ra)
{
    FuguNode *node = opaque;

    return node->ni->kind->resolve(node->ni, ra);
}

static bool node_idle(void *opaque)
{
    FuguNode *node = opaque;

    /* The processor asks when the wait begins, and again when it may end. For
     * the former see fugu_node_yielded(). */
    if (node->interrupts && !fugu_node_owes_irqs(node)) {
        fugu_meter_wait(&node->meter, fugu_node_time(node));
        return false;
    }
    fugu_node_wait(node, FUGU_WAIT_INTERRUPT);
    return true;
}

static void node_mode(void *opaque, bool user)
{
    FuguNode *node = opaque;

    node->ni->kind->mode(node->ni, user);
    if (unlikely(node->to_user) && fugu_node_user(node)) {
        node->to_user(node);
    }
    if (node->seen) {
        fugu_seen_masked(node->seen, fugu_node_time(node),
                         fugu_node_masks(node));
    }
}

static void node_trap(void *opaque, int tt, uint32_t pc)
{
    FuguNode *node = opaque;

    trace_fugu_node_trap(node->number, tt, pc, fugu_node_time(node));
    if (node->seen) {
        fugu_seen_trap(node->seen, fugu_node_time(node), tt);
    }
    fugu_digest(node, FUGU_DIGEST_TRAP, ((uint64_t)tt << 32) | pc);
}

static void node_error(void *opaque, int tt)
{
    FuguNode *node = opaque;

    node->state = FUGU_NODE_FAILED;
    node->status = tt;
    fugu_digest(node, FUGU_DIGEST_END, tt);
    fugu_machine_stop(node->machine, FUGU_STATUS_ERROR_MODE,
                      fugu_node_time(node));
}

static int node_word(void *opaque, unsigned context, bool head, unsigned cycles,
                     uint32_t *word)
{
    FuguNode *node = opaque;

    return node->ni->kind->word(node->ni, context, head, cycles, word);
}

static uint32_t node_taken(void *opaque, unsigned context, bool head)
{
    FuguNode *node = opaque;

    return node->ni->kind->taken(node->ni, context, head);
}

static void node_fault(void *opaque, unsigned context, int tt)
{
    FuguNode *node = opaque;

    fugu_digest(node, FUGU_DIGEST_TRAP,
                ((uint64_t)tt << 32) | node->cpu.env.pc);
    node->ni->kind->fault(node->ni, context, tt);
}

#define NODE_OPS                \
    .op = node_op,              \
    .resolve = node_resolve,    \
    .idle = node_idle,          \
    .mode = node_mode,          \
    .trap = node_trap,          \
    .error = node_error

static const SparcleNodeOps node_ops = { NODE_OPS };

static const SparcleNodeOps slot_ops = {
    NODE_OPS,
    .word = node_word,
    .taken = node_taken,
    .fault = node_fault,
};

void fugu_node_use_slots(FuguNode *node)
{
    node->cpu.env.sparcle.ops = &slot_ops;
    node->contexts = g_new0(FuguContexts, 1);
    fugu_contexts_reset(node->contexts);
}

/* ---- Device ------------------------------------------------------------- */

static void fugu_node_init(Object *obj)
{
    FuguNode *node = FUGU_NODE(obj);

    object_initialize_child(obj, "cluster", &node->cluster, TYPE_CPU_CLUSTER);
    object_initialize_child(OBJECT(&node->cluster), "cpu", &node->cpu,
                            SPARC_CPU_TYPE_NAME("Sparcle"));
    node->cpu.env.sparcle = (SparcleNode) { &node_ops, node };
    fugu_node_events_changed(node);
}

static void fugu_node_reset_hold(Object *obj, ResetType type)
{
    FuguNode *node = FUGU_NODE(obj);

    node_skip(node, 0);
    fugu_node_events_changed(node);
    node->state = FUGU_NODE_RUNS;
    node->in_stretch = false;
    node->deferred = false;
    CPU(&node->cpu)->neg.stretch_over = false;
    node->status = 0;
    node->interrupts = 0;
    node->digest = node->number;
    node->waited = 0;
    if (node->contexts) {
        fugu_contexts_reset(node->contexts);
    }
    fugu_meter_reset(&node->meter);
    line_cache_reset(CPU(&node->cpu));
}

static void fugu_node_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    ResettableClass *rc = RESETTABLE_CLASS(klass);

    dc->desc = "FUGU node";
    dc->user_creatable = false;
    rc->phases.hold = fugu_node_reset_hold;
}

static const TypeInfo node_types[] = {
    {
        .name = TYPE_FUGU_NODE,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(FuguNode),
        .instance_align = __alignof__(FuguNode),
        .instance_init = fugu_node_init,
        .class_init = fugu_node_class_init,
    },
};

DEFINE_TYPES(node_types)
