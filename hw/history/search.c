/*
 * Going back: looking for an instruction, a breakpoint or a store
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "accel/tcg/ram-watchpoint.h"
#include "exec/exec-all.h"
#include "hw/core/cpu.h"
#include "system/lockstep.h"
#include "hw/fugu/rounds/rounds.h"
#include "hw/fugu/history/held.h"
#include "hw/fugu/history/search.h"
#include "hw/fugu/history/travel.h"
#include "hw/fugu/node/node.h"

/* Turns of a node that a search steps through first; then it takes more. */
#define WINDOW              4
#define WINDOW_GROWTH       8

/* ---- Looking for an instruction ------------------------------------------ */

/* A search for the last stops of a node, as single steps make them. */
typedef struct Stops {
    FuguNode *node;
    int64_t time;               /* of the node: later ones do not count */
    FuguPlace limit;            /* nor do those after it */
    FuguPlace from;             /* the checkpoint where the search is now */
    unsigned count;             /* found so far, at most 2 */
    FuguPlace last[2];          /* the last one first */
} Stops;

/* Adds the stops of a window, which precede those found so far. */
static void add_stops(Stops *s, const FuguPlace *last, unsigned count)
{
    for (unsigned i = 0; i < count && s->count < 2; i++) {
        s->last[s->count++] = last[i];
    }
}

/* Steps the node through its turn. The last two stops that count come first in
 * @last. */
static FuguTravelEnd step_turn(FuguTravel *t, const Stops *s, FuguPlace *last,
                               unsigned *count)
{
    int why;

    while ((why = fugu_forward_step(t)) == EXCP_DEBUG) {
        FuguPlace now = fugu_place(t->machine);

        if (now.time > s->time || fugu_place_compare(&now, &s->limit) > 0) {
            return FUGU_TRAVEL_THERE;
        }
        last[1] = last[0];
        last[0] = now;
        *count = MIN(*count + 1, 2);
    }
    t->machine->parts.rounds->cursor += why == EXCP_STRETCH;
    return why == EXCP_INTERRUPT ? FUGU_TRAVEL_INTERRUPTED : FUGU_TRAVEL_THERE;
}

/* Steps the node through its turns in @count of the rounds @turns. */
static FuguTravelEnd step_turns(FuguTravel *t, Stops *s, const int64_t *turns,
                                unsigned count)
{
    FuguPlace first = { turns[0], s->node->number, INT64_MIN, false };
    FuguTravelEnd end = fugu_travel_near(t, &first, &s->from);
    FuguPlace last[2];
    unsigned found = 0;

    for (unsigned i = 0; i < count && end == FUGU_TRAVEL_THERE; i++) {
        FuguPlace start = { turns[i], s->node->number, INT64_MIN, false };

        end = fugu_forward_fly(t, &start, NULL, NULL);
        if (end == FUGU_TRAVEL_THERE) {
            end = step_turn(t, s, last, &found);
        }
    }
    add_stops(s, last, found);
    return end;
}

/* Steps the node through the last of its turns, and through more of them until
 * two stops are found. */
static FuguTravelEnd step_back_through(FuguTravel *t, Stops *s,
                                       const GArray *turns)
{
    FuguTravelEnd end = FUGU_TRAVEL_THERE;
    unsigned high = turns->len, window = WINDOW;

    while (high && s->count < 2 && end == FUGU_TRAVEL_THERE) {
        unsigned low = high - MIN(high, window);

        end = step_turns(t, s, &g_array_index(turns, int64_t, low), high - low);
        high = low;
        window *= WINDOW_GROWTH;
    }
    return end;
}

/* Looks for stops between @from and @to. */
static FuguTravelEnd find_stops(FuguTravel *t, Stops *s,
                                const FuguCheckpoint *from, const FuguPlace *to)
{
    g_autoptr(GArray) turns = g_array_new(false, false, sizeof(int64_t));
    FuguPlace end_turn = { to->round, to->cursor + 1, INT64_MIN, false };
    FuguTravelEnd end;

    if (to->cursor == t->machine->parts.end || to->time == INT64_MIN) {
        end_turn.cursor = to->cursor;
    }
    t->left = 0;
    t->leave_for = to->round;
    fugu_travel_restore(t, from);
    end = fugu_forward_fly(t, &end_turn, s->node, turns);
    t->leave_for = FUGU_NEVER;
    return end == FUGU_TRAVEL_THERE ? step_back_through(t, s, turns) : end;
}

/*
 * Looks for the last two stops, from the last interval between checkpoints
 * backwards. Sets *@to to the first of the two: there the last completed
 * instruction began. If there is only one, that is the first checkpoint.
 */
static FuguTravelEnd search_before(FuguTravel *t, Stops *s, FuguPlace *to)
{
    FuguPlace until = s->limit;
    const FuguCheckpoint *c;

    while ((c = fugu_checkpoint_find(t->all, &until, true))) {
        FuguPlace from = c->place;
        bool changed = c->changed;
        FuguTravelEnd end;

        s->from = from;
        s->limit = until;
        end = find_stops(t, s, c, &until);
        if (end != FUGU_TRAVEL_THERE) {
            return end;
        }
        if (s->count == 2) {
            *to = s->last[1];
            return FUGU_TRAVEL_THERE;
        }
        if (s->count == 1 && changed) {
            /* Before this checkpoint, the run is without the change. */
            *to = from;
            return FUGU_TRAVEL_THERE;
        }
        until = from;
    }
    c = fugu_checkpoint_first(t->all);
    *to = c->place;
    return s->count ? FUGU_TRAVEL_THERE : FUGU_TRAVEL_BEGIN;
}

FuguTravelEnd fugu_search_before(FuguTravel *t, FuguNode *node, int64_t time,
                                 const FuguPlace *limit)
{
    /* No turn that begins after @time counts. */
    FuguPlace after = { MIN(time, FUGU_TIME_MAX) + 1, 0, INT64_MIN, false };
    Stops stops = {
        .node = node,
        .time = time,
        .limit = fugu_place_compare(&after, limit) < 0 ? after : *limit,
    };
    FuguTravelEnd found, end;
    FuguPlace to;

    t->machine->terminal.muted = true;
    found = search_before(t, &stops, &to);
    t->machine->terminal.muted = false;
    if (found != FUGU_TRAVEL_THERE && found != FUGU_TRAVEL_BEGIN) {
        return found;
    }
    end = fugu_travel_to(t, &to);
    return end == FUGU_TRAVEL_THERE ? found : end;
}

/* ---- Looking for breakpoints --------------------------------------------- */

/* The last hit of a search, and where the machine stopped for it. */
typedef struct LastHit {
    FuguHit hit;
    FuguPlace place;
    FuguTarget *target;         /* of a search for a store, or NULL */
    uint8_t *bytes;             /* that it had when last looked at */
} LastHit;

/* Returns where the target's bytes are in the RAM of all nodes. */
static size_t target_offset(const FuguMachineState *m, const FuguTarget *target)
{
    return fugu_ram_stride(m) * (target->node->number - m->parts.first) +
           target->addr - FUGU_RAM_BASE;
}

static const uint8_t *target_bytes(FuguMachineState *m,
                                   const FuguTarget *target)
{
    return (uint8_t *)memory_region_get_ram_ptr(&m->parts.ram) +
           target_offset(m, target);
}

/* Returns whether the bytes differ in the bits that matter. */
static bool differ(const FuguTarget *target, const uint8_t *a, const uint8_t *b)
{
    for (unsigned i = 0; i < target->len; i++) {
        if ((a[i] ^ b[i]) & (target->mask ? target->mask[i] : 0xff)) {
            return true;
        }
    }
    return false;
}

/* Returns whether the bytes are others than at the last call. */
static bool target_changes(FuguMachineState *m, LastHit *last)
{
    const uint8_t *now = target_bytes(m, last->target);
    bool changes = differ(last->target, now, last->bytes);

    memcpy(last->bytes, now, last->target->len);
    return changes;
}

/* Returns whether the debugger has changed the bytes at @c; records it. */
static bool changed_by_hand(FuguTravel *t, const FuguCheckpoint *c,
                            LastHit *last)
{
    FuguTarget *target = last->target;
    size_t at;
    g_autofree uint8_t *before = NULL, *after = NULL;

    if (!target || !c->changed) {
        return false;
    }
    at = target_offset(t->machine, target);
    before = g_malloc(target->len);
    after = g_malloc(target->len);
    fugu_checkpoint_read(t->all, c, true, at, before, target->len);
    fugu_checkpoint_read(t->all, c, false, at, after, target->len);
    if (!differ(target, before, after)) {
        return false;
    }
    target->by_hand = g_steal_pointer(&before);
    target->came.bytes = 0;
    last->hit.node = target->node;
    last->place = c->place;
    return true;
}

/* Records the stop, if it is before @limit. Returns false if it is not. */
static bool record_hit(FuguTravel *t, FuguNode *node, const FuguPlace *limit,
                       LastHit *last)
{
    CPUState *cs = CPU(&node->cpu);
    FuguPlace now = fugu_place(t->machine);
    int order = fugu_place_compare(&now, limit);
    CPUWatchpoint *watchpoint = cs->watchpoint_hit;
    FuguCame came = node->came;

    cs->watchpoint_hit = NULL;
    node->came.bytes = 0;
    /* A watchpoint stops after its instruction, a breakpoint before. */
    if (watchpoint ? order > 0 : order >= 0) {
        return false;
    }
    if (last->target && !target_changes(t->machine, last) &&
        last->target->change) {
        return true;
    }
    if (last->target) {
        last->target->came = came;
    }
    last->hit = (FuguHit) { node, watchpoint };
    last->place = now;
    return true;
}

/*
 * Runs a turn with breakpoints, and records each hit before @limit. Steps over
 * breakpoints: single steps ignore them, but not watchpoints.
 */
static FuguTravelEnd turn_with_hits(FuguTravel *t, const FuguPlace *limit,
                                    LastHit *last)
{
    FuguMachineState *m = t->machine;
    FuguNode *node = m->parts.nodes[m->parts.rounds->cursor];
    bool again = node->deferred;    /* the turn begins with the instruction at
                                       which the last one ended */
    int64_t time = fugu_node_time(node);
    int why = fugu_forward_turn(t);

    while (why == EXCP_DEBUG) {
        bool watched = CPU(&node->cpu)->watchpoint_hit;
        bool known = again && !watched && fugu_node_time(node) == time;

        if (!known && !record_hit(t, node, limit, last)) {
            return FUGU_TRAVEL_THERE;
        }
        if (!watched) {
            why = fugu_forward_step(t);
            if (why == EXCP_DEBUG && CPU(&node->cpu)->watchpoint_hit) {
                continue;
            }
        }
        if (why == EXCP_DEBUG) {
            why = fugu_forward_turn(t);
        }
    }
    return why == EXCP_INTERRUPT ? FUGU_TRAVEL_INTERRUPTED : FUGU_TRAVEL_THERE;
}

/* Runs from the present to @limit, and records each hit. */
static FuguTravelEnd run_with_hits(FuguTravel *t, const FuguPlace *limit,
                                   LastHit *last)
{
    FuguMachineState *m = t->machine;
    FuguTravelEnd end = FUGU_TRAVEL_THERE;

    while (end == FUGU_TRAVEL_THERE &&
           (m->time.round_start < limit->round ||
            (m->time.round_start == limit->round &&
             m->parts.rounds->cursor <= limit->cursor &&
             m->parts.rounds->cursor < m->parts.end))) {
        if (m->parts.rounds->cursor == m->parts.end) {
            end = fugu_forward_next_round(t);
        } else {
            end = turn_with_hits(t, limit, last);
            m->parts.rounds->cursor += end == FUGU_TRAVEL_THERE;
        }
    }
    return end;
}

static FuguTravelEnd search_hit(FuguTravel *t, LastHit *last)
{
    FuguPlace limit = fugu_place(t->machine);
    FuguTravelEnd end = FUGU_TRAVEL_BEGIN;
    const FuguCheckpoint *c = fugu_checkpoint_find(t->all, &limit, false);

    if (c && !fugu_place_compare(&c->place, &limit) &&
        changed_by_hand(t, c, last)) {
        return FUGU_TRAVEL_THERE;
    }
    while ((c = fugu_checkpoint_find(t->all, &limit, true))) {
        FuguPlace from = c->place;
        bool changed = c->changed;

        fugu_travel_restore(t, c);
        if (last->target) {
            memcpy(last->bytes, target_bytes(t->machine, last->target),
                   last->target->len);
        }
        end = run_with_hits(t, &limit, last);
        if (end != FUGU_TRAVEL_THERE || last->hit.node) {
            return end;
        }
        /* A checkpoint with a change is never dropped. */
        if (changed && changed_by_hand(t, c, last)) {
            return FUGU_TRAVEL_THERE;
        }
        limit = from;
    }
    return FUGU_TRAVEL_BEGIN;
}

/* As fugu_search_hit(), with @target for fugu_search_store(). */
static FuguTravelEnd go_to_hit(FuguTravel *t, FuguTarget *target, FuguHit *hit)
{
    FuguMachineState *m = t->machine;
    LastHit last = {
        .target = target,
        .bytes = target ? g_malloc(target->len) : NULL,
    };
    FuguTravelEnd end;
    FuguHeld held;

    m->terminal.muted = true;
    end = search_hit(t, &last);
    m->terminal.muted = false;
    g_free(last.bytes);
    *hit = last.hit;
    held = fugu_hold(m);
    if (end == FUGU_TRAVEL_BEGIN) {
        const FuguCheckpoint *first = fugu_checkpoint_first(t->all);
        FuguTravelEnd there = fugu_travel_to(t, &first->place);

        end = there == FUGU_TRAVEL_THERE ? end : there;
    } else if (end == FUGU_TRAVEL_THERE) {
        end = last.hit.watchpoint
            ? fugu_search_before(t, last.hit.node, FUGU_NEVER, &last.place)
            : fugu_travel_to(t, &last.place);
    }
    fugu_give_back(m, &held);
    return end;
}

FuguTravelEnd fugu_search_hit(FuguTravel *t, FuguHit *hit)
{
    return go_to_hit(t, NULL, hit);
}

/* ---- Looking for a store ------------------------------------------------- */

FuguTravelEnd fugu_search_store(FuguTravel *t, FuguTarget *target)
{
    FuguMachineState *m = t->machine;
    CPUState *cs = CPU(&target->node->cpu);
    CPUWatchpoint wp = {
        .vaddr = memory_region_get_ram_addr(&m->parts.ram) +
                 target_offset(m, target),
        .hitaddr = target->addr,
        .len = target->len,
        .flags = BP_MEM_WRITE,
    };
    FuguTravelEnd end;
    FuguHit hit;

    target->node->came.bytes = 0;
    cpu_watch_ram(cs, &wp);
    end = go_to_hit(t, target, &hit);
    cpu_watch_ram(cs, NULL);
    cs->watchpoint_hit = NULL;
    return end;
}
