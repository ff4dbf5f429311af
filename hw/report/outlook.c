/*
 * What the nodes of a process are going to do, between two rounds
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "hw/fugu/devices/console.h"
#include "hw/fugu/report/outlook.h"
#include "hw/fugu/node/node.h"

/* Whether console input can still wake a machine that waits. */
static bool expects_input(FuguMachineState *m)
{
    BQL_LOCK_GUARD();
    return fugu_console_can_wake(m);
}

static void look_at_nodes(FuguMachineState *m, FuguOutlook *o)
{
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        FuguNode *node = m->parts.nodes[i];

        if (node->state == FUGU_NODE_RUNS) {
            /* If `busy` is set, callers ignore the other fields. */
            o->busy = true;
            return;
        }
        o->ended += node->state == FUGU_NODE_ENDED;
        o->next = MIN(o->next, node->next_time);
        if (fugu_node_time(node) > fugu_machine_round_end(m)) {
            /* Its wait begins in straight code, ahead of this round. */
            o->next = MIN(o->next, fugu_node_time(node));
        }
    }
}

static void look_at_stop(const FuguMachineState *m, FuguOutlook *o)
{
    if (!fugu_machine_stops(m)) {
        /* A node failed in straight code, ahead of this round. */
        o->next = MIN(o->next, m->time.stop_time);
        return;
    }
    o->stops = true;
    o->status = m->time.stop_status;
    o->cycle = MAX(m->time.stop_time, m->time.round_start) -
               m->time.round_start;
}

void fugu_outlook(FuguMachineState *m, FuguOutlook *o)
{
    *o = (FuguOutlook) {
        .start = m->time.round_start,
        .next = FUGU_NEVER,
    };

    look_at_nodes(m, o);
    if (unlikely(m->time.stopping)) {
        look_at_stop(m, o);
    }
    o->wakes = !o->busy && o->next == FUGU_NEVER && expects_input(m);
}

void fugu_outlook_add(FuguOutlook *o, const FuguOutlook *more)
{
    o->next = MIN(o->next, more->next);
    o->ended += more->ended;
    o->busy |= more->busy;
    o->wakes |= more->wakes;
    if (more->stops && (!o->stops || more->cycle < o->cycle)) {
        o->stops = true;
        o->status = more->status;
        o->cycle = more->cycle;
    }
}
