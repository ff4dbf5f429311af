/*
 * Places: points of a run that a debugger can stop at
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/rounds/rounds.h"
#include "hw/fugu/history/place.h"
#include "hw/fugu/node/node.h"

FuguPlace fugu_place(const FuguMachineState *m)
{
    FuguPlace place = {
        .round = m->time.round_start,
        .cursor = m->parts.rounds->cursor,
        .time = fugu_machine_round_end(m),
    };

    if (place.cursor < m->parts.end) {
        FuguNode *node = m->parts.nodes[place.cursor];

        place.time = fugu_node_time(node);
        place.inside = node->in_stretch && !CPU(&node->cpu)->neg.stretch_over;
    }
    return place;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

int fugu_place_compare(const FuguPlace *a, const FuguPlace *b)
{
    return compare(a->round, b->round) ?: compare(a->cursor, b->cursor) ?:
           compare(a->time, b->time) ?: compare(a->inside, b->inside);
}
