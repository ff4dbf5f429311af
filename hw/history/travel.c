/*
 * Going back: how the machine gets to a place, and what it looks for there
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "qemu/rcu.h"
#include "exec/cputlb.h"
#include "exec/exec-all.h"
#include "exec/tb-flush.h"
#include "hw/core/cpu.h"
#include "system/lockstep.h"
#include "hw/fugu/board/rounds.h"
#include "hw/fugu/devices/console/console.h"
#include "hw/fugu/history/travel.h"
#include "hw/fugu/node/node.h"

/* Rounds until the thread looks whether QEMU wants it. */
#define ROUNDS_A_BATCH      256

/*
 * Stretches from a checkpoint that a search leaves to the place that it looks
 * at, for the searches that follow from there.
 */
static const unsigned leave[] = { 65536, 8192, 1024, 128 };

/* Turns of a node that a search steps through first; then it takes more. */
#define WINDOW              4
#define WINDOW_GROWTH       8

/* The machine may be between two states. */
static G_NORETURN void fail(Error *err)
{
    error_reportf_err(err, "fugu: going back: ");
    exit(FUGU_STATUS_FILE);
}

/* ---- Breakpoints --------------------------------------------------------- */

typedef QTAILQ_HEAD(, CPUBreakpoint) Breakpoints;
typedef QTAILQ_HEAD(, CPUWatchpoint) Watchpoints;

/* What GDB has set on each node, while a search passes it. */
typedef struct Held {
    Breakpoints *breakpoints;
    Watchpoints *watchpoints;
} Held;

#define MOVE_ALL(to, from) do {                                         \
        typeof(QTAILQ_FIRST(from)) one_;                                \
        while ((one_ = QTAILQ_FIRST(from))) {                           \
            QTAILQ_REMOVE(from, one_, entry);                           \
            QTAILQ_INSERT_TAIL(to, one_, entry);                        \
        }                                                               \
    } while (0)

/* Takes all breakpoints and watchpoints away, and all single steps. */
static Held hold(FuguMachineState *m)
{
    Held held = {
        .breakpoints = g_new(Breakpoints, m->node_count),
        .watchpoints = g_new(Watchpoints, m->node_count),
    };

    for (uint32_t i = 0; i < m->node_count; i++) {
        CPUState *cs = CPU(&m->nodes[i]->cpu);

        QTAILQ_INIT(&held.breakpoints[i]);
        QTAILQ_INIT(&held.watchpoints[i]);
        MOVE_ALL(&held.breakpoints[i], &cs->breakpoints);
        MOVE_ALL(&held.watchpoints[i], &cs->watchpoints);
        cs->watchpoint_hit = NULL;
        cpu_single_step(cs, 0);
    }
    return held;
}

/* Puts back what hold() has taken. TLBs must know what is watched, and the
 * jump caches must hold no block that contains a breakpoint. */
static void give_back(FuguMachineState *m, Held *held)
{
    for (uint32_t i = 0; i < m->node_count; i++) {
        CPUState *cs = CPU(&m->nodes[i]->cpu);

        MOVE_ALL(&cs->breakpoints, &held->breakpoints[i]);
        MOVE_ALL(&cs->watchpoints, &held->watchpoints[i]);
        tcg_flush_jmp_cache(cs);
        if (!QTAILQ_EMPTY(&cs->watchpoints)) {
            tlb_flush(cs);
        }
    }
    g_free(held->breakpoints);
    g_free(held->watchpoints);
}

/* ---- Checkpoints --------------------------------------------------------- */

static void flush_tlbs(FuguMachineState *m)
{
    for (uint32_t i = 0; i < m->node_count; i++) {
        tlb_flush(CPU(&m->nodes[i]->cpu));
    }
}

void fugu_travel_checkpoint(FuguTravel *t, bool changed)
{
    Error *err = NULL;

    BQL_LOCK_GUARD();
    flush_tlbs(t->machine);
    if (!fugu_checkpoint_take(t->all, t->rounds, changed, &err)) {
        fail(err);
    }
}

static void compare(FuguTravel *t, const FuguCheckpoint *c)
{
    int node = fugu_checkpoint_differs(t->all, c);

    t->compared++;
    if (node >= 0 && !t->differs) {
        t->differs = true;
        error_report("fugu: going back: at cycle %" PRId64 ", node %d is not "
                     "what it was when the run first came here. Does its "
                     "program change page tables without a flush?",
                     c->place.round, node);
    }
}

/* Whether a checkpoint is to be left on the way to t->leave_for. */
static bool leave_due(FuguTravel *t)
{
    FuguMachineState *m = t->machine;
    int64_t left = t->leave_for - m->round_start;
    bool due = false;

    if (t->leave_for == FUGU_NEVER) {
        return false;
    }
    while (t->left < ARRAY_SIZE(leave) &&
           left <= (int64_t)(leave[t->left] / m->node_count) * m->quantum) {
        t->left++;
        due = true;
    }
    return due;
}

/*
 * Takes a checkpoint, if one is due, and flushes the TLBs there, so that a run
 * that starts at the checkpoint finds the same; or compares the machine with the
 * checkpoint that is there.
 */
static void begin_round(FuguTravel *t)
{
    FuguPlace now = fugu_place(t->machine);
    const FuguCheckpoint *c = fugu_checkpoint_find(t->all, &now, false);
    bool known = c && !fugu_place_compare(&c->place, &now);

    if (known) {
        compare(t, c);
    }
    if (t->rounds % t->interval == 0) {
        fugu_travel_checkpoint(t, false);
    } else if (leave_due(t) && !known) {
        fugu_travel_checkpoint(t, false);
    }
}

/* ---- Running forward ----------------------------------------------------- */

/* Whether the search has to end where it is. Otherwise does what QEMU asks of
 * the thread. */
static bool interrupted(void)
{
    CPUState *cs;

    if (!lockstep_attention()) {
        return false;
    }
    rcu_read_unlock();
    bql_lock();
    CPU_FOREACH(cs) {
        process_queued_cpu_work(cs);
    }
    bql_unlock();
    rcu_read_lock();
    return qatomic_read(&first_cpu->stop) || first_cpu->stopped;
}

/* Runs the node at the cursor to the end of the round, or to a debugger's stop.
 * Returns EXCP_STRETCH, EXCP_DEBUG, or EXCP_INTERRUPT if interrupted. */
static int turn(FuguTravel *t)
{
    int why;

    do {
        why = fugu_rounds_turn(t->machine->rounds);
        if (why == EXCP_STRETCH || why == EXCP_DEBUG) {
            return why;
        }
    } while (!interrupted());
    return EXCP_INTERRUPT;
}

bool fugu_travel_finish(FuguTravel *t)
{
    FuguRounds *r = t->machine->rounds;
    bool goes_on = fugu_rounds_finish(r);

    if (r->ending.reason == FUGU_ENDING_NONE) {
        t->rounds++;
        begin_round(t);
    }
    return goes_on;
}

/* Begins the next round. */
static FuguTravelEnd next_round(FuguTravel *t)
{
    FuguMachineState *m = t->machine;

    while (m->console_asked && !fugu_console_supply(m)) {
        if (interrupted()) {
            return FUGU_TRAVEL_INTERRUPTED;
        }
        g_usleep(1000);
    }
    if (!fugu_travel_finish(t)) {
        return m->rounds->ending.reason == FUGU_ENDING_NONE
            ? FUGU_TRAVEL_INTERRUPTED : FUGU_TRAVEL_ENDED;
    }
    return t->rounds % ROUNDS_A_BATCH == 0 && interrupted()
        ? FUGU_TRAVEL_INTERRUPTED : FUGU_TRAVEL_THERE;
}

/*
 * Runs to the start of the turn of @to->cursor in the round @to->round, or to
 * the first round after that, if no round starts there. With @node, appends the
 * starts of the rounds in which that node may have executed an instruction to
 * @turns.
 */
static FuguTravelEnd fly(FuguTravel *t, const FuguPlace *to, FuguNode *node,
                         GArray *turns)
{
    FuguMachineState *m = t->machine;
    FuguRounds *r = m->rounds;

    while (m->round_start < to->round ||
           (m->round_start == to->round && r->cursor < to->cursor)) {
        if (r->cursor == m->end) {
            FuguTravelEnd end = next_round(t);

            if (end != FUGU_TRAVEL_THERE) {
                return end;
            }
            continue;
        }
        if (node) {
            node->ran = false;
        }
        if (turn(t) == EXCP_INTERRUPT) {
            return FUGU_TRAVEL_INTERRUPTED;
        }
        if (node && node->ran) {
            g_array_append_val(turns, m->round_start);
        }
        r->cursor++;
    }
    return FUGU_TRAVEL_THERE;
}

/* Executes an instruction of the node at the cursor, or ends its turn. Returns
 * as turn() does. */
static int step(FuguTravel *t)
{
    CPUState *cs = CPU(&t->machine->nodes[t->machine->rounds->cursor]->cpu);
    int why;

    cpu_single_step(cs, SSTEP_ENABLE);
    why = turn(t);
    cpu_single_step(cs, 0);
    return why;
}

/* The node at the cursor is at the end of a stretch: lets the events of this
 * time fire. */
static bool enter_stretch(FuguTravel *t)
{
    FuguNode *node = t->machine->nodes[t->machine->rounds->cursor];
    CPUState *cs = CPU(&node->cpu);
    CPUBreakpoint *here;
    int why;

    cpu_breakpoint_insert(cs, node->cpu.env.pc, BP_GDB, &here);
    why = turn(t);
    cpu_breakpoint_remove_by_ref(cs, here);
    return why == EXCP_DEBUG;
}

/* ---- Going to a place ---------------------------------------------------- */

static void restore(FuguTravel *t, const FuguCheckpoint *c)
{
    Error *err = NULL;

    BQL_LOCK_GUARD();
    t->rounds = c->rounds;
    if (!fugu_checkpoint_restore(t->all, c, &err)) {
        fail(err);
    }
}

/*
 * Restores the last checkpoint before @to, unless the present is nearer. With
 * @from, the place of a checkpoint, restores none before that: to go back past a
 * change by the debugger would undo the change.
 */
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
    restore(t, c);
    return FUGU_TRAVEL_THERE;
}

static FuguTravelEnd approach_and_fly(FuguTravel *t, const FuguPlace *to,
                                      const FuguPlace *from)
{
    FuguPlace start = { to->round, to->cursor, INT64_MIN, false };
    FuguTravelEnd end = approach(t, to, from);

    t->left = 0;
    t->leave_for = to->round;
    if (end == FUGU_TRAVEL_THERE) {
        end = fly(t, &start, NULL, NULL);
    }
    t->leave_for = FUGU_NEVER;
    return end;
}

static FuguTravelEnd travel_to(FuguTravel *t, const FuguPlace *to)
{
    FuguTravelEnd end = approach_and_fly(t, to, NULL);
    FuguPlace now = fugu_place(t->machine);

    if (end != FUGU_TRAVEL_THERE) {
        return end;
    }
    while (fugu_place_compare(&now, to) < 0) {
        if (now.round != to->round || now.cursor != to->cursor) {
            break;
        }
        if (now.time >= to->time ? !enter_stretch(t) : step(t) != EXCP_DEBUG) {
            break;
        }
        now = fugu_place(t->machine);
    }
    if (fugu_place_compare(&now, to)) {
        if (interrupted()) {
            return FUGU_TRAVEL_INTERRUPTED;
        }
        error_report("fugu: going back: the run has not come again to cycle %"
                     PRId64 " of node %u", to->time, to->cursor);
        return FUGU_TRAVEL_FAILED;
    }
    return FUGU_TRAVEL_THERE;
}

FuguTravelEnd fugu_travel_to(FuguTravel *t, const FuguPlace *to)
{
    Held held = hold(t->machine);
    FuguTravelEnd end = travel_to(t, to);

    give_back(t->machine, &held);
    return end;
}

/* Cycles by which an instruction may run past its turn; any more would do. */
#define LONG_INSTRUCTION    4096

/* Goes to a place before the node's time is @time, and near it. */
static FuguTravelEnd travel_near(FuguTravel *t, FuguNode *node, int64_t time)
{
    const FuguCheckpoint *first = fugu_checkpoint_first(t->all);
    FuguPlace start = {
        .round = time - t->machine->quantum - LONG_INSTRUCTION,
        .cursor = node->number,
        .time = INT64_MIN,
    };

    FuguPlace now = fugu_place(t->machine);

    if (fugu_node_time(node) < time && fugu_place_compare(&start, &now) <= 0) {
        return FUGU_TRAVEL_THERE;
    }
    if (fugu_place_compare(&start, &first->place) > 0) {
        return approach_and_fly(t, &start, NULL);
    }
    restore(t, first);
    return FUGU_TRAVEL_THERE;
}

static FuguTravelEnd travel_to_time(FuguTravel *t, FuguNode *node, int64_t time)
{
    FuguTravelEnd end = travel_near(t, node, time);

    while (end == FUGU_TRAVEL_THERE) {
        FuguRounds *r = t->machine->rounds;

        if (r->cursor == node->number && fugu_node_time(node) >= time) {
            return FUGU_TRAVEL_THERE;
        }
        if (r->cursor != node->number) {
            FuguPlace next = {
                t->machine->round_start + (r->cursor > node->number),
                node->number,
            };

            end = fly(t, &next, NULL, NULL);
        } else {
            int why = step(t);

            r->cursor += why == EXCP_STRETCH;
            end = why == EXCP_INTERRUPT ? FUGU_TRAVEL_INTERRUPTED : end;
        }
    }
    return end;
}

FuguTravelEnd fugu_travel_to_time(FuguTravel *t, FuguNode *node, int64_t time)
{
    Held held = hold(t->machine);
    FuguTravelEnd end = travel_to_time(t, node, time);

    give_back(t->machine, &held);
    return end;
}

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

    while ((why = step(t)) == EXCP_DEBUG) {
        FuguPlace now = fugu_place(t->machine);

        if (now.time > s->time || fugu_place_compare(&now, &s->limit) > 0) {
            return FUGU_TRAVEL_THERE;
        }
        last[1] = last[0];
        last[0] = now;
        *count = MIN(*count + 1, 2);
    }
    t->machine->rounds->cursor += why == EXCP_STRETCH;
    return why == EXCP_INTERRUPT ? FUGU_TRAVEL_INTERRUPTED : FUGU_TRAVEL_THERE;
}

/* Steps the node through its turns in @count of the rounds @turns. */
static FuguTravelEnd step_turns(FuguTravel *t, Stops *s, const int64_t *turns,
                                unsigned count)
{
    FuguPlace first = { turns[0], s->node->number, INT64_MIN, false };
    FuguTravelEnd end = approach_and_fly(t, &first, &s->from);
    FuguPlace last[2];
    unsigned found = 0;

    for (unsigned i = 0; i < count && end == FUGU_TRAVEL_THERE; i++) {
        FuguPlace start = { turns[i], s->node->number, INT64_MIN, false };

        end = fly(t, &start, NULL, NULL);
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

    if (to->cursor == t->machine->end || to->time == INT64_MIN) {
        end_turn.cursor = to->cursor;
    }
    t->left = 0;
    t->leave_for = to->round;
    restore(t, from);
    end = fly(t, &end_turn, s->node, turns);
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

static FuguTravelEnd travel_before(FuguTravel *t, FuguNode *node, int64_t time,
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

    t->machine->muted = true;
    found = search_before(t, &stops, &to);
    t->machine->muted = false;
    if (found != FUGU_TRAVEL_THERE && found != FUGU_TRAVEL_BEGIN) {
        return found;
    }
    end = travel_to(t, &to);
    return end == FUGU_TRAVEL_THERE ? found : end;
}

FuguTravelEnd fugu_travel_before(FuguTravel *t, FuguNode *node, int64_t time,
                                 const FuguPlace *limit)
{
    Held held = hold(t->machine);
    FuguTravelEnd end = travel_before(t, node, time, limit);

    give_back(t->machine, &held);
    return end;
}

/* ---- Looking for breakpoints --------------------------------------------- */

/* The last hit of a search, and where the machine stopped for it. */
typedef struct LastHit {
    FuguHit hit;
    FuguPlace place;
} LastHit;

/* Records the stop, if it is before @limit. Returns false if it is not. */
static bool record_hit(FuguTravel *t, FuguNode *node, const FuguPlace *limit,
                       LastHit *last)
{
    CPUState *cs = CPU(&node->cpu);
    FuguPlace now = fugu_place(t->machine);
    int order = fugu_place_compare(&now, limit);
    CPUWatchpoint *watchpoint = cs->watchpoint_hit;

    cs->watchpoint_hit = NULL;
    /* A watchpoint stops after its instruction, a breakpoint before. */
    if (watchpoint ? order > 0 : order >= 0) {
        return false;
    }
    *last = (LastHit) { { node, watchpoint }, now };
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
    FuguNode *node = m->nodes[m->rounds->cursor];
    int why = turn(t);

    while (why == EXCP_DEBUG) {
        bool watched = CPU(&node->cpu)->watchpoint_hit;

        if (!record_hit(t, node, limit, last)) {
            return FUGU_TRAVEL_THERE;
        }
        if (!watched) {
            why = step(t);
            if (why == EXCP_DEBUG && CPU(&node->cpu)->watchpoint_hit) {
                continue;
            }
        }
        if (why == EXCP_DEBUG) {
            why = turn(t);
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
           (m->round_start < limit->round ||
            (m->round_start == limit->round &&
             m->rounds->cursor <= limit->cursor &&
             m->rounds->cursor < m->end))) {
        if (m->rounds->cursor == m->end) {
            end = next_round(t);
        } else {
            end = turn_with_hits(t, limit, last);
            m->rounds->cursor++;
        }
    }
    return end;
}

static FuguTravelEnd search_hit(FuguTravel *t, LastHit *last)
{
    FuguPlace limit = fugu_place(t->machine);
    FuguTravelEnd end = FUGU_TRAVEL_BEGIN;
    const FuguCheckpoint *c;

    while ((c = fugu_checkpoint_find(t->all, &limit, true))) {
        FuguPlace from = c->place;

        restore(t, c);
        end = run_with_hits(t, &limit, last);
        if (end != FUGU_TRAVEL_THERE || last->hit.node) {
            return end;
        }
        limit = from;
    }
    return FUGU_TRAVEL_BEGIN;
}

FuguTravelEnd fugu_travel_to_hit(FuguTravel *t, FuguHit *hit)
{
    FuguMachineState *m = t->machine;
    LastHit last = { { 0 } };
    FuguTravelEnd end;
    Held held;

    m->muted = true;
    end = search_hit(t, &last);
    m->muted = false;
    *hit = last.hit;
    held = hold(m);
    if (end == FUGU_TRAVEL_BEGIN) {
        const FuguCheckpoint *first = fugu_checkpoint_first(t->all);
        FuguTravelEnd there = travel_to(t, &first->place);

        end = there == FUGU_TRAVEL_THERE ? end : there;
    } else if (end == FUGU_TRAVEL_THERE) {
        end = last.hit.watchpoint
            ? travel_before(t, last.hit.node, FUGU_NEVER, &last.place)
            : travel_to(t, &last.place);
    }
    give_back(m, &held);
    return end;
}
