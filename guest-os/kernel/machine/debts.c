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
#include "machine/gids.h"
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

static struct gids debtors;     /* of processes that owe time, and of those */
static struct gids unpayable;   /* whose debt has expired (debts_expire()) */

/*
 * A process owes too much if it owes a tenth of a slot, or this, if slots are
 * short. It may be unable to pay as fast as its debt grows; and what it takes
 * from a slot is not made up for on other nodes, whose slots do not become longer.
 */
#define DEBT_LEAST      50000

static bool owes_too_much(uint64_t debt)
{
    /* ten times the debt: a division or call would take a hundred cycles and more */
    return debt > DEBT_LEAST && (debt << 3) + (debt << 1) > timeslice;
}

__attribute__((cold)) bool debts_owe(struct process *p, uint64_t cycles)
{
    if (owes_too_much(p->debt)) {
        return false;
    }
    p->debt += cycles;
    gids_add(&debtors, p->gid);
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
    if (!buffer_latency && processes_alive > 1 && !p->held_until) {
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
        if (!p->held_until && owes_too_much(p->debt + p->charged)) {
            debts_check(p);
        }
    }
}

bool debts_expired;

static void expire(unsigned gid)
{
    gids_add(&unpayable, gid);
    gids_add(&debtors, gid);
    debts_expired = true;
}

__attribute__((cold)) void debts_expire(struct process *p)
{
    p->held_until = 0;
    if (!process_has_ended(p)) {
        debts_leave(p);
        p->charged = 0;
        expire(p->gid);
    }
}

/* ---- Pages --------------------------------------------------------------- */

unsigned debts_turn, debts_loser;
uint32_t debts_lost;
bool debts_paging_waits;
struct gids debts_for_pages;

/* Chores that ask debts_hold_paging(). */
#define CHORES_ASKING   (CHORE_SERVER | CHORE_PAGER | CHORE_OVERFLOW)

/* Returns the process of a GID that has slots; NULL: it has none. */
static struct process *payer(unsigned gid)
{
    return gid <= processes_last ? processes[gid] : NULL;
}

static void charge_paging(struct process *p, uint64_t cycles)
{
    p->paging_charged = cycles;
    gids_add(&debts_for_pages, p->gid);
}

__attribute__((cold)) void debts_charge_guest(struct process *p, uint64_t cycles)
{
    charge_paging(p, p->paging_charged + cycles);
}

/* What p owes for pages. */
static uint64_t paging_debt(const struct process *p)
{
    return p->paging_debt + p->paging_charged;
}

__attribute__((cold)) bool debts_may_pay(const struct process *p)
{
    return paging_debt(p) < timeslice / 2;
}

uint32_t debts_trapped;
uint64_t debts_work_began;
bool debts_arrived;
unsigned debts_worked_for;

__attribute__((cold, noinline)) void debts_work_end(uint64_t t)
{
    struct process *p = debts_worked_for != debts_turn ? payer(debts_worked_for) : NULL;
    /* Pieces in between are other work, by an estimate that may be more than it was. */
    uint32_t cycles = t > debts_work_began ? t - debts_work_began : 0;

    debts_worked_for = GID_NONE;
    debts_lost += cycles;
    if (p) {
        charge_paging(p, p->paging_charged + cycles);
    }
}

__attribute__((cold)) void debts_work_switch(unsigned gid)
{
    if (debts_worked_for) {
        uint64_t t = now();

        debts_work_end(t);
        debts_work_began = t;
    }
    debts_worked_for = gid != debts_loser || gid != debts_turn ? gid : GID_NONE;
}

/* Returns whether work for p's pages takes time of another process's slot. */
static bool costs_another(const struct process *p)
{
    return current != p && p->gid != debts_turn && current->gid == debts_loser &&
           process_can_run(current);
}

/*
 * Pays what p owes by time, and returns the rest. Where one process is left, no slots
 * pass, and p has ended. That process has the node, except for half of the time, in
 * which the kernel may work for p's pages.
 */
static __attribute__((cold)) uint64_t pay_by_time(struct process *p)
{
    uint64_t t = now(), debt = paging_debt(p);
    uint64_t paid = (t - p->paging_since) / 2;

    p->paging_since = t;
    charge_paging(p, debt > paid ? debt - paid : 0);
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
        charge_paging(p, debt > p->paging_waited ? debt - p->paging_waited : 0);
        expire(p->gid);
        return false;
    }
    return true;
}

/*
 * Where time pays, the kernel looks no sooner than after so many cycles whether enough
 * has been paid. A look takes some 3,500 cycles, which no process pays for.
 */
#define LOOK_LEAST      20000

__attribute__((cold)) bool debts_hold_paging(unsigned gid)
{
    uint64_t most = timeslice > DEBT_LEAST ? timeslice : DEBT_LEAST;
    struct process *p = payer(gid);
    bool alone = processes_alive < 2;
    uint64_t debt;

    if (!p || !costs_another(p)) {
        return false;
    }
    debt = alone ? pay_by_time(p) : paging_debt(p);
    if (debt <= most) {
        p->paging_late = 0;
        return false;
    }
    if (!alone && !waits_for_slots(p, debt)) {
        return false;
    }
    debts_paging_waits = true;
    chores_later(CHORES_ASKING, alone ? now() + LOOK_LEAST + 2 * (debt - most)
                                       : p->paging_late);
    return true;
}

__attribute__((cold)) void debts_paging_look(void)
{
    debts_paging_waits = false;
    chores_wait |= CHORES_ASKING;
}

/*
 * A call looks at so many processes, some 100 cycles each. Where there are more, the
 * next call goes on: what one of these takes may make a later slot longer than the one
 * from which it has been taken.
 */
#define NOTE_MOST       8

static uint64_t note_for_pages(struct process *p, uint64_t most)
{
    uint64_t spent = p->paging_charged < most ? p->paging_charged : most;

    p->paging_charged = 0;
    if (!spent) {
        return 0;
    }
    p->paging_debt += spent;
    gids_add(&debtors, p->gid);
    return spent;
}

/* Notes debts for pages, up to `most` cycles. Returns how much that is. */
static uint64_t note_paging(uint64_t most)
{
    static unsigned gid;        /* at which the last call has ended */
    uint64_t sum = 0;

    for (unsigned left = NOTE_MOST; left; left--) {
        struct process *p;

        gid = gids_after(&debts_for_pages, gid);
        if (!gid) {
            break;
        }
        p = processes[gid];
        gids_remove(&debts_for_pages, gid);
        if (p) {
            sum += note_for_pages(p, most - sum);
        }
    }
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

/* Notes what p owes since its debts were noted, up to `most` cycles. Returns that. */
static uint64_t note(struct process *p, uint64_t most)
{
    uint64_t cycles, spent;

    if (p == current) {
        p->charged = 0;
        return 0;
    }
    cycles = meter_read(p->gid, FUGU_METER_CYCLES);
    spent = cycles - p->cycles + p->charged;
    p->cycles = cycles;
    p->charged = 0;
    spent = spent < most ? spent : most;
    p->debt += spent;
    if (spent) {
        gids_add(&debtors, p->gid);
    }
    if (!p->debt) {
        release(p);
    } else if (spent && owes_too_much(p->debt)) {
        hold_debtor(p, p->debt);
    }
    return spent;
}

uint64_t debts_note(uint64_t most)
{
    static unsigned gid;        /* at which the last call has ended */
    unsigned left = NOTE_MOST;
    uint64_t sum = 0;

    for (unsigned looked = 0; left && looked < processes_last; looked++) {
        gid = gid < processes_last ? gid + 1 : 1;
        if (gids_has(&processes_here, gid)) {
            sum += note(processes[gid], most - sum);
            left--;
        }
    }
    return sum + note_paging(most - sum);
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

/* Forgets the debts of p as debts_forget() does. Returns their sum. */
static __attribute__((cold)) uint64_t forget(struct process *p, bool all)
{
    bool expired = all || gids_has(&unpayable, p->gid);
    uint64_t sum = 0;

    if (p->debt && (expired || process_has_ended(p))) {
        sum = p->debt;
        p->debt = 0;
        release(p);
    }
    if (p->paging_debt && (expired || p->job_gone)) {
        sum += p->paging_debt;
        p->paging_debt = 0;
    }
    gids_remove(&unpayable, p->gid);
    if (!p->debt && !p->paging_debt) {
        gids_remove(&debtors, p->gid);
    }
    return sum;
}

__attribute__((cold)) uint64_t debts_forget(bool all)
{
    struct gids payable = gids_less(&processes_here, &unpayable);
    struct gids set = all ? debtors : gids_less(&debtors, &payable);
    uint64_t sum = 0;

    gids_each(gid, &set) {
        if (processes[gid]) {
            sum += forget(processes[gid], all);
        }
    }
    return sum;
}

__attribute__((cold)) void debts_forget_some(void)
{
    static unsigned gid;        /* at which the last call has ended */

    for (unsigned left = NOTE_MOST; left; left--) {
        gid = gids_after(&debtors, gid);
        if (!gid) {
            break;
        }
        if (processes[gid]) {
            forget(processes[gid], true);
        }
    }
}
