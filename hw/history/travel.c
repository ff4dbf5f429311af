/*
 * Going back: the way to a place
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "exec/exec-all.h"
#include "system/lockstep.h"
#include "hw/fugu/rounds/rounds.h"
#include "hw/fugu/history/travel.h"
#include "hw/fugu/node/node.h"

void fugu_travel_restore(FuguTravel *t, const FuguCheckpoint *c)
{
    Error *err = NULL;

    BQL_LOCK_GUARD();
    t->rounds = c->rounds;
    if (!fugu_checkpoint_restore(t->all, c, &err)) {
        fugu_forward_fail(err);
    }
}

/* Restores the last checkpoint before @to, unless the present is nearer; @from
 * as for fugu_travel_near(). */
static FuguTravelEnd approach(FuguTravel *t, const FuguPlace *to,
                              const FuguPlace *from)
{
    const FuguCheckpoint *c = fugu_checkpoint_find(t->all, to, false);
    FuguPlace now = fugu_place(t->machine);

    if (from && (!c || fugu_place_compare(&c->place, from) < 0)) {
        c = fugu_checkpoint_find(t->all, from, false);
    }
    if (fugu_place_compare(&now, to) <= 0 &&
        (!c || fugu_place_compare(&c->place, &now) <= 0)) {
        return FUGU_TRAVEL_THERE;
    }
    if (!c) {
        return FUGU_TRAVEL_BEGIN;
    }
    fugu_travel_restore(t, c);
    return FUGU_TRAVEL_THERE;
}

FuguTravelEnd fugu_travel_near(FuguTravel *t, const FuguPlace *to,
                               const FuguPlace *from)
{
    FuguPlace start = { to->round, to->cursor, INT64_MIN, false };
    FuguTravelEnd end = approach(t, to, from);

    t->left = 0;
    t->leave_for = to->round;
    if (end == FUGU_TRAVEL_THERE) {
        end = fugu_forward_fly(t, &start, NULL, NULL);
    }
    t->leave_for = FUGU_NEVER;
    return end;
}

FuguTravelEnd fugu_travel_to(FuguTravel *t, const FuguPlace *to)
{
    FuguTravelEnd end = fugu_travel_near(t, to, NULL);
    FuguPlace now = fugu_place(t->machine);

    if (end != FUGU_TRAVEL_THERE) {
        return end;
    }
    while (fugu_place_compare(&now, to) < 0) {
        if (now.round != to->round || now.cursor != to->cursor) {
            break;
        }
        if (now.time >= to->time ? !fugu_forward_enter_stretch(t)
                                 : fugu_forward_step(t) != EXCP_DEBUG) {
            break;
        }
        now = fugu_place(t->machine);
    }
    if (fugu_place_compare(&now, to)) {
        if (fugu_forward_interrupted()) {
            return FUGU_TRAVEL_INTERRUPTED;
        }
        error_report("fugu: going back: the run has not come again to cycle %"
                     PRId64 " of node %u", to->time, to->cursor);
        return FUGU_TRAVEL_FAILED;
    }
    return FUGU_TRAVEL_THERE;
}

/* Cycles by which few turns run past their end. */
#define LONG_TURN           4096
#define LONG_TURN_GROWTH    8

/*
 * Goes to a place before the node's time is @time, and near it: but not before
 * the last change by the debugger until then, which would be undone. In straight
 * code a node has come to that time in a turn long before; so looks further
 * back as long as the node is already there.
 */
static FuguTravelEnd before_time(FuguTravel *t, FuguNode *node, int64_t time)
{
    const FuguCheckpoint *first = fugu_checkpoint_changed(t->all, node->number,
                                                          time) ?:
                                  fugu_checkpoint_first(t->all);
    int64_t back = t->machine->options.quantum + LONG_TURN;
    FuguPlace start = { time - back, node->number, INT64_MIN, false };
    FuguPlace now = fugu_place(t->machine);
    FuguTravelEnd end;

    if (fugu_node_time(node) < time && fugu_place_compare(&start, &now) <= 0) {
        return FUGU_TRAVEL_THERE;
    }
    while (fugu_place_compare(&start, &first->place) > 0) {
        end = fugu_travel_near(t, &start, NULL);
        if (end != FUGU_TRAVEL_THERE || fugu_node_time(node) < time) {
            return end;
        }
        back *= LONG_TURN_GROWTH;
        start.round = time - back;
    }
    fugu_travel_restore(t, first);
    return FUGU_TRAVEL_THERE;
}

FuguTravelEnd fugu_travel_to_time(FuguTravel *t, FuguNode *node,
                                  int64_t time)
{
    FuguTravelEnd end = before_time(t, node, time);

    while (end == FUGU_TRAVEL_THERE) {
        FuguRounds *r = t->machine->parts.rounds;

        if (r->cursor == node->number && fugu_node_time(node) >= time) {
            return FUGU_TRAVEL_THERE;
        }
        if (r->cursor != node->number) {
            FuguPlace next = {
                t->machine->time.round_start + (r->cursor > node->number),
                node->number,
            };

            end = fugu_forward_fly(t, &next, NULL, NULL);
        } else {
            int why = fugu_forward_step(t);

            r->cursor += why == EXCP_STRETCH;
            end = why == EXCP_INTERRUPT ? FUGU_TRAVEL_INTERRUPTED : end;
        }
    }
    return end;
}
