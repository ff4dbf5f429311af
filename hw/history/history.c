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
#include "hw/fugu/rounds/rounds.h"
#include "hw/fugu/history/history.h"
#include "hw/fugu/history/held.h"
#include "hw/fugu/history/search.h"
#include "hw/fugu/history/travel.h"
#include "hw/fugu/node/node.h"

/* Stretches between two checkpoints: a tenth of a second of host time if nodes
 * compute, half a second if they send messages all the time. */
#define STRETCHES       1500000

typedef enum Goal {
    GOAL_NONE,                  /* the machine runs as usual */
    GOAL_STEP_BACK,
    GOAL_HIT,                   /* the last breakpoint or watchpoint */
    GOAL_TIME,
    GOAL_BEFORE,
    GOAL_STORE,
} Goal;

typedef struct FuguHistory {
    FuguMachineState *machine;
    FuguCheckpoints *all;
    FuguTravel travel;

    Goal goal;
    FuguNode *node;             /* that the goal is about */
    int64_t time;
    FuguTarget target;          /* of GOAL_STORE */

    FuguNode *stepped;          /* that executes one instruction when the
                                   machine is resumed without a goal, or NULL */
    FuguPlace furthest;         /* that the machine has gone back from */
    bool begins;                /* the last goal was not found */
    bool changed;               /* by the debugger, since the machine stopped */
} FuguHistory;

/* ---- The vCPU thread ----------------------------------------------------- */

/* Goes to a goal that breakpoints on the way do not matter for. */
static FuguTravelEnd go_past_breakpoints(FuguHistory *h)
{
    FuguPlace now = fugu_place(h->machine);
    FuguHeld held = fugu_hold(h->machine);
    FuguTravelEnd end;

    switch (h->goal) {
    case GOAL_STEP_BACK:
        end = fugu_search_before(&h->travel, h->node, FUGU_NEVER, &now);
        break;
    case GOAL_TIME:
        end = fugu_travel_to_time(&h->travel, h->node, h->time);
        break;
    case GOAL_BEFORE:
        end = fugu_search_before(&h->travel, h->node, h->time, &now);
        break;
    case GOAL_STORE:
        end = fugu_search_store(&h->travel, &h->target);
        break;
    default:
        g_assert_not_reached();
    }
    fugu_give_back(h->machine, &held);
    return end;
}

/* Returns the vCPU to report, or NULL if the machine goes on or has ended. */
static CPUState *reach_goal(FuguHistory *h)
{
    FuguHit hit = { 0 };
    FuguPlace now = fugu_place(h->machine);
    FuguTravelEnd end;
    CPUState *cs;

    if (fugu_place_compare(&now, &h->furthest) > 0) {
        h->furthest = now;
    }
    end = h->goal == GOAL_HIT ? fugu_search_hit(&h->travel, &hit)
                              : go_past_breakpoints(h);

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

static bool history_travel(FuguMachineState *m, CPUState **stopped)
{
    FuguHistory *h = m->parts.history;

    h->begins = false;
    if (!fugu_checkpoint_first(h->all) || h->changed) {
        fugu_forward_checkpoint(&h->travel, h->changed);
        h->changed = false;
    }
    if (h->goal == GOAL_NONE) {
        if (h->stepped) {
            cpu_single_step(CPU(&h->stepped->cpu), SSTEP_ENABLE);
        }
        return false;
    }
    *stopped = reach_goal(h);
    return true;
}

static void history_round(FuguMachineState *m)
{
    fugu_forward_round(&m->parts.history->travel);
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
             h->machine->parts.nodes[cs->cpu_index], FUGU_NEVER);
}

static void history_changed(void *opaque)
{
    FuguHistory *h = opaque;
    FuguPlace now = fugu_place(h->machine);

    fugu_checkpoints_cut(h->all);
    if (fugu_place_compare(&now, &h->furthest) < 0) {
        error_printf("fugu: the debugger changes the machine in its past: what "
                     "followed is forgotten\n");
        h->furthest = now;
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
    h->furthest = (FuguPlace) { 0 };
    h->changed = false;
}

/* ---- Properties ---------------------------------------------------------- */

/* Returns the history of the machine if it has one and is stopped, otherwise
 * NULL with @errp. */
static FuguHistory *history_of(Object *obj, Error **errp)
{
    FuguMachineState *m = FUGU_ROUNDS(obj)->machine;

    if (!m->parts.history) {
        error_setg(errp, "this machine keeps no history: its option is "
                   "history=BYTES");
        return NULL;
    }
    if (runstate_is_running()) {
        error_setg(errp, "the machine runs: stop it first");
        return NULL;
    }
    return m->parts.history;
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

static QDict *update_dict(const FuguCame *came)
{
    QDict *dict = qdict_new();

    qdict_put_int(dict, "node", came->source);
    qdict_put_int(dict, "mode", came->mode);
    qdict_put_int(dict, "from", came->from);
    qdict_put_int(dict, "dest", came->dest);
    qdict_put_int(dict, "bytes", came->bytes);
    qdict_put_int(dict, "issued", came->issued);
    qdict_put_int(dict, "came", came->time);
    return dict;
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
    qdict_put_int(dict, "max", h->machine->options.history_max);
    qdict_put_int(dict, "compared", h->travel.compared);
    qdict_put_bool(dict, "differs", h->travel.differs);
    qdict_put_bool(dict, "begins", h->begins);
    if (h->target.by_hand) {
        g_autoptr(GString) hex = g_string_new(NULL);

        for (unsigned i = 0; i < h->target.len; i++) {
            g_string_append_printf(hex, "%02x", h->target.by_hand[i]);
        }
        qdict_put_str(dict, "by-hand", hex->str);
    }
    if (h->target.came.bytes) {
        qdict_put(dict, "update", update_dict(&h->target.came));
    }
    return dict_text(dict);
}

/* Returns the local time of a node where the history begins. */
static int64_t first_time(FuguHistory *h, unsigned node)
{
    const FuguCheckpoint *first = fugu_checkpoint_first(h->all);

    return first ? first->node[node].time
                 : fugu_node_time(h->machine->parts.nodes[node]);
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
        time > FUGU_TIME_MAX || node >= h->machine->options.node_count) {
        error_setg(errp, "a cycle and a node with a space between, as in "
                   "\"5000 3\"; the nodes are 0 to %u",
                   h->machine->options.node_count - 1);
        return;
    }
    if (goal == GOAL_TIME && time < first_time(h, node)) {
        error_setg(errp, "the history begins at cycle %" PRId64 " of node %u",
                   first_time(h, node), node);
        return;
    }
    set_goal(h, goal, h->machine->parts.nodes[node], time);
}

static void set_goto(Object *obj, const char *value, Error **errp)
{
    set_time_goal(obj, value, GOAL_TIME, errp);
}

static void set_before(Object *obj, const char *value, Error **errp)
{
    set_time_goal(obj, value, GOAL_BEFORE, errp);
}

/* Sets the physical address of what @node has at @addr. Returns false with
 * @errp if that is not @len bytes of RAM, in a page. */
static bool find_ram(FuguNode *node, uint64_t addr, unsigned len, hwaddr *ram,
                     Error **errp)
{
    uint64_t offset = addr & ~TARGET_PAGE_MASK;
    MemTxAttrs attrs;
    hwaddr page;

    if (!len || offset + len > TARGET_PAGE_SIZE) {
        error_setg(errp, "0x%08" PRIx64 " and %u bytes: not a part of a page "
                   "of 4096 bytes; name a part of it", addr, len);
        return false;
    }
    page = cpu_get_phys_page_attrs_debug(CPU(&node->cpu),
                                         addr & TARGET_PAGE_MASK, &attrs);
    if (page == -1 || page < FUGU_RAM_BASE ||
        page - FUGU_RAM_BASE >= node->ram_size) {
        error_setg(errp, "node %u has no memory at 0x%08" PRIx64,
                   node->number, addr);
        return false;
    }
    *ram = page + offset;
    return true;
}

/* Sets the mask of @target: all bits for "all", otherwise @text has two digits
 * for each byte. Returns false if it has not. */
static bool read_mask(FuguTarget *target, const char *text)
{
    g_autofree uint8_t *mask = NULL;

    if (strcmp(text, "all")) {
        mask = g_malloc(target->len);
        if (strlen(text) != 2 * (size_t)target->len) {
            return false;
        }
        for (unsigned i = 0; i < target->len; i++) {
            int high = g_ascii_xdigit_value(text[2 * i]);
            int low = g_ascii_xdigit_value(text[2 * i + 1]);

            if (high < 0 || low < 0) {
                return false;
            }
            mask[i] = high << 4 | low;
        }
    }
    target->change = true;
    target->mask = g_steal_pointer(&mask);
    return true;
}

static void set_target(FuguHistory *h, const FuguTarget *target)
{
    g_free(h->target.mask);
    g_free(h->target.by_hand);
    h->target = *target;
    set_goal(h, GOAL_STORE, target->node, FUGU_NEVER);
}

static void set_store(Object *obj, const char *value, Error **errp)
{
    FuguHistory *h = history_of(obj, errp);
    FuguTarget target = { 0 };
    uint64_t addr;
    unsigned node;

    if (!h) {
        return;
    }
    if (qemu_strtou64(value, &value, 0, &addr) || *value++ != ' ' ||
        qemu_strtoui(value, &value, 10, &target.len) || *value++ != ' ' ||
        qemu_strtoui(value, &value, 10, &node) || addr > UINT32_MAX ||
        (*value && *value != ' ') || node >= h->machine->options.node_count) {
        error_setg(errp, "an address, a number of bytes and a node with spaces "
                   "between, as in \"0x40001000 4 3\"; the nodes are 0 to %u",
                   h->machine->options.node_count - 1);
        return;
    }
    target.node = h->machine->parts.nodes[node];
    if (!find_ram(target.node, addr, target.len, &target.addr, errp)) {
        return;
    }
    if (*value && !read_mask(&target, value + 1)) {
        error_setg(errp, "the mask: \"all\", or two hexadecimal digits for each "
                   "of the %u bytes", target.len);
        return;
    }
    set_target(h, &target);
}

static void set_step(Object *obj, const char *value, Error **errp)
{
    FuguHistory *h = history_of(obj, errp);
    unsigned node;

    if (!h) {
        return;
    }
    if (!strcmp(value, "none")) {
        h->stepped = NULL;
    } else if (qemu_strtoui(value, NULL, 10, &node) ||
               node >= h->machine->options.node_count) {
        error_setg(errp, "a node or \"none\"; the nodes are 0 to %u",
                   h->machine->options.node_count - 1);
    } else {
        h->stepped = h->machine->parts.nodes[node];
    }
}

void fugu_history_init(FuguMachineState *m)
{
    ObjectClass *rounds = object_class_by_name(TYPE_FUGU_ROUNDS);
    FuguHistory *h;

    object_class_property_add_str(rounds, "place", get_place, NULL);
    object_class_property_add_str(rounds, "history", get_history, NULL);
    object_class_property_add_str(rounds, "goto", NULL, set_goto);
    object_class_property_add_str(rounds, "before", NULL, set_before);
    object_class_property_add_str(rounds, "store", NULL, set_store);
    object_class_property_add_str(rounds, "step", NULL, set_step);
    if (!m->options.history_max) {
        return;
    }
    h = g_new0(FuguHistory, 1);
    h->machine = m;
    h->all = fugu_checkpoints_new(m, m->options.history_max);
    h->travel = (FuguTravel) {
        .machine = m,
        .all = h->all,
        .interval = MAX(STRETCHES / m->options.node_count, 1),
        .leave_for = FUGU_NEVER,
    };
    m->parts.history = h;
    m->ops.travel = history_travel;
    m->ops.round_begins = history_round;
    qemu_register_reset(history_reset, h);
    qemu_add_vm_change_state_handler(state_changes, h);
    lockstep_register_history(&history_ops, h);
}
