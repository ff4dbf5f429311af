/*
 * The scheduler of rounds: virtual time for all nodes
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "qemu/main-loop.h"
#include "migration/vmstate.h"
#include "system/lockstep.h"
#include "system/qtest.h"
#include "system/runstate.h"
#include "hw/fugu/console.h"
#include "hw/fugu/hub.h"
#include "hw/fugu/link.h"
#include "hw/fugu/machine.h"
#include "hw/fugu/outlook.h"
#include "hw/fugu/rounds.h"
#include "hw/fugu/snapshot.h"
#include "trace.h"

/* Between two looks at the rest of QEMU: some milliseconds at the most. */
#define ROUNDS_A_BATCH  256

/* Nanoseconds a cycle of the 25 MHz clock that QEMU_CLOCK_VIRTUAL is. */
#define CYCLE_NS        40

/* Any thread may ask for the virtual clock. */
static void set_start(FuguRounds *r, int64_t start)
{
    qatomic_set_i64(&r->start, start);
}

static int64_t round_end(FuguRounds *r)
{
    return r->start + r->machine->quantum;
}

/* ---- The end of the machine ---------------------------------------------- */

void fugu_machine_flush(FuguMachineState *m)
{
    BQL_LOCK_GUARD();
    for (uint32_t i = m->first; i < m->end; i++) {
        fugu_console_flush(m->nodes[i]->console);
    }
}

/* Whether what was written to the log's file has not arrived there. */
static bool log_failed(void)
{
    bool failed = false;

    if (qemu_log_separate()) {
        FILE *file = qemu_log_trylock();

        failed = file && (fflush(file) || ferror(file));
        qemu_log_unlock(file);
    }
    return failed;
}

/*
 * A trace with holes would look like one without: the machine ends, as soon
 * as it is seen.
 */
static void check_log(FuguRounds *r)
{
    if (r->stop_status != FUGU_STATUS_FILE && log_failed()) {
        error_printf("fugu: the trace file cannot be written any more, at "
                     "cycle %" PRId64 ": is the disk full?\n", r->start);
        r->stopping = true;
        r->stop_status = FUGU_STATUS_FILE;
    }
}

/* All that the machine has to say, then the status for QEMU's exit. */
static void end_machine(FuguRounds *r, const LinkNode *nodes)
{
    FuguMachineState *m = r->machine;
    uint32_t status = fugu_ending_report(m, r->ending, round_end(r),
                                         r->stop_status, nodes);

    trace_fugu_rounds_end(round_end(r), status);
    check_log(r);
    if (r->stop_status == FUGU_STATUS_FILE) {
        status = FUGU_STATUS_FILE;
    }
    fugu_save_warn(m, round_end(r));
    if (m->link) {
        fugu_link_end(m->link, status);
    }
    BQL_LOCK_GUARD();
    r->ended = true;
    r->end_status = status;
    first_cpu->stopped = true;
    qemu_system_shutdown_request_with_code(SHUTDOWN_CAUSE_GUEST_SHUTDOWN,
                                           status);
}

/* Returns when that is done, or the thread is wanted elsewhere. */
static void finish_machine(FuguRounds *r)
{
    FuguMachineState *m = r->machine;
    g_autofree LinkNode *nodes = g_new(LinkNode, m->node_count);

    for (uint32_t i = m->first; i < m->end; i++) {
        fugu_outlook_node(m->nodes[i], &nodes[i]);
    }
    if (!m->link ||
        fugu_link_collect_nodes(m->link, nodes) == FUGU_LINK_READY) {
        end_machine(r, nodes);
    }
}

static void begin_to_finish(FuguRounds *r, FuguEnding ending)
{
    r->ending = ending;
    fugu_machine_flush(r->machine);
    if (r->machine->link) {
        fugu_link_finish(r->machine->link);
    }
}

void fugu_machine_stop(FuguMachineState *m, uint32_t status)
{
    FuguRounds *r = m->rounds;

    if (!r->stopping) {
        r->stopping = true;
        r->stop_status = status;
    }
}

/* Control-C, or another signal of the host's. */
static void rounds_shutdown(Notifier *notifier, void *data)
{
    FuguRounds *r = container_of(notifier, FuguRounds, shutdown);
    ShutdownCause *cause = data;

    /*
     * libqtest ends QEMU by a signal, and that is no failure. A machine that
     * has ended keeps its status (QEMU goes on under a debugger).
     */
    if (*cause == SHUTDOWN_CAUSE_HOST_SIGNAL && !qtest_enabled() &&
        !r->ended) {
        if (r->machine->process == 0) {
            fugu_machine_flush(r->machine);
        }
        fugu_save_warn(r->machine, r->start);
        qemu_system_shutdown_request_with_code(*cause, FUGU_STATUS_SIGNAL);
    }
}

/* ---- Between two rounds --------------------------------------------------- */

static void start_round(FuguRounds *r)
{
    FuguMachineState *m = r->machine;

    if (likely(!qatomic_read(&m->console_input))) {
        return;
    }
    BQL_LOCK_GUARD();
    qatomic_set(&m->console_input, false);
    for (uint32_t i = m->first; i < m->end; i++) {
        if (m->nodes[i]->console->host_input) {
            fugu_console_round(m->nodes[i]->console, r->start);
        }
    }
}

static void next_round(FuguRounds *r, int64_t start)
{
    r->cursor = r->machine->first;
    set_start(r, start);
    start_round(r);
}

/* Whether the machine ends with the round that is over, and why. */
static FuguEnding judge(FuguRounds *r, const FuguOutlook *o)
{
    FuguMachineState *m = r->machine;

    if (o->stops) {
        return FUGU_ENDING_STOPPED;
    }
    if (o->ended == m->node_count) {
        return FUGU_ENDING_DONE;
    }
    if (!o->busy && o->next == FUGU_NEVER && !o->wakes) {
        return FUGU_ENDING_DEADLOCK;
    }
    if (m->timeout && round_end(r) >= m->timeout) {
        return FUGU_ENDING_TIMEOUT;
    }
    return FUGU_ENDING_NONE;
}

/*
 * When the next round starts: at once, or with that of the next event if
 * nothing can happen before. Not over the timeout or the cycle of a save.
 */
static int64_t next_start(FuguRounds *r, const FuguOutlook *o)
{
    FuguMachineState *m = r->machine;
    int64_t end = round_end(r), to, start;

    if (o->busy || o->next == FUGU_NEVER || o->next <= end + m->quantum) {
        return end;
    }
    to = m->timeout ? MIN(o->next, m->timeout - 1) : o->next;
    to = MIN(to, m->save_at);
    start = MAX(end, to - to % m->quantum);
    trace_fugu_rounds_skip(end, start);
    return start;
}

/* The hub's part, or that of the only process. */
static bool lead_on(FuguRounds *r, const FuguOutlook *o)
{
    FuguEnding ending = judge(r, o);
    int64_t start;

    if (ending != FUGU_ENDING_NONE) {
        r->stop_status = o->status;
        begin_to_finish(r, ending);
        finish_machine(r);
        return false;
    }
    if (o->wakes && !o->busy && o->next == FUGU_NEVER) {
        /* The one wait that is the host's: let it have the processor. */
        g_usleep(1000);
    }
    start = next_start(r, o);
    if (r->machine->link) {
        fugu_link_go(r->machine->link, start);
    }
    next_round(r, start);
    if (unlikely(start >= r->machine->save_at)) {
        fugu_save_due(r->machine);
        return false;
    }
    return true;
}

/* As judge() and next_start() would have it, with peers that say nothing. */
static bool goes_on(FuguRounds *r)
{
    FuguMachineState *m = r->machine;
    FuguOutlook o;

    if (!QTAILQ_EMPTY(fugu_hub_sent(m->hub))) {
        return false;
    }
    o = fugu_outlook(m);
    return o.busy && judge(r, &o) == FUGU_ENDING_NONE;
}

static bool meet_peers(FuguRounds *r)
{
    FuguMachineState *m = r->machine;
    FuguOutlook peers = { .start = r->start, .next = FUGU_NEVER };
    FuguOutlook all;

    if (!m->link->told) {
        m->link->told = true;
        if (goes_on(r)) {
            fugu_link_early(m->link, round_end(r));
        }
    }
    if (fugu_link_collect(m->link, &peers) != FUGU_LINK_READY) {
        return false;
    }
    m->link->told = false;
    if (fugu_link_went_early(m->link)) {
        /* Whatever has come up since: the peer runs the next round. */
        next_round(r, round_end(r));
        return true;
    }
    fugu_hub_round(m->hub);
    all = fugu_outlook(m);
    fugu_outlook_add(&all, &peers);
    all.next = MIN(all.next, m->link->next_arrival);
    return lead_on(r, &all);
}

static bool meet_hub(FuguRounds *r)
{
    FuguOutlook o = fugu_outlook(r->machine);
    int64_t start;

    if (fugu_link_meet(r->machine->link, &o, &start) != FUGU_LINK_READY) {
        return false;
    }
    next_round(r, start);
    return true;
}

/*
 * All nodes are at the round's end. Returns false if none of the next round
 * may run yet: the machine has ended, is to be saved, or waits for other
 * processes while the thread is wanted elsewhere.
 */
static bool between_rounds(FuguRounds *r)
{
    FuguMachineState *m = r->machine;

    if (unlikely(r->ending != FUGU_ENDING_NONE)) {
        finish_machine(r);
        return false;
    }
    if (likely(!m->link)) {
        FuguOutlook o;

        fugu_hub_round(m->hub);
        o = fugu_outlook(m);
        return lead_on(r, &o);
    }
    return m->process == 0 ? meet_peers(r) : meet_hub(r);
}

/* ---- Rounds ---------------------------------------------------------------- */

static CPUState *rounds_run(void *opaque)
{
    FuguRounds *r = opaque;
    FuguMachineState *m = r->machine;

    if (unlikely(qatomic_read(&m->held))) {
        g_usleep(1000);
        return NULL;
    }
    for (unsigned batch = 0; batch < ROUNDS_A_BATCH; batch++) {
        for (; r->cursor < m->end; r->cursor++) {
            FuguNode *node = m->nodes[r->cursor];
            int why = fugu_node_run(node, round_end(r));

            if (why == EXCP_DEBUG) {
                return CPU(&node->cpu);
            }
            if (why != EXCP_STRETCH) {
                return NULL;
            }
        }
        if (!between_rounds(r) || lockstep_attention()) {
            break;
        }
    }
    check_log(r);
    return NULL;
}

static int64_t rounds_clock(void *opaque)
{
    FuguRounds *r = opaque;

    return qatomic_read_i64(&r->start) * CYCLE_NS;
}

/* A node's RAM is its own; the boot image is everybody's. */
static CPUState *rounds_ram_owner(void *opaque, ram_addr_t addr)
{
    FuguRounds *r = opaque;
    FuguMachineState *m = r->machine;
    ram_addr_t offset = addr - memory_region_get_ram_addr(&m->ram);

    if (offset >= fugu_ram_stride(m) * (m->end - m->first)) {
        return NULL;
    }
    return CPU(&m->nodes[m->first + offset / fugu_ram_stride(m)]->cpu);
}

static const LockstepOps rounds_ops = {
    .run = rounds_run,
    .clock = rounds_clock,
    .ram_owner = rounds_ram_owner,
};

void fugu_rounds_advance(FuguRounds *r, int64_t cycles)
{
    FuguMachineState *m = r->machine;
    int64_t until = r->start + cycles;

    while (r->start < until) {
        int64_t end = MIN(until, round_end(r));

        start_round(r);
        for (uint32_t i = 0; i < m->node_count; i++) {
            fugu_node_run_events(m->nodes[i], end);
        }
        fugu_hub_round(m->hub);
        set_start(r, end);
    }
}

/* ---- Device ---------------------------------------------------------------- */

static void fugu_rounds_realize(DeviceState *dev, Error **errp)
{
    FuguRounds *r = FUGU_ROUNDS(dev);

    r->hub = r->machine->hub;
    r->shutdown.notify = rounds_shutdown;
    qemu_register_shutdown_notifier(&r->shutdown);
    lockstep_register(&rounds_ops, r);
}

static void fugu_rounds_reset_hold(Object *obj, ResetType type)
{
    FuguRounds *r = FUGU_ROUNDS(obj);

    fugu_hub_reset(r->machine->hub);
    set_start(r, 0);
    r->cursor = r->machine->first;
    r->stopping = false;
    r->stop_status = 0;
    r->ending = FUGU_ENDING_NONE;
    r->ended = false;
}

/* For monitors and debuggers. */
static char *rounds_get_state(Object *obj, Error **errp)
{
    FuguRounds *r = FUGU_ROUNDS(obj);

    return r->ended ? g_strdup_printf("ended with status %u", r->end_status)
                    : g_strdup("runs");
}

static const VMStateDescription vmstate_fugu_rounds = {
    .name = "fugu-rounds",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_INT64(start, FuguRounds),
        VMSTATE_UINT32(cursor, FuguRounds),
        VMSTATE_BOOL(stopping, FuguRounds),
        VMSTATE_UINT32(stop_status, FuguRounds),
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

static const TypeInfo fugu_rounds_info = {
    .name = TYPE_FUGU_ROUNDS,
    .parent = TYPE_DEVICE,
    .instance_size = sizeof(FuguRounds),
    .class_init = fugu_rounds_class_init,
};

static void fugu_rounds_register_types(void)
{
    type_register_static(&fugu_rounds_info);
}

type_init(fugu_rounds_register_types)
