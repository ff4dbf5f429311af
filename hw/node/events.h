/*
 * A node's local time and events: where its stretch ends, and what ends it
 *
 * The processor counts cycles_left down; local time is what is left until stop
 * (fugu_node_time()). Either changes here alone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_EVENTS_H
#define FUGU_EVENTS_H

#include "system/lockstep.h"
#include "hw/fugu/node/state.h"

/* To be called while the board makes the node's devices, in the same order in
 * each run. The node saves its events, so their devices need not. */
void fugu_event_init(FuguNode *node, FuguEvent *event, void (*fire)(void *),
                     void *opaque);

/* Schedules @event for @time, instead of any earlier time. With a time in the
 * past it fires at the next stop, with FUGU_NEVER not at all. */
void fugu_event_set(FuguNode *node, FuguEvent *event, int64_t time);

/* ---- For the files of this folder ------------------------------------------ */

/* Tells translated code where the node's turn ends. */
static inline void node_set_turn(const FuguNode *node)
{
    lockstep_turn_end = node->stop - node->end;
}

/* Makes the processor stop at @stop. Local time does not change. */
static inline void node_set_stop(FuguNode *node, int64_t stop)
{
    CPUState *cs = CPU(&node->cpu);
    int64_t now = fugu_node_time(node);

    node->stop = stop;
    cs->neg.cycles_left = stop - now;
    node_set_turn(node);
}

/* The node is at @time, and the processor has not run. */
static inline void node_skip(FuguNode *node, int64_t time)
{
    node->stop = time;
    CPU(&node->cpu)->neg.cycles_left = 0;
}

/* Takes the soonest event out of the list, and returns it. */
static inline FuguEvent *node_take_event(FuguNode *node)
{
    FuguEvent *event = node->events;

    node->events = event->next;
    event->time = FUGU_NEVER;
    fugu_node_events_changed(node);
    return event;
}

#endif /* FUGU_EVENTS_H */
