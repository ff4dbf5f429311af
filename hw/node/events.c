/*
 * A node's events: what devices have asked for, soonest first
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "hw/fugu/node/events.h"

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
