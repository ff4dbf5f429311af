/*
 * Runs a node: stretches of its processor, events, waits, interrupts
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "hw/fugu/fugu-regs.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/digest.h"
#include "hw/fugu/node/events.h"
#include "hw/fugu/node/run.h"
#include "hw/fugu/node/turns.h"
#include "hw/fugu/trace.h"

/* Something has happened: what waits tries its instruction again, and may wait
 * again. */
static void node_wake(FuguNode *node, int64_t time)
{
    if (unlikely(node->contexts)) {
        fugu_node_wake_contexts(node, time);
    } else if (node->state == FUGU_NODE_WAITS) {
        fugu_node_go(node);
    }
}

static void node_fire_events(FuguNode *node, int64_t now)
{
    while (node->next_time <= now) {
        int64_t time = node->next_time;
        FuguEvent *event = node_take_event(node);

        event->fire(event->opaque);
        node_wake(node, time);
    }
}

/* Runs the processor until its stretch ends, or the host wants the thread. */
static int node_stretch(FuguNode *node)
{
    int64_t start = fugu_node_time(node);
    int ret = cpu_exec_stretch(CPU(&node->cpu));
    bool yields;

    /* A fault of a slot takes no cycles and ends the stretch: it is no step of a
     * debugger's, which knows steps by their time. */
    if (unlikely(ret == EXCP_DEBUG) && fugu_node_slot_stopped(node)) {
        ret = cpu_exec_stretch(CPU(&node->cpu));
    }
    yields = ret == EXCP_YIELD || (ret == EXCP_STRETCH && node->deferred);
    /* Each instruction takes a cycle at least. */
    node->ran |= fugu_node_time(node) != start;
    node->in_stretch = ret != EXCP_STRETCH && ret != EXCP_YIELD;
    if (yields && node->seen) {
        fugu_seen_yield(node->seen, node->cpu.env.pc);
    }
    if (unlikely(node->contexts)) {
        fugu_node_context_stopped(node);
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
    node_wake(node, fugu_node_time(node));
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
        stop = fugu_node_end_of_turn(node, now, stop);
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
        if (unlikely(node->contexts)) {
            node->contexts->start = fugu_node_time(node);
        }
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
    const CPUSPARCState *env = &node->cpu.env;
    /* What a node waits for is the main context's. */
    bool aside = node->state == FUGU_NODE_WAITS && env->slots.active;

    return (FuguNodeStatus) {
        .state = node->state,
        .wait = node->wait,
        .pc = aside ? env->slots.bank[0].pc : env->pc,
        .npc = aside ? env->slots.bank[0].npc : env->npc,
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
