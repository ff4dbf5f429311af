/*
 * The scheduler of rounds: virtual time for all nodes
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "migration/vmstate.h"
#include "system/lockstep.h"
#include "hw/fugu/devices/console.h"
#include "hw/fugu/rounds/watches.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/link/hub-side.h"
#include "hw/fugu/link/peer-side.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/node/node.h"
#include "hw/fugu/report/outlook.h"
#include "hw/fugu/rounds/rounds.h"
#include "hw/fugu/rounds/snooper.h"
#include "hw/fugu/report/observer.h"
#include "hw/fugu/report/progress.h"
#include "hw/fugu/snapshot/snapshot.h"
#include "hw/fugu/trace.h"

/* Rounds until the thread looks whether QEMU wants it: some milliseconds. */
#define ROUNDS_A_BATCH  256

/* Nanoseconds per cycle: QEMU_CLOCK_VIRTUAL stands for a clock of 25 MHz. */
#define CYCLE_NS        40

/* Atomic: any thread may read the virtual clock. */
static void set_start(FuguMachineState *m, int64_t start)
{
    qatomic_set_i64(&m->time.round_start, start);
}

/* ---- Between two rounds ------------------------------------------------- */

static void start_round(FuguMachineState *m)
{
    if (likely(!qatomic_read(&m->terminal.input))) {
        return;
    }
    BQL_LOCK_GUARD();
    qatomic_set(&m->terminal.input, false);
    for (uint32_t i = m->parts.first; i < m->parts.end; i++) {
        if (m->parts.nodes[i]->console->input.host_input) {
            fugu_input_round(&m->parts.nodes[i]->console->input,
                             m->time.round_start);
        }
    }
}

static void next_round(FuguRounds *r, int64_t start)
{
    FuguMachineState *m = r->machine;

    r->cursor = m->parts.first;
    set_start(m, start);
    start_round(m);
    if (unlikely(m->parts.history)) {
        m->ops.round_begins(m);
    }
}

/* Returns the cycle at which the machine ends if nothing else ends it. */
static int64_t time_limit(const FuguMachineState *m)
{
    return m->options.timeout ? m->options.timeout : FUGU_TIME_MAX;
}

/* Returns whether the machine ends with the round that is over, and why. */
static FuguReason judge(const FuguMachineState *m, const FuguOutlook *o)
{
    if (o->stops) {
        return FUGU_ENDING_STOPPED;
    }
    if (o->ended == m->options.node_count) {
        return FUGU_ENDING_DONE;
    }
    if (!o->busy && o->next == FUGU_NEVER && !o->wakes) {
        return FUGU_ENDING_DEADLOCK;
    }
    if (fugu_machine_round_end(m) >= time_limit(m)) {
        return FUGU_ENDING_TIMEOUT;
    }
    return FUGU_ENDING_NONE;
}

/*
 * Returns the start of the next round. This is the end of the last round or,
 * if nothing can happen before the next event, the start of the round that
 * contains the event. The timeout and the cycle of a save are never skipped.
 */
static int64_t next_start(const FuguMachineState *m, const FuguOutlook *o)
{
    int64_t end = fugu_machine_round_end(m), to, start;

    if (o->busy || o->next == FUGU_NEVER ||
        o->next <= end + m->options.quantum) {
        return end;
    }
    to = MIN(MIN(o->next, time_limit(m) - 1), m->time.save_at);
    start = MAX(end, to - to % m->options.quantum);
    trace_fugu_rounds_skip(end, start);
    return start;
}

/* Decides how the run goes on, in the hub or the only process. Returns whether
 * the next round may run now. */
static bool lead_on(FuguRounds *r, const FuguOutlook *o)
{
    FuguMachineState *m = r->machine;
    FuguReason reason = judge(m, o);
    int64_t start;

    if (reason != FUGU_ENDING_NONE) {
        m->time.stop_status = o->status;
        fugu_ending_begin(&r->ending, reason);
        fugu_ending_finish(&r->ending);
        return false;
    }
    if (o->wakes && !o->busy && o->next == FUGU_NEVER) {
        /* All nodes wait for input of the host: do not spin. */
        g_usleep(1000);
    }
    start = next_start(m, o);
    if (m->parts.link && !fugu_link_go_alone(m->parts.link, start)) {
        fugu_link_go(m->parts.link, start);
    }
    next_round(r, start);
    if (unlikely(start >= m->time.save_at)) {
        fugu_save_due(m);
        return false;
    }
    return true;
}

/* Whether the next round follows at once, as long as the peers have sent
 * nothing: see judge() and next_start(). */
static bool goes_on(FuguMachineState *m)
{
    FuguOutlook o;

    if (!QTAILQ_EMPTY(fugu_hub_sent(m->parts.hub))) {
        return false;
    }
    fugu_outlook(m, &o);
    return o.busy && judge(m, &o) == FUGU_ENDING_NONE;
}

/* Routes what was sent in the round, and sets *@all to the outlook of all nodes,
 * also of those in other processes. */
static void route(FuguMachineState *m, FuguOutlook *all)
{
    fugu_hub_round(m->parts.hub);
    fugu_outlook(m, all);
    fugu_link_add_peers(m->parts.link, all);
}

static bool meet_peers(FuguRounds *r)
{
    FuguMachineState *m = r->machine;
    FuguOutlook all;

    if (fugu_link_is_alone(m->parts.link)) {
        fugu_link_pass_alone(m->parts.link);
        route(m, &all);
        if (judge(m, &all) == FUGU_ENDING_NONE) {
            return lead_on(r, &all);
        }
        /* The peers run the last round too: the times of all nodes are those of
         * the end. */
        fugu_link_go(m->parts.link, m->time.round_start);
    }
    if (fugu_link_round_run(m->parts.link) && goes_on(m) &&
        !fugu_link_peers_idle(m->parts.link, fugu_machine_round_end(m))) {
        fugu_link_early(m->parts.link, fugu_machine_round_end(m));
    }
    if (fugu_link_collect(m->parts.link) != FUGU_LINK_READY) {
        return false;
    }
    if (fugu_link_went_early(m->parts.link)) {
        /* The peer already runs the next round, so this process must too. */
        next_round(r, fugu_machine_round_end(m));
        return true;
    }
    route(m, &all);
    return lead_on(r, &all);
}

static bool meet_hub(FuguRounds *r)
{
    FuguOutlook o;
    int64_t start;

    fugu_outlook(r->machine, &o);
    if (fugu_link_meet(r->machine->parts.link, &o, &start) != FUGU_LINK_READY) {
        return false;
    }
    next_round(r, start);
    return true;
}

/*
 * Whether the next round follows at once, since nothing has happened that the
 * other steps deal with: see fugu_hub_round(), judge() and next_start().
 */
static bool is_quiet(const FuguRounds *r)
{
    const FuguMachineState *m = r->machine;

    return !m->parts.link && r->ending.reason == FUGU_ENDING_NONE &&
           QTAILQ_EMPTY(fugu_hub_sent(m->parts.hub)) &&
           m->parts.nodes[m->parts.first]->state == FUGU_NODE_RUNS &&
           !m->time.stopping &&
           fugu_machine_round_end(m) < MIN(time_limit(m), m->time.save_at);
}

/*
 * Finishes a round when all nodes are at its end. Returns false if the next
 * round may not run yet: the machine has ended or is to be saved, or QEMU wants
 * the thread before the other processes have answered.
 */
bool fugu_rounds_finish(FuguRounds *r)
{
    FuguMachineState *m = r->machine;

    if (likely(is_quiet(r))) {
        next_round(r, fugu_machine_round_end(m));
        return true;
    }
    if (unlikely(r->ending.reason != FUGU_ENDING_NONE)) {
        fugu_ending_finish(&r->ending);
        return false;
    }
    if (likely(!m->parts.link)) {
        FuguOutlook o;

        fugu_hub_round(m->parts.hub);
        fugu_outlook(m, &o);
        return lead_on(r, &o);
    }
    return m->options.process == 0 ? meet_peers(r) : meet_hub(r);
}

/* ---- Rounds ------------------------------------------------------------- */

int fugu_rounds_turn(FuguRounds *r)
{
    FuguMachineState *m = r->machine;
    FuguNode *node = m->parts.nodes[r->cursor];
    int why;

    do {
        why = fugu_node_run(node, fugu_machine_round_end(m));
    } while (unlikely(why == EXCP_DEBUG) && fugu_watches_pass(node));
    return why;
}

static CPUState *rounds_run(void *opaque)
{
    FuguRounds *r = opaque;
    FuguMachineState *m = r->machine;
    CPUState *stopped;

    if (unlikely(qatomic_read(&m->time.held) ||
                 (m->terminal.asked && !fugu_console_supply(m)))) {
        g_usleep(1000);
        return NULL;
    }
    if (unlikely(m->parts.history) && m->ops.travel(m, &stopped)) {
        return stopped;
    }
    fugu_observer_start(m);
    for (unsigned batch = 0; batch < ROUNDS_A_BATCH; batch++) {
        for (; r->cursor < m->parts.end; r->cursor++) {
            int why = fugu_rounds_turn(r);

            if (why == EXCP_DEBUG) {
                return CPU(&m->parts.nodes[r->cursor]->cpu);
            }
            if (why != EXCP_STRETCH) {
                return NULL;
            }
        }
        if (!fugu_rounds_finish(r) || m->terminal.asked ||
            lockstep_attention()) {
            break;
        }
        fugu_observer_round(m);
    }
    fugu_progress_update(m);
    fugu_ending_check_log(m);
    return NULL;
}

static int64_t rounds_clock(void *opaque)
{
    FuguRounds *r = opaque;

    return qatomic_read_i64(&r->machine->time.round_start) * CYCLE_NS;
}

/* Returns the processor whose RAM has @addr, and the end of that RAM in *@end.
 * The boot image belongs to all nodes: NULL. */
static CPUState *rounds_ram_owner(void *opaque, ram_addr_t addr,
                                  ram_addr_t *end)
{
    FuguRounds *r = opaque;
    FuguMachineState *m = r->machine;
    ram_addr_t start = memory_region_get_ram_addr(&m->parts.ram);
    ram_addr_t stride = fugu_ram_stride(m);
    uint32_t index = (addr - start) / stride;

    if (addr < start || index >= m->parts.end - m->parts.first) {
        *end = addr < start ? start : RAM_ADDR_MAX;
        return NULL;
    }
    *end = start + stride * (index + 1);
    return CPU(&m->parts.nodes[m->parts.first + index]->cpu);
}

static bool rounds_has_turn(void *opaque, CPUState *cs)
{
    /* SPARC_CPU() would look the type up, each time. */
    return fugu_node_has_turn(container_of(cs, FuguNode, cpu.parent_obj));
}

static const LockstepOps rounds_ops = {
    .run = rounds_run,
    .clock = rounds_clock,
    .ram_owner = rounds_ram_owner,
    .has_turn = rounds_has_turn,
};

void fugu_rounds_advance(FuguRounds *r, int64_t cycles)
{
    FuguMachineState *m = r->machine;
    int64_t until = m->time.round_start + cycles;

    while (m->time.round_start < until) {
        int64_t end = MIN(until, fugu_machine_round_end(m));

        start_round(m);
        if (m->terminal.asked) {
            fugu_console_supply(m);
        }
        for (uint32_t i = 0; i < m->options.node_count; i++) {
            fugu_node_run_events(m->parts.nodes[i], end);
        }
        fugu_hub_round(m->parts.hub);
        set_start(m, end);
    }
}

/* ---- Device ------------------------------------------------------------- */

static void fugu_rounds_realize(DeviceState *dev, Error **errp)
{
    FuguRounds *r = FUGU_ROUNDS(dev);

    r->hub = r->machine->parts.hub;
    fugu_ending_init(&r->ending, r->machine);
    lockstep_register(&rounds_ops, r);
    fugu_snooper_init(r->machine);
}

void fugu_rounds_forget(FuguRounds *r)
{
    FuguMachineState *m = r->machine;

    fugu_hub_reset(m->parts.hub);
    m->time.stopping = false;
    m->time.stop_time = 0;
    m->time.stop_status = 0;
    m->terminal.asked = false;
    fugu_ending_reset(&r->ending);
}

static void fugu_rounds_reset_hold(Object *obj, ResetType type)
{
    FuguRounds *r = FUGU_ROUNDS(obj);
    FuguMachineState *m = r->machine;

    if (m->parts.link && m->time.round_start > 0) {
        /* The other processes are in the middle of a run. */
        fugu_link_fault(m->parts.link, m->options.process, "was reset");
    }
    fugu_rounds_forget(r);
    set_start(m, 0);
    r->cursor = m->parts.first;
    r->ending.told = false;
}

/* For monitors and debuggers. */
static char *rounds_get_state(Object *obj, Error **errp)
{
    FuguRounds *r = FUGU_ROUNDS(obj);

    return r->ending.ended
        ? g_strdup_printf("ended with status %u", r->ending.status)
        : g_strdup("runs");
}

static int rounds_post_load(void *opaque, int version)
{
    FuguRounds *r = opaque;
    FuguMachineState *m = r->machine;

    return m->time.round_start >= 0 && m->time.round_start <= FUGU_TIME_MAX &&
           r->cursor >= m->parts.first && r->cursor <= m->parts.end
           ? 0 : -EINVAL;
}

static const VMStateDescription vmstate_time = {
    .name = "fugu-rounds/time",
    .version_id = 2,
    .minimum_version_id = 2,
    .fields = (const VMStateField[]) {
        VMSTATE_INT64(time.round_start, FuguMachineState),
        VMSTATE_BOOL(time.stopping, FuguMachineState),
        VMSTATE_INT64(time.stop_time, FuguMachineState),
        VMSTATE_UINT32(time.stop_status, FuguMachineState),
        VMSTATE_END_OF_LIST()
    }
};

static const VMStateDescription vmstate_fugu_rounds = {
    .name = "fugu-rounds",
    .version_id = 3,
    .minimum_version_id = 3,
    .post_load = rounds_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT_POINTER(machine, FuguRounds, vmstate_time,
                               FuguMachineState),
        VMSTATE_UINT32(cursor, FuguRounds),
        VMSTATE_STRUCT_POINTER_V(hub, FuguRounds, 1, vmstate_fugu_hub,
                                 FuguHub),
        VMSTATE_END_OF_LIST()
    }
};

static void fugu_rounds_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    ResettableClass *rc = RESETTABLE_CLASS(klass);

    dc->desc = "FUGU scheduler of rounds";
    dc->realize = fugu_rounds_realize;
    dc->vmsd = &vmstate_fugu_rounds;
    dc->user_creatable = false;
    rc->phases.hold = fugu_rounds_reset_hold;
    object_class_property_add_str(klass, "state", rounds_get_state, NULL);
}

static const TypeInfo rounds_types[] = {
    {
        .name = TYPE_FUGU_ROUNDS,
        .parent = TYPE_DEVICE,
        .instance_size = sizeof(FuguRounds),
        .class_init = fugu_rounds_class_init,
    },
};

DEFINE_TYPES(rounds_types)
