/*
 * The turns of a node's contexts: waits, wake-ups, switches, and who pays
 *
 * contexts.h says whose turn it is; this file switches. A node with message slots
 * alone calls these functions, but for fugu_node_go().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_TURNS_H
#define FUGU_TURNS_H

#include "hw/fugu/node/state.h"

/* Returns the cycles that a context has used since reset. The node must have
 * message slots. */
int64_t fugu_node_busy(FuguNode *node, unsigned context);

/* Whether a message slot waits, for whatever it may be. */
bool fugu_node_slot_waits(const FuguNode *node, unsigned context);

/* Makes a message slot ready to run, or takes it out. */
void fugu_node_set_slot(FuguNode *node, unsigned context, bool on);

/* Tells the node's observer what message slots do, when it has begun. */
void fugu_node_show_contexts(FuguNode *node);

/* The node need not wait any more. */
static inline void fugu_node_go(FuguNode *node)
{
    node->state = FUGU_NODE_RUNS;
    if (node->seen) {
        fugu_seen_go(node->seen, fugu_node_time(node));
    }
}

/* Something has happened at @time: contexts that need not wait any more try their
 * instruction again. */
void fugu_node_wake_contexts(FuguNode *node, int64_t time);

/* A context begins to run. Returns the time at which it has to stop for another one, at
 * the latest @stop. */
int64_t fugu_node_end_of_turn(FuguNode *node, int64_t now, int64_t stop);

/* The processor has run, and stopped, or waits. An instruction that awaits its turn has
 * begun, so no context goes before it. */
void fugu_node_context_stopped(FuguNode *node);

/* Whether the context that runs is a slot that has just stopped at a fault. */
bool fugu_node_slot_stopped(const FuguNode *node);

#endif /* FUGU_TURNS_H */
