/*
 * What the nodes of a process are up to, between two rounds
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "hw/fugu/devices/console.h"
#include "hw/fugu/board/outlook.h"
#include "hw/fugu/board/rounds.h"

/* Whether someone at a console can still wake a machine that waits. */
static bool expects_input(FuguMachineState *m)
{
    BQL_LOCK_GUARD();
    return fugu_console_can_wake(m);
}

static void look_at_nodes(FuguMachineState *m, FuguOutlook *o)
{
    for (uint32_t i = m->first; i < m->end; i++) {
        FuguNode *node = m->nodes[i];

        if (node->state == FUGU_NODE_RUNS) {
            /* The rest does not matter then. */
            o->busy = true;
            return;
        }
        o->ended += node->state == FUGU_NODE_ENDED;
        if (node->events) {
            o->next = MIN(o->next, node->events->time);
        }
    }
}

FuguOutlook fugu_outlook(FuguMachineState *m)
{
    FuguOutlook o = {
        .start = m->rounds->start,
        .next = FUGU_NEVER,
        .stops = m->rounds->stopping,
        .status = m->rounds->stop_status,
    };

    look_at_nodes(m, &o);
    o.wakes = !o.busy && o.next == FUGU_NEVER && expects_input(m);
    return o;
}

void fugu_outlook_add(FuguOutlook *o, const FuguOutlook *more)
{
    o->next = MIN(o->next, more->next);
    o->ended += more->ended;
    o->busy |= more->busy;
    o->wakes |= more->wakes;
    if (more->stops && !o->stops) {
        o->stops = true;
        o->status = more->status;
    }
}

LinkRound fugu_outlook_to_round(const FuguOutlook *o)
{
    return (LinkRound) {
        .start = o->start,
        .next = o->next,
        .flags = (o->busy ? FUGU_ROUND_BUSY : 0) |
                 (o->wakes ? FUGU_ROUND_WAKES : 0) |
                 (o->stops ? FUGU_ROUND_STOPS : 0),
        .ended = o->ended,
        .status = o->status,
    };
}

FuguOutlook fugu_outlook_from_round(const LinkRound *round)
{
    return (FuguOutlook) {
        .start = round->start,
        .next = round->next,
        .ended = round->ended,
        .busy = round->flags & FUGU_ROUND_BUSY,
        .wakes = round->flags & FUGU_ROUND_WAKES,
        .stops = round->flags & FUGU_ROUND_STOPS,
        .status = round->status,
    };
}

void fugu_outlook_node(FuguNode *node, LinkNode *how)
{
    *how = (LinkNode) {
        .state = node->state,
        .wait = node->wait,
        .pc = node->cpu.env.pc,
        .npc = node->cpu.env.npc,
        .status = node->status,
        .end_time = node->end_time,
        .digest = node->digest,
    };
}
