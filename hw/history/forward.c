/*
 * Going back: running forward again
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
#include "hw/core/cpu.h"
#include "system/lockstep.h"
#include "hw/fugu/rounds/rounds.h"
#include "hw/fugu/devices/console.h"
#include "hw/fugu/history/forward.h"
#include "hw/fugu/node/node.h"

/* Rounds until the thread looks whether QEMU wants it. */
#define ROUNDS_A_BATCH      256

/*
 * Stretches from a checkpoint that a search leaves to the place that it looks
 * at, for the searches that follow from there.
 */
static const unsigned leave[] = { 65536, 8192, 1024, 128 };

/* ---- Checkpoints --------------------------------------------------------- */

G_NORETURN void fugu_forward_fail(Error *err)
{
    error_reportf_err(err, "fugu: going back: ");
    exit(FUGU_STATUS_FILE);
}

static void flush_tlbs(FuguMachineState *m)
{
    for (uint32_t i = 0; i < m->options.node_count; i++) {
        tlb_flush(CPU(&m->parts.nodes[i]->cpu));
    }
}

/* A run from the checkpoint starts with empty TLBs, so this one must go on with
 * empty ones. */
void fugu_forward_checkpoint(FuguTravel *t, bool changed)
{
    Error *err = NULL;

    BQL_LOCK_GUARD();
    flush_tlbs(t->machine);
    if (!fugu_checkpoint_take(t->all, t->rounds, changed, &err)) {
        fugu_forward_fail(err);
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
    int64_t left = t->leave_for - m->time.round_start;
    bool due = false;

    if (t->leave_for == FUGU_NEVER) {
        return false;
    }
    while (t->left < ARRAY_SIZE(leave) &&
           left <= (int64_t)(leave[t->left] / m->options.node_count) *
                   m->options.quantum) {
        t->left++;
        due = true;
    }
    return due;
}

void fugu_forward_round(FuguTravel *t)
{
    FuguPlace now = fugu_place(t->machine);
    const FuguCheckpoint *c = fugu_checkpoint_find(t->all, &now, false);
    bool known = c && !fugu_place_compare(&c->place, &now);

    t->rounds++;
    if (known) {
        compare(t, c);
    }
    if (t->rounds % t->interval == 0) {
        fugu_forward_checkpoint(t, false);
    } else if (leave_due(t) && !known) {
        fugu_forward_checkpoint(t, false);
    }
}

/* ---- Running forward ----------------------------------------------------- */

bool fugu_forward_interrupted(void)
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

int fugu_forward_turn(FuguTravel *t)
{
    int why;

    do {
        why = fugu_rounds_turn(t->machine->parts.rounds);
        if (why == EXCP_STRETCH || why == EXCP_DEBUG) {
            return why;
        }
    } while (!fugu_forward_interrupted());
    return EXCP_INTERRUPT;
}

FuguTravelEnd fugu_forward_next_round(FuguTravel *t)
{
    FuguMachineState *m = t->machine;

    while (m->terminal.asked && !fugu_console_supply(m)) {
        if (fugu_forward_interrupted()) {
            return FUGU_TRAVEL_INTERRUPTED;
        }
        g_usleep(1000);
    }
    if (!fugu_rounds_finish(m->parts.rounds)) {
        return m->parts.rounds->ending.reason == FUGU_ENDING_NONE
            ? FUGU_TRAVEL_INTERRUPTED : FUGU_TRAVEL_ENDED;
    }
    return t->rounds % ROUNDS_A_BATCH == 0 && fugu_forward_interrupted()
        ? FUGU_TRAVEL_INTERRUPTED : FUGU_TRAVEL_THERE;
}

FuguTravelEnd fugu_forward_fly(FuguTravel *t, const FuguPlace *to,
                               FuguNode *node, GArray *turns)
{
    FuguMachineState *m = t->machine;
    FuguRounds *r = m->parts.rounds;

    while (m->time.round_start < to->round ||
           (m->time.round_start == to->round && r->cursor < to->cursor)) {
        if (r->cursor == m->parts.end) {
            FuguTravelEnd end = fugu_forward_next_round(t);

            if (end != FUGU_TRAVEL_THERE) {
                return end;
            }
            continue;
        }
        if (node) {
            node->ran = false;
        }
        if (fugu_forward_turn(t) == EXCP_INTERRUPT) {
            return FUGU_TRAVEL_INTERRUPTED;
        }
        if (node && node->ran) {
            g_array_append_val(turns, m->time.round_start);
        }
        r->cursor++;
    }
    return FUGU_TRAVEL_THERE;
}

int fugu_forward_step(FuguTravel *t)
{
    const FuguParts *parts = &t->machine->parts;
    CPUState *cs = CPU(&parts->nodes[parts->rounds->cursor]->cpu);
    int why;

    cpu_single_step(cs, SSTEP_ENABLE);
    why = fugu_forward_turn(t);
    cpu_single_step(cs, 0);
    return why;
}

bool fugu_forward_enter_stretch(FuguTravel *t)
{
    FuguNode *node = t->machine->parts.nodes[t->machine->parts.rounds->cursor];
    CPUState *cs = CPU(&node->cpu);
    CPUBreakpoint *here;
    int why;

    cpu_breakpoint_insert(cs, node->cpu.env.pc, BP_GDB, &here);
    why = fugu_forward_turn(t);
    cpu_breakpoint_remove_by_ref(cs, here);
    return why == EXCP_DEBUG;
}
