/*
 * Which process runs, and what the node does when none can.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "delivery/delivery.h"
#include "delivery/fault.h"
#include "delivery/pending.h"
#include "space/rights.h"
#include "delivery/soft.h"
#include "hardware.h"
#include "jobs/chores.h"
#include "jobs/dispatch.h"
#include "message.h"
#include "ni.h"
#include "paging/evict.h"
#include "paging/pager.h"
#include "process/control.h"
#include "process/schedule.h"
#include "space/frames.h"
#include "store/disk.h"

void registers_load(bool clean) __attribute__((noreturn));

uint32_t timeslice = 500000;

#define SLOT_NEVER      UINT64_MAX

/* The end of the current slot; SLOT_NEVER while only one process is left. */
static uint64_t slot_end;

static unsigned turn;           /* GID that has the slot; 0: none yet */
static unsigned passed;         /* while that process cannot run: the search
                                   for another starts after this GID */
static uint64_t slot_due;       /* when the slot is over; slot_end may be
                                   later */
static bool choose_anew = true;
static bool timer_is_alarm;     /* the cycle timer interrupts before slot_end,
                                   for a process's alarm (rights.h) */

static bool can_run(unsigned gid)
{
    return processes[gid] && process_can_run(processes[gid]);
}

unsigned schedule_alive(void)
{
    unsigned count = 0;

    for (unsigned gid = 1; gid <= JOBS_MAX; gid++) {
        count += processes[gid] && !process_has_ended(processes[gid]);
    }
    return count;
}

/* Returns the first process after this GID, in a ring, that can run; NULL if
 * none can. */
static struct process *next_after(unsigned gid)
{
    for (unsigned i = 0; i < JOBS_MAX; i++) {
        gid = gid < JOBS_MAX ? gid + 1 : 1;     /* % would be a division */
        if (can_run(gid)) {
            return processes[gid];
        }
    }
    return NULL;
}

/* ---- Slots -------------------------------------------------------------- */

static bool has_slots(unsigned gid)
{
    return processes[gid] && !processes[gid]->job_gone;
}

/*
 * Returns the GID that has the slot by the clock: in slot k the k-th job that
 * has not ended on all nodes. So all nodes find the same. 0: there is no job.
 */
static unsigned slot_owner(void)
{
    unsigned count = 0, k;

    for (unsigned gid = 1; gid <= JOBS_MAX; gid++) {
        count += has_slots(gid);
    }
    if (!count) {
        return 0;
    }
    k = now() / timeslice % count;
    for (unsigned gid = 1; gid <= JOBS_MAX; gid++) {
        if (has_slots(gid) && k-- == 0) {
            return gid;
        }
    }
    return 0;
}

/* Sets the end of the slot. A process that is alone has no end of its slot. */
static void slot_set_end(uint64_t end)
{
    slot_end = schedule_alive() > 1 ? end : SLOT_NEVER;
    write64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE, slot_end);
    write32(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL, 1);
}

/*
 * Begins the next slot: the clock's. But the kernel may have been busy for
 * longer than a slot. A process that can run and whose slot has passed in the
 * meantime gets a short slot first.
 */
static void slot_begin(void)
{
    unsigned owner = slot_owner(), gid = turn;

    do {
        gid = turn && owner ? gid % JOBS_MAX + 1 : owner;
    } while (gid != owner && !can_run(gid));
    turn = passed = gid;
    slot_set_end(gid == owner ? (now() / timeslice + 1) * timeslice
                              : now() + SLOT_LEAST);
    slot_due = slot_end;
}

/*
 * Extends the slot for the current process, which has just got the processor.
 * The process must make progress before the next switch, however late in the
 * slot it starts: a switch takes longer than the shortest slots. If the
 * process leaves the processor early, the slot is over as planned.
 */
static void slot_extend(void)
{
    uint64_t least = now() + SLOT_LEAST;

    if (slot_end < least) {
        slot_set_end(least);
    }
}

bool schedule_slot_is_over(void)
{
    return now() >= slot_end;
}

void schedule_slot_ended(void)
{
    slot_due = 0;
    choose_anew = true;
}

void schedule_yield(void)
{
    struct process *next = next_after(current->gid);

    if (turn == current->gid && next) {
        turn = next->gid;
    }
    passed = current->gid;
    choose_anew = true;
}

/*
 * Returns whether the process that has the slot can run, but another one runs.
 */
static bool turn_is_back(void)
{
    return current->gid != turn && can_run(turn);
}

static void choose(void)
{
    struct process *p;

    if (now() >= slot_due) {
        slot_begin();
    }
    p = can_run(turn) ? processes[turn] : next_after(passed);
    choose_anew = false;
    if (p) {
        process_switch(p);
    }
}

/* Handles all that can happen to a kernel that waits, once. */
static void poll(void)
{
    uint32_t asked = pending();

    if (asked & FUGU_PEND_SECOND) {
        message_serve();
    }
    if (disk_asks()) {
        chores_wait |= CHORE_SERVER;
    }
    if (asked & FUGU_PEND_MISMATCH) {
        delivery_take_head();
    }
    if (asked & FUGU_PEND_MESSAGE) {
        process_wake(current);
    }
}

/*
 * Switches to idle if the current process has ended, is suspended or waits for
 * a page. (A process that waits for a message keeps the NI.) Ends the
 * processes that are marked.
 */
static void leave_current(void)
{
    if (process_has_ended(current)) {
        process_reap();
        slot_set_end(slot_end); /* SLOT_NEVER, if one process is left */
        choose_anew = true;
    } else if (current->state == PROCESS_PAGING || current->suspended) {
        process_switch(idle);
    }
    process_reap();
}

/*
 * Does the work that must not happen in the middle of other work: ends
 * processes that are marked, does the chores, makes room for a message that
 * found no frame, and takes the network interface from a process that waits
 * for a page. Afterwards the current process has not ended.
 */
static void settle(void)
{
    pager_fault();
    do {
        leave_current();
        chores_do();
    } while (process_doomed);
    while (delivery_starved()) {
        evict_make_room(delivery_starved());
        delivery_take_head();
    }
    leave_current();            /* a chore may have suspended it */
}

/* Returns whether settle() has work, which is rare. */
static bool is_unsettled(void)
{
    return !process_can_run(current) || chores_wait || process_doomed ||
           delivery_starved();
}

/*
 * Waits while no process can run. A process that waits for a message stays
 * current and keeps the network interface, so that its message takes the fast
 * path. The cycle timer is off, so that the machine can tell when all nodes
 * wait for ever. Afterwards the clock gives the slots again.
 */
static void wait_for_process(void)
{
    write32(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL, 0);
    while (!next_after(0)) {
        poll();
        settle();
        if (!next_after(0) && !ni_pending() && !chores_wait &&
            !frame_clean_one()) {
            wait_for_interrupt();
        }
    }
    if (process_can_run(current) && now() < slot_due) {
        write32(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL, 1);
    } else {
        turn = 0;
        schedule_slot_ended();
    }
}

/* Resumes the current process in user mode. */
static void go(void) __attribute__((noreturn));
static void go(void)
{
    bool switched = process_switched();

    if (switched) {
        slot_extend();
    }
    if (soft) {
        soft_settle(rights_timer(slot_end));
    } else if (current->rights || timer_is_alarm) {
        uint64_t end = rights_timer(slot_end);

        write64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE, end);
        timer_is_alarm = end != slot_end;
    }
    registers_load(switched);
}

void schedule_resume(void)
{
    for (;;) {
        if (is_unsettled()) {
            settle();
        }
        if (choose_anew || !process_can_run(current) || turn_is_back()) {
            if (!next_after(0)) {
                wait_for_process();
            }
            choose();
        }
        if (process_can_run(current)) {
            fault_settle();
            rights_settle();
            delivery_settle();
        }
        if (process_can_run(current) && !choose_anew && !chores_wait &&
            !delivery_starved()) {
            go();
        }
    }
}
