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

/* ---- Pages --------------------------------------------------------------- */

unsigned debts_turn;
bool debts_paging_waits;
static bool paging_charged;     /* a process has been charged in this slot, */
static bool paging_owed;        /* or owes time for pages: rare */

/* Chores that ask debts_hold_paging(). */
#define CHORES_ASKING   (CHORE_SERVER | CHORE_PAGER | CHORE_OVERFLOW)

/* Returns the process of a GID that has slots; NULL: it has none. */
static struct process *payer(unsigned gid)
{
    return gid <= processes_last ? processes[gid] : NULL;
}

uint32_t debts_trapped;
uint64_t debts_work_began;
bool debts_arrived;
unsigned debts_worked_for;

__attribute__((noinline)) void debts_work_end(uint64_t t)
{
    struct process *p = payer(debts_worked_for);

    debts_worked_for = GID_NONE;
    if (p) {
        p->paging_charged += t - debts_work_began;
        paging_charged = true;
    }
}

void debts_work_switch(unsigned gid)
{
    if (debts_worked_for) {
        uint64_t t = now();

        debts_work_end(t);
        debts_work_began = t;
    }
    debts_worked_for = gid != debts_turn ? gid : GID_NONE;
}

/* Returns whether work for p's pages takes time of another process's slot. */
static bool costs_another(const struct process *p)
{
    return current != p && current->gid == debts_turn && process_can_run(current);
}

/*
 * Pays what p owes by time, and returns the rest. Where one process is left, no slots
 * pass, and p has ended. That process has the node, except for half of the time, in
 * which the kernel may work for p's pages.
 */
static __attribute__((cold)) uint64_t pay_by_time(struct process *p)
{
    uint64_t t = now(), debt = p->paging_debt + p->paging_charged;
    uint64_t paid = (t - p->paging_since) / 2;

    p->paging_since = t;
    p->paging_charged = debt > paid ? debt - paid : 0;
    p->paging_debt = 0;
    return p->paging_charged;
}

/*
 * Several processes are left, but slots may not pass that could pay: a table may have
 * none for this job. So p waits about as long as its slots would have taken. Then the
 * debt for which it has waited is forgotten. Returns whether p still waits.
 */
static __attribute__((cold)) bool waits_for_slots(struct process *p, uint64_t debt)
{
    if (!p->paging_late) {
        p->paging_waited = debt;
        p->paging_late = now() + 2 * processes_alive * (debt + timeslice);
    } else if (now() >= p->paging_late) {
        p->paging_late = 0;
        p->paging_charged = debt > p->paging_waited ? debt - p->paging_waited : 0;
        p->unpayable = debts_expired = true;
        return false;
    }
    return true;
}

__attribute__((cold)) bool debts_hold_paging(unsigned gid)
{
    uint64_t most = timeslice > DEBT_LEAST ? timeslice : DEBT_LEAST;
    struct process *p = payer(gid);
    bool alone = processes_alive < 2;
    uint64_t debt;

    if (!p || !costs_another(p)) {
        return false;
    }
    debt = alone ? pay_by_time(p) : p->paging_debt + p->paging_charged;
    if (debt <= most) {
        p->paging_late = 0;
        return false;
    }
    if (!alone && !waits_for_slots(p, debt)) {
        return false;
    }
    debts_paging_waits = true;
    chores_later(CHORES_ASKING, alone ? now() + 2 * (debt - most) : p->paging_late);
    return true;
}

__attribute__((cold)) void debts_paging_look(void)
{
    debts_paging_waits = false;
    chores_wait |= CHORES_ASKING;
}

/* Notes debts for pages, up to `most` cycles. Returns how much that is. */
static __attribute__((cold, noinline)) uint64_t note_paging(uint64_t most)
{
    uint64_t sum = 0;

    for (unsigned gid = 1; gid <= processes_last; gid++) {
        struct process *p = processes[gid];

        if (p && p->paging_charged) {
            uint64_t spent = p->paging_charged < most - sum ? p->paging_charged
                                                            : most - sum;

            p->paging_charged = 0;
            p->paging_debt += p != current ? spent : 0;
            sum += p != current ? spent : 0;
        }
    }
    paging_charged = false;
    paging_owed |= sum != 0;
    return sum;
}

/* Forgets debts for pages as debts_forget() does. Returns their sum. */
static __attribute__((cold)) uint64_t forget_paging(bool all)
{
    uint64_t sum = 0;

    for (unsigned gid = 1; gid <= processes_last; gid++) {
        struct process *p = processes[gid];

        if (p && (all || p->unpayable || p->job_gone)) {
            sum += p->paging_debt;
            p->paging_debt = 0;
        }
    }
    paging_owed &= !all;
    return sum;
}

/* ---- Slots --------------------------------------------------------------- */

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
            uint64_t cycles = meter_read(p->gid, FUGU_METER_CYCLES);
            uint64_t spent = cycles - p->cycles + p->charged;

            p->cycles = cycles;
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
    if (paging_charged) {
        sum += note_paging(most - sum);
    }
    return sum;
}

uint64_t debts_pay(struct process *p, uint64_t most)
{
    uint64_t paid = p->debt < most ? p->debt : most;
    uint64_t rest = most - paid;
    uint64_t for_pages = p->paging_debt < rest ? p->paging_debt : rest;

    p->debt -= paid;
    if (paid && !p->debt) {
        release(p);
    }
    p->paging_debt -= for_pages;
    return paid + for_pages;
}

__attribute__((cold)) uint64_t debts_forget(bool all)
{
    uint64_t sum = paging_owed ? forget_paging(all) : 0;

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
