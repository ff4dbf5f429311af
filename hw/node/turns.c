/*
 * The turns of a node's contexts: waits, wake-ups, switches, and who pays
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/events.h"
#include "hw/fugu/node/turns.h"

/* What slots do that are on. The others do nothing, or the kind has told. */
static void node_show_slots(FuguNode *node, int64_t now)
{
    for (unsigned i = 1; i < SPARCLE_CONTEXTS; i++) {
        const FuguContext *c = &node->contexts->context[i];
        bool runs = node->state == FUGU_NODE_RUNS &&
                    sparcle_context(&node->cpu.env) == i;

        if (c->on && c->waits && c->wait == FUGU_WAIT_MESSAGE) {
            fugu_seen_slot_ends(node->seen, now, i - 1);
        } else if (c->on) {
            fugu_seen_slot_does(node->seen, now, i - 1,
                                c->waits ? FUGU_NAME_WAIT + c->wait
                                : runs ? 0 : FUGU_NAME_HELD);
        }
    }
}

/* The cycles from now on are of a message slot, for its message's GID, or the main
 * context's, which also has those in which all wait. */
static void node_pays(FuguNode *node, unsigned context)
{
    int64_t now = fugu_node_time(node);

    uint32_t gid = context ? node->ni->kind->gid(node->ni, context) : 0;

    if (context) {
        fugu_meter_slot(&node->meter, now, gid);
    } else {
        fugu_meter_main(&node->meter, now);
    }
    if (node->seen) {
        fugu_seen_slot_runs(node->seen, now, (int)context - 1, gid);
        node_show_slots(node, now);
    }
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
        node_pays(node, 0);
        return;
    }
    node->state = FUGU_NODE_RUNS;
    if (next != last) {
        sparcle_switch(&node->cpu.env, next);
        if (fugu_node_time(node) < begin) {
            node_skip(node, begin);
        }
    }
    node_pays(node, next);
}

/*
 * Whether the context, which waits, has to wait on. The main context also takes
 * interrupts, before its instruction.
 */
static bool node_context_waits(void *opaque, unsigned context)
{
    FuguNode *node = opaque;
    FuguWait why = node->contexts->context[context].wait;

    if (context == 0 && node->interrupts && !fugu_node_owes_irqs(node)) {
        return false;
    }
    return why == FUGU_WAIT_INTERRUPT ||
           node->ni->kind->waits(node->ni, context, why);
}

static bool main_waits(const FuguNode *node)
{
    const FuguContext *c = &node->contexts->context[0];

    return c->waits && c->wait == FUGU_WAIT_INTERRUPT;
}

/* Lets contexts try their instruction again that need not wait any more. Returns
 * whether one is ready. */
static bool node_wake(FuguNode *node)
{
    bool waited = main_waits(node);
    bool ready = fugu_contexts_wake(node->contexts, node_context_waits, node);

    if (node->seen && waited && !main_waits(node)) {
        fugu_seen_main_waits(node->seen, fugu_node_time(node), false);
    }
    return ready;
}

/* Something has happened at @time: contexts that need not wait any more try their
 * instruction again. */
void fugu_node_wake_contexts(FuguNode *node, int64_t time)
{
    if (node_wake(node) && node->state == FUGU_NODE_WAITS) {
        fugu_node_go(node);
    }
    if (node->seen) {
        node_show_slots(node, time);
    }
    if (!node->deferred) {
        node_choose_context(node);
    }
}

/* Counts the cycles of the context that runs until now. */
static void node_count_cycles(FuguNode *node)
{
    FuguContexts *all = node->contexts;
    FuguContext *c = &all->context[sparcle_context(&node->cpu.env)];
    int64_t now = fugu_node_time(node);

    c->used += now - all->start;
    c->busy += now - all->start;
    all->start = now;
}

/* The processor has run, and stopped, or waits. An instruction that awaits its turn has
 * begun, so no context goes before it. */
void fugu_node_context_stopped(FuguNode *node)
{
    unsigned context = sparcle_context(&node->cpu.env);

    node_count_cycles(node);
    if (node->in_stretch || node->deferred) {
        return;
    }
    if (node->state == FUGU_NODE_WAITS) {
        fugu_context_wait(node->contexts, context, node->wait);
        if (node->seen && context == 0 && main_waits(node)) {
            fugu_seen_main_waits(node->seen, fugu_node_time(node), true);
        }
    }
    /* What a slot does may interrupt the main context, which waits for it. */
    if (context && node->interrupts) {
        node_wake(node);
    }
    node_choose_context(node);
}

/* A context begins to run. Returns the time at which it has to stop for another one, at
 * the latest @stop. */
int64_t fugu_node_end_of_turn(FuguNode *node, int64_t now, int64_t stop)
{
    int64_t limit = fugu_contexts_limit(node->contexts,
                                        sparcle_context(&node->cpu.env));

    node->contexts->start = now;
    return limit < stop - now ? now + limit : stop;
}

int64_t fugu_node_busy(FuguNode *node, unsigned context)
{
    int64_t busy = node->contexts->context[context].busy;

    return context == sparcle_context(&node->cpu.env) &&
           node->state == FUGU_NODE_RUNS
           ? busy + fugu_node_time(node) - node->contexts->start : busy;
}

bool fugu_node_slot_waits(const FuguNode *node, unsigned context)
{
    const FuguContext *c = &node->contexts->context[context];

    return c->on && c->waits;
}

/* This is in the middle of a stretch, and a slot starts level with what has been used
 * until now: where the stretch began may be the debugger's or the host's doing. While
 * all contexts wait, none of them uses cycles. */
void fugu_node_set_slot(FuguNode *node, unsigned context, bool on)
{
    if (node->state == FUGU_NODE_RUNS) {
        node_count_cycles(node);
    }
    fugu_context_set(node->contexts, context, on);
}

/* Whether the context that runs is a slot that has just stopped at a fault. */
bool fugu_node_slot_stopped(const FuguNode *node)
{
    return node->contexts &&
           !node->contexts->context[sparcle_context(&node->cpu.env)].on;
}

void fugu_node_show_contexts(FuguNode *node)
{
    unsigned active = sparcle_context(&node->cpu.env);

    if (node->contexts) {
        if (main_waits(node)) {
            fugu_seen_main_waits(node->seen, fugu_node_time(node), true);
        }
        node_pays(node, node->state == FUGU_NODE_RUNS ? active : 0);
    }
}
