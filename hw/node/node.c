/*
 * A node: local time, events, states, and what its processor tells it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/xxhash.h"
#include "qemu/main-loop.h"
#include "system/lockstep.h"
#include "hw/fugu/fugu-regs.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"
#include "accel/tcg/line-cache.h"
#include "hw/fugu/trace.h"

/* ---- Digest ------------------------------------------------------------- */

static void digest_mix(FuguNode *node, uint64_t value)
{
    node->digest = XXH64_round(node->digest, value);
}

void fugu_digest(FuguNode *node, FuguDigestKind kind, uint64_t value)
{
    digest_mix(node, ((uint64_t)fugu_node_time(node) << 3) | kind);
    digest_mix(node, value);
}

void fugu_digest_data(FuguNode *node, const void *data, size_t len)
{
    const uint8_t *p = data;

    for (; len >= 4; len -= 4, p += 4) {
        digest_mix(node, ldl_be_p(p));
    }
}

/* ---- Events ------------------------------------------------------------- */

void fugu_event_init(FuguNode *node, FuguEvent *event, void (*fire)(void *),
                     void *opaque)
{
    assert(node->event_count < FUGU_NODE_EVENTS_MAX);
    *event = (FuguEvent) {
        .time = FUGU_NEVER,
        .id = node->event_count,
        .fire = fire,
        .opaque = opaque,
    };
    node->all_events[node->event_count++] = event;
}

static void event_remove(FuguNode *node, FuguEvent *event)
{
    FuguEvent **p = &node->events;

    while (*p != event) {
        p = &(*p)->next;
    }
    *p = event->next;
    event->time = FUGU_NEVER;
    fugu_node_events_changed(node);
}

/* Tells translated code where the node's turn ends. */
static void node_set_turn(const FuguNode *node)
{
    lockstep_turn_end = node->stop - node->end;
}

/* Makes the processor stop at @stop. Local time does not change. */
static void node_set_stop(FuguNode *node, int64_t stop)
{
    CPUState *cs = CPU(&node->cpu);
    int64_t now = fugu_node_time(node);

    node->stop = stop;
    cs->neg.cycles_left = stop - now;
    node_set_turn(node);
}

void fugu_event_set(FuguNode *node, FuguEvent *event, int64_t time)
{
    FuguEvent **p = &node->events;

    if (event->time == time) {
        return;
    }
    if (event->time != FUGU_NEVER) {
        event_remove(node, event);
    }
    if (time == FUGU_NEVER) {
        return;
    }
    event->time = time;
    while (*p && (*p)->time <= time) {
        p = &(*p)->next;
    }
    event->next = *p;
    *p = event;
    fugu_node_events_changed(node);

    /* The running stretch has to end at the event. */
    if (time < node->stop) {
        node_set_stop(node, time);
    }
}

static void node_go(FuguNode *node)
{
    node->state = FUGU_NODE_RUNS;
    if (node->seen) {
        fugu_seen_go(node->seen, fugu_node_time(node));
    }
}

/* ---- Contexts (node/contexts.h) ------------------------------------------ */

static void node_skip(FuguNode *node, int64_t time)
{
    node->stop = time;
    CPU(&node->cpu)->neg.cycles_left = 0;
}

/*
 * Switches to the context whose turn it is, or waits if all do.
 *
 * An instruction that awaited its turn began before the round did. If it has to wait
 * after all, the others go on where the round begins.
 */
static void node_choose_context(FuguNode *node)
{
    int64_t begin = node->machine->time.round_start;
    unsigned last = sparcle_context(&node->cpu.env);
    int next = fugu_contexts_choose(node->contexts, last);

    if (node->state != FUGU_NODE_RUNS && node->state != FUGU_NODE_WAITS) {
        return;
    }
    if (next < 0) {
        node->state = FUGU_NODE_WAITS;
        node->wait = node->contexts->context[0].wait;
        return;
    }
    node->state = FUGU_NODE_RUNS;
    if (next != last) {
        sparcle_switch(&node->cpu.env, next);
        if (fugu_node_time(node) < begin) {
            node_skip(node, begin);
        }
    }
}

/* The processor has run from local time @start on, and stopped, or waits. An
 * instruction that awaits its turn has begun, so no context goes before it. */
static void node_context_stopped(FuguNode *node, int64_t start)
{
    unsigned context = sparcle_context(&node->cpu.env);

    node->contexts->context[context].used += fugu_node_time(node) - start;
    if (node->in_stretch || node->deferred) {
        return;
    }
    if (node->state == FUGU_NODE_WAITS) {
        fugu_context_wait(node->contexts, context, node->wait);
    }
    /* What a slot does may interrupt the main context, which waits for it. */
    if (context && node->interrupts) {
        fugu_context_wake(node->contexts, 0);
    }
    node_choose_context(node);
}

/* Something has happened: what waits tries its instruction again, and may wait
 * again. */
static void node_wake(FuguNode *node)
{
    if (node->state == FUGU_NODE_WAITS) {
        node_go(node);
    }
    if (unlikely(node->contexts)) {
        fugu_contexts_wake(node->contexts);
        if (!node->deferred) {
            node_choose_context(node);
        }
    }
}

/* ---- Events fire ---------------------------------------------------------- */

static void node_fire_events(FuguNode *node, int64_t now)
{
    while (node->next_time <= now) {
        FuguEvent *event = node->events;

        event_remove(node, event);
        event->fire(event->opaque);
        node_wake(node);
    }
}

/* ---- Running ------------------------------------------------------------ */

/* Runs the processor until its stretch ends, or the host wants the thread. */
static int node_stretch(FuguNode *node)
{
    int64_t start = fugu_node_time(node);
    int ret = cpu_exec_stretch(CPU(&node->cpu));
    bool yields = ret == EXCP_YIELD || (ret == EXCP_STRETCH && node->deferred);

    /* Each instruction takes a cycle at least. */
    node->ran |= fugu_node_time(node) != start;
    node->in_stretch = ret != EXCP_STRETCH && ret != EXCP_YIELD;
    if (yields && node->seen) {
        fugu_seen_yield(node->seen, node->cpu.env.pc);
    }
    if (unlikely(node->contexts)) {
        node_context_stopped(node, start);
    }
    if (yields) {
        fugu_node_yielded(node);
    }
    trace_fugu_node_stop(node->number, ret, node->cpu.env.pc,
                         fugu_node_time(node));
    return node->in_stretch ? ret : EXCP_STRETCH;
}

bool fugu_node_has_turn(FuguNode *node)
{
    node->deferred = fugu_node_time(node) >= node->end;
    return !node->deferred;
}

/* Tells the processor of interrupts that came in the middle of straight code.
 * An instruction that waits is tried again: the interrupt may come first. */
static inline void node_give_irqs(FuguNode *node)
{
    if (likely(!fugu_node_owes_irqs(node))) {
        return;
    }
    sparcle_set_interrupts(&node->cpu.env, node->interrupts);
    node_wake(node);
}

/*
 * Runs the processor to @end, or to the next event. With interrupts that it has
 * not heard of, to the next place where it can take them.
 */
static int node_run_on(FuguNode *node, int64_t end)
{
    int64_t now = fugu_node_time(node);
    int64_t stop = MIN(node->next_time, end);
    int ret;

    if (unlikely(node->contexts)) {
        int64_t limit = fugu_contexts_limit(node->contexts,
                                            sparcle_context(&node->cpu.env));

        stop = limit < stop - now ? now + limit : stop;
    }
    node_set_stop(node, fugu_node_owes_irqs(node) ? now : stop);
    node->deferred = false;
    ret = node_stretch(node);
    if (ret == EXCP_STRETCH && !node->deferred) {
        node_give_irqs(node);
    }
    return ret;
}

/*
 * Fires what is left of the round's events. The processor may have run past
 * them. Or it is before an instruction that awaits its turn: then they come
 * while that instruction runs.
 */
static void node_fire_rest(FuguNode *node, int64_t end)
{
    int64_t now = fugu_node_time(node);

    while (node->next_time < end) {
        if (node->next_time > fugu_node_time(node)) {
            node_skip(node, node->next_time);
        }
        node_fire_events(node, MIN(fugu_node_time(node), end - 1));
    }
    if (fugu_node_time(node) != now) {
        node_skip(node, now);
    }
}

int fugu_node_run(FuguNode *node, int64_t end)
{
    bool over = false;
    int64_t now;
    int ret;

    node->end = end;
    /*
     * The host may have interrupted the processor inside a stretch, where no
     * event may fire, even if no cycles are left. End that stretch first.
     */
    if (node->in_stretch) {
        node_set_turn(node);
        ret = node_stretch(node);
        if (ret != EXCP_STRETCH) {
            return ret;
        }
        over = node->deferred;
        if (!over) {
            node_give_irqs(node);
        }
    }
    while (!over && (now = fugu_node_time(node)) < end) {
        if (node->next_time <= now) {
            node_fire_events(node, now);
        }
        if (node->state != FUGU_NODE_RUNS) {
            int64_t stop = MIN(node->next_time, end);

            node->waited += stop - now;
            node_skip(node, stop);
            continue;
        }
        ret = node_run_on(node, end);
        if (ret != EXCP_STRETCH) {
            return ret;
        }
        over = node->deferred;
    }
    if (node->next_time < end) {
        node_fire_rest(node, end);
    }
    if (node->seen && node->state == FUGU_NODE_RUNS) {
        fugu_masked_sample(&node->seen->masked, node->cpu.env.pc);
    }
    return EXCP_STRETCH;
}

void fugu_node_run_events(FuguNode *node, int64_t end)
{
    int64_t now;

    while ((now = fugu_node_time(node)) < end) {
        node_fire_events(node, now);
        node_skip(node, MAX(now, MIN(node->next_time, end)));
    }
}

void fugu_node_wait(FuguNode *node, FuguWait why)
{
    node->state = FUGU_NODE_WAITS;
    node->wait = why;
    trace_fugu_node_wait(node->number, why, fugu_node_time(node));
}

void fugu_node_end(FuguNode *node, uint32_t status)
{
    node->state = FUGU_NODE_ENDED;
    node->status = MIN(status, FUGU_STATUS_GUEST_MAX);
    node->end_time = fugu_node_time(node);
    fugu_digest(node, FUGU_DIGEST_END, status);
    trace_fugu_node_end(node->number, status, fugu_node_time(node));
    if (node->seen) {
        fugu_seen_end(node->seen, fugu_node_time(node));
    }
    /* The store that ended the node is the processor's last instruction. */
    CPU(&node->cpu)->neg.stretch_over = true;
    cpu_interrupt(CPU(&node->cpu), CPU_INTERRUPT_EXITTB);
}

void fugu_node_yielded(FuguNode *node)
{
    /* It may also have yielded because it awaits its turn. */
    if (node->state != FUGU_NODE_WAITS) {
        return;
    }
    /* The wait began before the instruction that waits, whose cycles the
     * processor has taken back. */
    if (node->seen) {
        fugu_seen_wait(node->seen, fugu_node_time(node), node->wait);
    }
    if (node->wait == FUGU_WAIT_INTERRUPT) {
        fugu_meter_wait(&node->meter, fugu_node_time(node));
    }
}

FuguNodeStatus fugu_node_status(const FuguNode *node)
{
    return (FuguNodeStatus) {
        .state = node->state,
        .wait = node->wait,
        .pc = node->cpu.env.pc,
        .npc = node->cpu.env.npc,
        .status = node->status,
        .end_time = node->end_time,
        .digest = node->digest,
    };
}

void fugu_node_set_irq(FuguNode *node, unsigned level, bool asked)
{
    fugu_node_set_irqs(node, 1u << level, (uint32_t)asked << level);
}

void fugu_node_set_irqs(FuguNode *node, uint32_t mask, uint32_t levels)
{
    uint32_t changed = (node->interrupts ^ levels) & mask;

    if (!changed) {
        return;
    }
    node->interrupts ^= changed;
    for (; changed; changed &= changed - 1) {
        trace_fugu_node_irq(node->number, ctz32(changed),
                            extract32(levels, ctz32(changed), 1),
                            fugu_node_time(node));
    }
    /* Straight code is not interrupted, not even where it awaits its turn. */
    if (!node->deferred) {
        sparcle_set_interrupts(&node->cpu.env, node->interrupts);
    }
}

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
