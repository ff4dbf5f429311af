/*
 * The scheduler of rounds: virtual time for all nodes
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "qemu/xxhash.h"
#include "migration/vmstate.h"
#include "system/lockstep.h"
#include "system/qtest.h"
#include "system/runstate.h"
#include "hw/fugu/console.h"
#include "hw/fugu/hub.h"
#include "hw/fugu/machine.h"
#include "hw/fugu/rounds.h"
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

static void flush_consoles(FuguMachineState *m)
{
    for (uint32_t i = 0; i < m->node_count; i++) {
        fugu_console_flush(m->nodes[i]->console);
    }
}

static uint64_t machine_digest(FuguMachineState *m)
{
    uint64_t digest = m->node_count;

    for (uint32_t i = 0; i < m->node_count; i++) {
        digest = XXH64_mergeround(digest, m->nodes[i]->digest);
    }
    return XXH64_avalanche(digest);
}

static const char *wait_text(FuguWait wait)
{
    static const char *const text[] = {
        [FUGU_WAIT_INTERRUPT] = "an interrupt",
        [FUGU_WAIT_SPACE] = "space in the network",
        [FUGU_WAIT_BODY] = "its last message with a body to be delivered",
        [FUGU_WAIT_DMA] = "the DMA engine",
        [FUGU_WAIT_SECOND] = "space in the second network",
    };

    return text[wait];
}

static void report_node(FuguNode *node)
{
    uint32_t pc = node->cpu.env.pc;

    switch (node->state) {
    case FUGU_NODE_RUNS:
        error_printf("  node %u: runs, pc 0x%08x\n", node->number, pc);
        break;
    case FUGU_NODE_WAITS:
        error_printf("  node %u: waits for %s, pc 0x%08x\n", node->number,
                     wait_text(node->wait), pc);
        break;
    case FUGU_NODE_ENDED:
        error_printf("  node %u: ended with status %u\n", node->number,
                     node->status);
        break;
    case FUGU_NODE_FAILED:
        error_printf("  node %u: error mode, trap 0x%02x with traps disabled, "
                     "pc 0x%08x, npc 0x%08x\n", node->number, node->status,
                     pc, node->cpu.env.npc);
        break;
    }
}

static void report_nodes(FuguMachineState *m)
{
    for (uint32_t i = 0; i < m->node_count; i++) {
        report_node(m->nodes[i]);
    }
}

/* All that the machine has to say, then the status for QEMU's exit. */
static void end_machine(FuguRounds *r, uint32_t status)
{
    FuguMachineState *m = r->machine;

    BQL_LOCK_GUARD();
    flush_consoles(m);
    trace_fugu_rounds_end(round_end(r), status);
    if (m->digest) {
        printf("digest: %016" PRIx64 "\n", machine_digest(m));
        fflush(stdout);
    }
    first_cpu->stopped = true;
    qemu_system_shutdown_request_with_code(SHUTDOWN_CAUSE_GUEST_SHUTDOWN,
                                           status);
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

    /* libqtest ends QEMU by a signal, and that is no failure. */
    if (*cause == SHUTDOWN_CAUSE_HOST_SIGNAL && !qtest_enabled()) {
        flush_consoles(r->machine);
        qemu_system_shutdown_request_with_code(*cause, FUGU_STATUS_SIGNAL);
    }
}

/* ---- Between two rounds --------------------------------------------------- */

/* The first status that is not 0: by local time, then by number. */
static uint32_t ended_status(FuguMachineState *m)
{
    FuguNode *first = NULL;

    for (uint32_t i = 0; i < m->node_count; i++) {
        FuguNode *node = m->nodes[i];

        if (node->status && (!first || node->end_time < first->end_time)) {
            first = node;
        }
    }
    if (!first) {
        return 0;
    }
    error_printf("fugu: node %u ended with status %u at cycle %" PRId64 "\n",
                 first->number, first->status, first->end_time);
    return first->status;
}

/*
 * What the nodes are up to: how many have ended, whether any can run, and
 * the next event of those that cannot.
 */
typedef struct Outlook {
    uint32_t ended;
    bool busy;
    int64_t next;
} Outlook;

static Outlook look_around(FuguMachineState *m)
{
    Outlook o = { .next = FUGU_NEVER };

    for (uint32_t i = 0; i < m->node_count; i++) {
        FuguNode *node = m->nodes[i];

        if (node->state == FUGU_NODE_RUNS) {
            o.busy = true;
            return o;
        }
        o.ended += node->state == FUGU_NODE_ENDED;
        if (node->events) {
            o.next = MIN(o.next, node->events->time);
        }
    }
    return o;
}

static void start_round(FuguRounds *r)
{
    FuguMachineState *m = r->machine;

    if (likely(!qatomic_read(&m->console_input))) {
        return;
    }
    BQL_LOCK_GUARD();
    qatomic_set(&m->console_input, false);
    for (uint32_t i = 0; i < m->node_count; i++) {
        if (m->nodes[i]->console->host_input) {
            fugu_console_round(m->nodes[i]->console, r->start);
        }
    }
}

/* Whether someone at a console can still wake a machine that waits. */
static bool expects_input(FuguMachineState *m)
{
    BQL_LOCK_GUARD();
    return fugu_console_can_wake(m);
}

/* Returns true if the machine has ended. */
static bool between_rounds(FuguRounds *r)
{
    FuguMachineState *m = r->machine;
    int64_t end = round_end(r);
    Outlook o;

    fugu_hub_round(m->hub);
    if (r->stopping) {
        if (r->stop_status == FUGU_STATUS_ERROR_MODE) {
            error_printf("fugu: a node is in error mode, at cycle %" PRId64 "\n",
                         end);
            report_nodes(m);
        } else if (r->stop_status) {
            error_printf("fugu: the program stopped the machine with status %u "
                         "at cycle %" PRId64 "\n", r->stop_status, end);
        }
        end_machine(r, r->stop_status);
        return true;
    }
    o = look_around(m);
    if (o.ended == m->node_count) {
        end_machine(r, ended_status(m));
        return true;
    }
    if (!o.busy && o.next == FUGU_NEVER && expects_input(m)) {
        /* The one wait that is the host's: let it have the processor. */
        g_usleep(1000);
    } else if (!o.busy && o.next == FUGU_NEVER) {
        error_printf("fugu: deadlock at cycle %" PRId64 ": all nodes wait, "
                     "and nothing is in flight\n", end);
        report_nodes(m);
        end_machine(r, FUGU_STATUS_DEADLOCK);
        return true;
    }
    if (m->timeout && end >= m->timeout) {
        error_printf("fugu: timeout at cycle %" PRId64 "\n", end);
        report_nodes(m);
        end_machine(r, FUGU_STATUS_TIMEOUT);
        return true;
    }

    r->cursor = 0;
    set_start(r, end);
    if (!o.busy && o.next > round_end(r) && o.next != FUGU_NEVER) {
        /* To the round of the next event, but not over the timeout. */
        int64_t to = m->timeout ? MIN(o.next, m->timeout - 1) : o.next;

        set_start(r, MAX(end, to - to % m->quantum));
        trace_fugu_rounds_skip(end, r->start);
    }
    start_round(r);
    return false;
}

/* ---- Rounds ---------------------------------------------------------------- */

static CPUState *rounds_run(void *opaque)
{
    FuguRounds *r = opaque;
    FuguMachineState *m = r->machine;

    for (unsigned batch = 0; batch < ROUNDS_A_BATCH; batch++) {
        for (; r->cursor < m->node_count; r->cursor++) {
            FuguNode *node = m->nodes[r->cursor];
            int why = fugu_node_run(node, round_end(r));

            if (why == EXCP_DEBUG) {
                return CPU(&node->cpu);
            }
            if (why != EXCP_STRETCH) {
                return NULL;
            }
        }
        if (between_rounds(r) || lockstep_attention()) {
            break;
        }
    }
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

    if (offset >= fugu_ram_stride(m) * m->node_count) {
        return NULL;
    }
    return CPU(&m->nodes[offset / fugu_ram_stride(m)]->cpu);
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
    r->cursor = 0;
    r->stopping = false;
    r->stop_status = 0;
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
