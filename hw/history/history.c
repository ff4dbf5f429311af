/*
 * Going back: what debuggers ask for
 *
 * GDB, or a property, sets a goal while the machine is stopped. When the
 * machine is resumed, the vCPU thread goes there, and stops for the debugger.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "qemu/error-report.h"
#include "qobject/qdict.h"
#include "qobject/qjson.h"
#include "system/lockstep.h"
#include "system/reset.h"
#include "system/runstate.h"
#include "hw/fugu/board/rounds.h"
#include "hw/fugu/history/history.h"
#include "hw/fugu/history/travel.h"
#include "hw/fugu/node/node.h"

/* Stretches between two checkpoints: a few tenths of a second of host time. */
#define STRETCHES       300000

/* Rounds until the thread looks whether QEMU wants it. */
#define ROUNDS_A_BATCH  256

typedef enum Goal {
    GOAL_NONE,                  /* the machine runs as usual */
    GOAL_STEP_BACK,
    GOAL_HIT,                   /* the last breakpoint or watchpoint */
    GOAL_TIME,
    GOAL_BEFORE,
} Goal;

typedef struct FuguHistory {
    FuguMachineState *machine;
    FuguCheckpoints *all;
    FuguTravel travel;

    Goal goal;
    FuguNode *node;             /* that the goal is about */
    int64_t time;

    bool begins;                /* the last goal was not found */
    bool changed;               /* by the debugger, since the machine stopped */
} FuguHistory;

/* ---- The vCPU thread ----------------------------------------------------- */

static FuguTravelEnd go(FuguHistory *h, FuguHit *hit)
{
    FuguPlace now = fugu_place(h->machine);

    switch (h->goal) {
    case GOAL_STEP_BACK:
        return fugu_travel_before(&h->travel, h->node, FUGU_NEVER, &now);
    case GOAL_HIT:
        return fugu_travel_to_hit(&h->travel, hit);
    case GOAL_TIME:
        return fugu_travel_to_time(&h->travel, h->node, h->time);
    case GOAL_BEFORE:
        return fugu_travel_before(&h->travel, h->node, h->time, &now);
    default:
        g_assert_not_reached();
    }
}

/* Returns the vCPU to report, or NULL if the machine goes on or has ended. */
static CPUState *reach_goal(FuguHistory *h)
{
    FuguHit hit = { 0 };
    FuguTravelEnd end = go(h, &hit);
    CPUState *cs;

    if (end == FUGU_TRAVEL_INTERRUPTED) {
        /* If only a snapshot was due, the machine comes back to here. */
        return NULL;
    }
    h->goal = GOAL_NONE;
    if (end == FUGU_TRAVEL_ENDED) {
        return NULL;
    }
    h->begins = end == FUGU_TRAVEL_BEGIN;
    cs = CPU(&(hit.node ?: h->node)->cpu);
    cs->watchpoint_hit = hit.watchpoint;
    return cs;
}

static CPUState *run_on(FuguHistory *h)
{
    FuguMachineState *m = h->machine;
    FuguRounds *r = m->rounds;

    for (unsigned batch = 0; batch < ROUNDS_A_BATCH; batch++) {
        for (; r->cursor < m->end; r->cursor++) {
            int why = fugu_rounds_turn(r);

            if (why == EXCP_DEBUG) {
                return CPU(&m->nodes[r->cursor]->cpu);
            }
            if (why != EXCP_STRETCH) {
                return NULL;
            }
        }
        if (!fugu_travel_finish(&h->travel) || m->console_asked ||
            lockstep_attention()) {
            break;
        }
    }
    fugu_ending_check_log(m);
    return NULL;
}

static CPUState *history_run(FuguMachineState *m)
{
    FuguHistory *h = m->history;

    h->begins = false;
    if (!fugu_checkpoint_first(h->all) || h->changed) {
        fugu_travel_checkpoint(&h->travel, h->changed);
        h->changed = false;
    }
    return h->goal ? reach_goal(h) : run_on(h);
}

/* ---- The main thread ----------------------------------------------------- */

static void set_goal(FuguHistory *h, Goal goal, FuguNode *node, int64_t time)
{
    h->goal = goal;
    h->node = node;
    h->time = time;
    if (runstate_check(RUN_STATE_SHUTDOWN)) {
        /* The machine has ended, and now it has not. */
        runstate_set(RUN_STATE_PAUSED);
    }
}

/* The machine is being stopped: it gives up its goal and does not resume it. */
static void state_changes(void *opaque, bool running, RunState state)
{
    FuguHistory *h = opaque;

    if (!running && state != RUN_STATE_SAVE_VM) {
        h->goal = GOAL_NONE;
    }
}

static void history_back(void *opaque, CPUState *cs, bool step)
{
    FuguHistory *h = opaque;

    set_goal(h, step ? GOAL_STEP_BACK : GOAL_HIT,
             h->machine->nodes[cs->cpu_index], FUGU_NEVER);
}

static void history_changed(void *opaque)
{
    FuguHistory *h = opaque;
    unsigned dropped;

    if (!fugu_checkpoint_first(h->all)) {
        return;
    }
    dropped = fugu_checkpoints_cut(h->all);
    if (dropped > 0) {
        error_printf("fugu: the debugger changes the machine in its past: what "
                     "followed is forgotten (%u checkpoint%s)\n", dropped,
                     dropped > 1 ? "s" : "");
    }
    h->changed = true;
}

static bool history_begins(void *opaque)
{
    FuguHistory *h = opaque;

    return h->begins;
}

static const LockstepHistory history_ops = {
    .back = history_back,
    .changed = history_changed,
    .begins = history_begins,
};

static void history_reset(void *opaque)
{
    FuguHistory *h = opaque;

    fugu_checkpoints_clear(h->all);
    h->travel.rounds = 0;
}

/* ---- Properties ---------------------------------------------------------- */

/* Returns the history of the machine if it has one and is stopped, otherwise
 * NULL with @errp. */
static FuguHistory *history_of(Object *obj, Error **errp)
{
    FuguMachineState *m = FUGU_ROUNDS(obj)->machine;

    if (!m->history) {
        error_setg(errp, "this machine keeps no history: its option is "
                   "history=BYTES");
        return NULL;
    }
    if (runstate_is_running()) {
        error_setg(errp, "the machine runs: stop it first");
        return NULL;
    }
    return m->history;
}

static char *dict_text(QDict *dict)
{
    g_autoptr(GString) text = qobject_to_json(QOBJECT(dict));

    qobject_unref(dict);
    return g_strdup(text->str);
}

static QDict *place_dict(const FuguPlace *place)
{
    QDict *dict = qdict_new();

    qdict_put_int(dict, "round", place->round);
    qdict_put_int(dict, "node", place->cursor);
    qdict_put_int(dict, "cycle", place->time);
    qdict_put_bool(dict, "inside", place->inside);
    return dict;
}

static char *get_place(Object *obj, Error **errp)
{
    FuguHistory *h = history_of(obj, errp);
    FuguPlace now;

    if (!h) {
        return NULL;
    }
    now = fugu_place(h->machine);
    return dict_text(place_dict(&now));
}

static char *get_history(Object *obj, Error **errp)
{
    FuguHistory *h = history_of(obj, errp);
    const FuguCheckpoint *first;
    QDict *dict;

    if (!h) {
        return NULL;
    }
    dict = qdict_new();
    first = fugu_checkpoint_first(h->all);
    if (first) {
        qdict_put(dict, "first", place_dict(&first->place));
    }
    qdict_put_int(dict, "checkpoints", fugu_checkpoints_count(h->all));
    qdict_put_int(dict, "bytes", fugu_checkpoints_bytes(h->all));
    qdict_put_int(dict, "max", h->machine->history_max);
    qdict_put_int(dict, "compared", h->travel.compared);
    qdict_put_bool(dict, "differs", h->travel.differs);
    return dict_text(dict);
}

static void set_time_goal(Object *obj, const char *value, Goal goal,
                          Error **errp)
{
    FuguHistory *h = history_of(obj, errp);
    int64_t time;
    unsigned node;

    if (!h) {
        return;
    }
    if (qemu_strtoi64(value, &value, 10, &time) || *value++ != ' ' ||
        qemu_strtoui(value, NULL, 10, &node) || time < 0 ||
        time > FUGU_TIME_MAX || node >= h->machine->node_count) {
        error_setg(errp, "a cycle and a node with a space between, as in "
                   "\"5000 3\"; the nodes are 0 to %u",
                   h->machine->node_count - 1);
        return;
    }
    set_goal(h, goal, h->machine->nodes[node], time);
}

static void set_goto(Object *obj, const char *value, Error **errp)
{
    set_time_goal(obj, value, GOAL_TIME, errp);
}

static void set_before(Object *obj, const char *value, Error **errp)
{
    set_time_goal(obj, value, GOAL_BEFORE, errp);
}

void fugu_history_init(FuguMachineState *m)
{
    ObjectClass *rounds = object_class_by_name(TYPE_FUGU_ROUNDS);
    FuguHistory *h;

    object_class_property_add_str(rounds, "place", get_place, NULL);
    object_class_property_add_str(rounds, "history", get_history, NULL);
    object_class_property_add_str(rounds, "goto", NULL, set_goto);
    object_class_property_add_str(rounds, "before", NULL, set_before);
    if (!m->history_max) {
        return;
    }
    h = g_new0(FuguHistory, 1);
    h->machine = m;
    h->all = fugu_checkpoints_new(m, m->history_max);
    h->travel = (FuguTravel) {
        .machine = m,
        .all = h->all,
        .interval = MAX(STRETCHES / m->node_count, 1),
        .leave_for = FUGU_NEVER,
    };
    m->history = h;
    m->travel = history_run;
    qemu_register_reset(history_reset, h);
    qemu_add_vm_change_state_handler(state_changes, h);
    lockstep_register_history(&history_ops, h);
}
