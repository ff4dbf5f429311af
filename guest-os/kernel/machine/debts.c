/*
 * Debts.
 *
 * The machine charges each cycle to a GID: to that of the process that has the
 * network interface, or to that of a message while the kernel inserts it
 * (docs/machine.md, "Counters"). So what is charged to a process while it does
 * not run is the time of insertions. Other work of the kernel for a process is
 * charged by debts_charge(), which the counter does not see.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/latency.h"
#include "machine/hardware.h"
#include "machine/chores.h"
#include "machine/debts.h"

void debts_leave(struct process *p)
{
    p->cycles = meter_read(p->gid, FUGU_METER_CYCLES);
}

/*
 * Messages for a process that has ended may take WASTE_MOST cycles of WASTE_TIME: a
 * tenth, as the scheduler's server may. A job that sends more is suspended as long
 * as WASTE_TIME, if another process is there to lose that time.
 */
#define WASTE_TIME      500000
#define WASTE_MOST      50000

/*
 * Asks overflow control to suspend p's job, on all nodes, until a time. A job that has
 * gone cannot be suspended. Its last messages may still come, and the next job of the
 * GID may be made before that time: then no node would take the request back.
 */
static __attribute__((cold)) void suspend(struct process *p, uint64_t until)
{
    if (!p->held_until && !p->job_gone) {
        p->held_until = until;
        chores_wait |= CHORE_OVERFLOW;
    }
}

__attribute__((cold)) void debts_waste(struct process *p)
{
    uint64_t t = now();
    uint64_t cost = meter_read(p->gid, FUGU_METER_CYCLES) + p->waste_of_commands;

    if (!p->waste_from || t - p->waste_from > WASTE_TIME) {
        p->waste_from = t;
        p->waste_before = cost;
    }
    if (processes_alive && cost - p->waste_before > WASTE_MOST) {
        suspend(p, t + WASTE_TIME);
    }
}

/*
 * A process owes too much if it owes a tenth of a slot, or this, if slots are
 * short. It may be unable to pay as fast as its debt grows; and what it takes
 * from a slot is not made up for on other nodes, whose slots do not become longer.
 */
#define DEBT_LEAST      50000

static bool owes_too_much(uint64_t debt)
{
    return debt > DEBT_LEAST && debt > timeslice / 10;
}

__attribute__((cold)) bool debts_owe(struct process *p, uint64_t cycles)
{
    if (owes_too_much(p->debt)) {
        return false;
    }
    p->debt += cycles;
    return true;
}

/*
 * p's job gets no time until it has paid, which takes so many slots of all jobs. The
 * time is a bound, for a node on which no slots pass because no process can run. A
 * job alone owes no other job. No job is suspended because of insertions that an
 * experiment makes longer.
 */
static __attribute__((cold)) void hold_debtor(struct process *p, uint64_t debt)
{
    if (!buffer_latency && processes_alive > 1) {
        suspend(p, now() + 2 * processes_alive * (debt + timeslice));
    }
}

/* What p has taken since its debts were noted. */
static uint64_t taken(const struct process *p)
{
    return meter_read(p->gid, FUGU_METER_CYCLES) - p->cycles + p->charged;
}

__attribute__((cold)) void debts_check(struct process *p)
{
    uint64_t debt = p->debt + taken(p);

    p->pages_away = 0;
    if (p != current && owes_too_much(debt)) {
        hold_debtor(p, debt);
    }
}

void debts_charge(unsigned gid, uint64_t cycles)
{
    struct process *p = gid <= processes_last ? processes[gid] : NULL;

    if (p && process_has_ended(p)) {
        p->waste_of_commands += cycles;
        debts_waste(p);
    } else if (p && p != current) {
        p->charged += cycles;
        if (owes_too_much(p->debt + p->charged)) {
            debts_check(p);
        }
    }
}

bool debts_expired;

__attribute__((cold)) void debts_expire(struct process *p)
{
    p->held_until = 0;
    if (!process_has_ended(p)) {
        debts_leave(p);
        p->charged = 0;
        p->unpayable = true;
        debts_expired = true;
    }
}

/* p's job need not be suspended any more for a debt. */
static void release(struct process *p)
{
    if (p->held_until) {
        p->held_until = 0;
        chores_wait |= CHORE_OVERFLOW;
    }
}

uint64_t debts_note(uint64_t most)
{
    uint64_t sum = 0;

    for (unsigned gid = 1; gid <= processes_last; gid++) {
        struct process *p = processes[gid];

        if (p && p != current && !process_has_ended(p)) {
            uint64_t spent = taken(p);

            debts_leave(p);
            spent = spent < most - sum ? spent : most - sum;
            sum += spent;
            p->debt += spent;
            if (!p->debt) {
                release(p);
            } else if (spent && owes_too_much(p->debt)) {
                hold_debtor(p, p->debt);
            }
        }
        if (p) {
            p->charged = 0;
        }
    }
    return sum;
}

uint64_t debts_pay(struct process *p, uint64_t most)
{
    uint64_t paid = p->debt < most ? p->debt : most;

    p->debt -= paid;
    if (paid && !p->debt) {
        release(p);
    }
    return paid;
}

__attribute__((cold)) uint64_t debts_forget(bool all)
{
    uint64_t sum = 0;

    for (unsigned gid = 1; gid <= processes_last; gid++) {
        struct process *p = processes[gid];

        if (p && p->debt && (all || p->unpayable || process_has_ended(p))) {
            sum += p->debt;
            p->debt = 0;
            release(p);
        }
        if (p) {
            p->unpayable = false;
        }
    }
    return sum;
}
