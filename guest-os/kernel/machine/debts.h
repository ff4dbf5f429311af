/*
 * Debts: insertions of a process's messages, commands of MBCF, and pages that go
 * and come take time of the process that runs. That one's slot becomes longer by
 * this time, and a slot of the receiver, of the command's requester, or of the
 * process that needs the pages, shorter.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_DEBTS_H
#define GLAZE_DEBTS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/gids.h"
#include "machine/hardware.h"
#include "machine/process.h"

/* The process leaves the processor: its own time up to now is no debt. */
void debts_leave(struct process *p);

/*
 * The cycles for which so many bytes of a body hold the links on their way, at the
 * default pace of the mesh: four a word. Messages of others wait meanwhile, so a
 * process owes them as those of the processor.
 */
static inline uint32_t debts_wire(uint32_t bytes)
{
    return bytes;
}

/*
 * The kernel has spent cycles for the process of this GID, if it has one on this
 * node, in the time of the process that runs.
 */
void debts_charge(unsigned gid, uint64_t cycles);

/* The same for the fast path of MBCF, which may call no function that needs a window.
 * A debt that is too large is found at the end of the slot. */
static inline void debts_charge_quick(unsigned gid, uint64_t cycles)
{
    struct process *p = gid <= processes_last ? processes[gid] : NULL;

    if (p && p != current) {
        p->charged += cycles;
    }
}

/*
 * The kernel has dropped a message for p, which has ended: its slots cannot pay. If
 * such messages and debts_charge() have taken too much time of late, this asks
 * overflow control to suspend p's job, on all nodes, for a while.
 */
void debts_waste(struct process *p);

/*
 * The buffer of p, which does not run, has grown by DEBTS_PAGES pages: so much may
 * have been inserted that p owes too much. Then this asks overflow control to
 * suspend p's job, on all nodes, until it has paid. debts_note() does so, too; but
 * by the end of the slot there may be nothing left of it.
 */
void debts_check(struct process *p);
#define DEBTS_PAGES     4

/*
 * The slot of a process is longer for its own sake: it owes so many cycles. Returns
 * false, and it does not owe them, if it owes too much already.
 */
bool debts_owe(struct process *p, uint64_t cycles);

/*
 * The GID whose slot it is, and that of the process that loses the time which others
 * take: the same, or one that runs in that slot on account (timeslot.h), for which
 * debts_lost counts that time. The scheduler sets these.
 */
extern unsigned debts_turn, debts_loser;
extern uint32_t debts_lost;

static inline void debts_turn_is(unsigned gid)
{
    debts_turn = debts_loser = gid;
}

/*
 * The kernel's work for pages that a process needs, on this node or, if this is the
 * node of the disk, on any, is a debt of that process, if another one loses the time:
 * one that runs in its own slot, or on account. A process may owe for pages and have
 * ended: its job's slots pay.
 *
 * Such a debt suspends no job. Instead, a process that owes too much gets no more
 * pages until its slots have paid, or until the work takes time from no other process.
 *
 * All time is measured: that of a chore, from debts_chore() on; and if an interrupt of
 * the second network or of the disk has led to the chore, from the interrupt to the
 * return. debts_work_for() says for whom it was, before or after the work is done.
 */
extern uint32_t debts_trapped;      /* when that interrupt came: the low word of
                                       now(), as noted on the way to C */
extern uint64_t debts_work_began;
extern bool debts_arrived;          /* ... by an interrupt, and no chore has begun */
extern unsigned debts_worked_for;   /* since then; GID_NONE: for none */

/* An interrupt of the second network or of the disk has come to C. The way back takes
 * about as long as the way here: both load or store the same registers. */
static inline void debts_arrive(void)
{
    if (current->gid == debts_loser) {
        uint64_t t = now();

        debts_work_began = t - 2 * ((uint32_t)t - debts_trapped);
        debts_arrived = true;
    }
}

/* Of the processes to which work for pages has been charged in this slot. */
extern struct gids debts_for_pages;

/* The fast path of pages (memory/pieces.h) has worked so many cycles for that GID's
 * pages. It may call no function. */
static inline void debts_charge_page_quick(unsigned gid, uint32_t cycles)
{
    struct process *p = gid <= processes_last ? processes[gid] : NULL;

    if (p && current->gid == debts_loser && process_can_run(current)) {
        debts_lost += cycles;
        if (gid != debts_turn) {
            p->paging_charged += cycles;
            gids_add(&debts_for_pages, gid);
        }
    }
}

/* Work for that GID's pages was done up to the time t. */
void debts_work_end(uint64_t t);

/* Since the interrupt, so many cycles were for something else. */
static inline void debts_other_work(uint64_t cycles)
{
    debts_work_began += cycles;
}

/* A chore begins: for pages, or for something else. */
static inline void debts_chore(bool for_pages)
{
    if (debts_arrived && for_pages) {
        debts_arrived = false;
    } else {
        uint64_t t = now();

        if (debts_worked_for) {
            debts_work_end(t);
        }
        debts_work_began = t;
        debts_arrived = false;
    }
}

/* A process is about to run, or none can. */
static inline void debts_leave_kernel(void)
{
    debts_arrived = false;
    if (debts_worked_for) {
        debts_work_end(now());
    }
}

void debts_work_switch(unsigned gid);

/* The chore works for pages of the process of this GID. */
static inline void debts_work_for(unsigned gid)
{
    if (current->gid == debts_loser && gid != debts_worked_for &&
        process_can_run(current)) {
        debts_work_switch(gid);
    }
}

/*
 * p has run in another process's slot for so many cycles, since a page has come for it:
 * it owes them as those for pages. debts_may_pay() returns whether it owes less than
 * its next slot pays.
 */
void debts_charge_guest(struct process *p, uint64_t cycles);
bool debts_may_pay(const struct process *p);

/*
 * Returns whether the kernel must not begin to bring or to send a page for this GID
 * now. debts_paging_goes_on() notes the chores that ask, CHORE_SERVER, CHORE_PAGER
 * and CHORE_OVERFLOW, when the answer may be another one.
 */
bool debts_hold_paging(unsigned gid);

/* A slot begins, another process gets the processor, or none can run. */
extern bool debts_paging_waits;     /* debts_hold_paging() has returned true */
void debts_paging_look(void);

static inline void debts_paging_goes_on(void)
{
    if (debts_paging_waits) {
        debts_paging_look();
    }
}

/*
 * Adds what insertions, debts_charge() and work for pages have taken since the
 * last call to the debts of those processes, up to `most` cycles in all. Returns how
 * much that is, and forgets what is above. Where there are many processes, a call
 * looks at some of them, in a ring.
 */
uint64_t debts_note(uint64_t most);

/*
 * The slot of a process begins: takes up to `most` cycles of its debt from it.
 * Returns how many.
 */
uint64_t debts_pay(struct process *p, uint64_t most);

/*
 * The time is over for which p's job was suspended at most, so no slots have passed
 * in which it could pay: its job, or all jobs, cannot run. What it owes is forgotten
 * by debts_forget(), which the scheduler calls when debts_expired is set. Otherwise
 * the job would be suspended again, before it runs.
 */
extern bool debts_expired;
void debts_expire(struct process *p);

/*
 * Forgets debts that have expired, and those of processes that have ended, or all
 * debts. Returns their sum.
 */
uint64_t debts_forget(bool all);

/* No slot has become longer: forgets debts, of some processes with each call. */
void debts_forget_some(void);

#endif /* GLAZE_DEBTS_H */
