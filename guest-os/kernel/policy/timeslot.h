/*
 * The time slot of this node: whose it is, when it ends, and which process may run
 * in it.
 *
 * turns.h says which slots there are by the table. This file makes a slot longer by
 * what the kernel has taken of it for other processes, and later slots of those
 * processes shorter (debts.h).
 *
 * The scheduler (schedule.c) calls timeslot_over() or timeslot_begin() when the slot
 * has ended, and timeslot_runs() when a process goes on. settle.c and policy.c call
 * timeslot_anew().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_TIMESLOT_H
#define GLAZE_TIMESLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "delivery/delivery.h"
#include "machine/process.h"
#include "services/mbcf/load.h"

/* The current slot. The scheduler sets `last` and `idled`. */
struct timeslot {
    uint64_t end;               /* GLAZE_NEVER while only one job is left; 0: the
                                   next slot begins at once */
    unsigned gid;               /* that has the slot; GID_NONE: no job */
    unsigned guest;             /* whose page has come after its slot, and which runs
                                   first for time that it has lent; or GID_NONE */
    unsigned passed;            /* while that process cannot run: the search for
                                   another starts after this GID */
    struct process *last;       /* the job's process that ran last */

    /*
     * What packets had taken when the process that has the slot got the processor,
     * or went on in it. And when that was; 0 while the process waits for it.
     */
    uint32_t taken_before;
    uint64_t began;
    uint64_t others;            /* since then, of what packets and insertions have
                                   taken: what other jobs owe */

    bool is_new;                /* no process has gone on since it began, or since
                                   it has become longer */
    bool idled;                 /* the node has had nothing to run */
    bool late;                  /* it is over, and goes on since the entry into the
                                   kernel had no time to end it (timeslot_ends()) */
};

extern struct timeslot timeslot;

/* The scheduler has to choose again which process runs. */
extern bool timeslot_choose_anew;

/* ---- Which process may run ---------------------------------------------- */

static inline bool timeslot_can_run(unsigned gid)
{
    return processes[gid] && process_can_run(processes[gid]) &&
           !delivery_stops(processes[gid]);
}

/* Returns the first process after this GID, in a ring, that can run outside of
 * its slots; NULL if none can. A process that is alone has no slots. */
struct process *timeslot_next_after(unsigned gid);

/* Returns the job's process that should run now; NULL if none can. */
static inline struct process *timeslot_next(void)
{
    if (timeslot.guest && timeslot_can_run(timeslot.guest)) {
        return processes[timeslot.guest];
    }
    return timeslot_can_run(timeslot.gid) ? processes[timeslot.gid]
                                          : timeslot_next_after(timeslot.passed);
}

/* Returns whether a process can run that has to wait for its slot. */
bool timeslot_is_awaited(void);

/* ---- Slots -------------------------------------------------------------- */

/* Begins the slot for the time t, which is not before the end of the current one. */
void timeslot_begin(uint64_t t);

/* The slot is over at the time t: the current process goes on for what the kernel
 * has taken of the slot, or the slot for the time t begins. */
void timeslot_over(uint64_t t);

/*
 * Returns whether this entry into the kernel has time to end the slot, which is over at
 * the time t. If not, the slot goes on, and the next entry ends it before chores.
 */
bool timeslot_ends(uint64_t t);

/* The current process goes on at the time t. */
static inline void timeslot_runs(uint64_t t)
{
    if (!timeslot.began) {
        timeslot.began = t;
        timeslot.taken_before = load_taken;
        timeslot.others = 0;
    }
}

/*
 * Guests. While a process waits for a page in its slot, others run: it lends them that
 * time. A page that comes after the slot lets the process run at once, as a guest in a
 * slot of a process that has borrowed, until the one has got back what it has lent or
 * the other has given back what it has borrowed. Each process may have lent and have
 * borrowed a slot at most.
 *
 * A process that could lend nothing, as the node had nothing to run, may be a guest on
 * account.
 *
 * timeslot_page_came(): p, which has waited for a page, can run. timeslot_idles(): from
 * now on the node has nothing to run, or has again. timeslot_starts(): p gets the
 * processor at the time t. timeslot_ran(): the process that has got it last
 * has run until then. timeslot_guest_time(): cycles that the guest has at most.
 */
void timeslot_page_came(struct process *p);
void timeslot_idles(bool on);
void timeslot_starts(struct process *p, uint64_t t);
void timeslot_ran(uint64_t t);
uint32_t timeslot_guest_time(void);

/* A process yields: it is no guest any more. */
static inline void timeslot_guest_leaves(unsigned gid)
{
    if (timeslot.guest == gid) {
        timeslot.guest = GID_NONE;
    }
}

/* Ends the slot at once: the tables of slots, or the jobs, have changed. */
void timeslot_anew(void);

/* Forgets debts: those of processes that have ended, or all debts to a process that is
 * alone. No slot could pay them. */
void timeslot_forget_debts(void);

#endif /* GLAZE_TIMESLOT_H */
