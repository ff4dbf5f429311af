/*
 * Who runs, and what the node does when nobody can.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "chores.h"
#include "control.h"
#include "delivery.h"
#include "disk.h"
#include "dispatch.h"
#include "evict.h"
#include "fault.h"
#include "frames.h"
#include "hardware.h"
#include "message.h"
#include "ni.h"
#include "pager.h"
#include "pending.h"
#include "schedule.h"
#include "soft.h"

void registers_load(bool clean) __attribute__((noreturn));

uint32_t timeslice = 500000;

#define SLOT_NEVER      UINT64_MAX

/* The end of the current slot; SLOT_NEVER while a process is alone. */
static uint64_t slot_end;

static unsigned turn;           /* GID whose slot it is; 0: of none yet */
static unsigned passed;         /* GID behind which the next is looked for
                                   while the slot's own cannot run */
static uint64_t slot_due;       /* when the slot is over; slot_end may be later */
static bool choose_anew = true;

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

/* The next process behind a GID that can run; 0 if there is none. */
static struct process *next_behind(unsigned gid)
{
    for (unsigned i = 1; i <= JOBS_MAX; i++) {
        unsigned g = (gid + i - 1) % JOBS_MAX + 1;

        if (can_run(g)) {
            return processes[g];
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
 * The GID whose slot the clock says it is: in slot k the k-th job that has
 * not ended everywhere, so that all nodes say the same. 0: there is no job.
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

/* The slot ends then; slots are for those who share the node. */
static void slot_set_end(uint64_t end)
{
    slot_end = schedule_alive() > 1 ? end : SLOT_NEVER;
    write64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE, slot_end);
    write32(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL, 1);
}

/*
 * Begins a slot. A process that can run and whose slot has passed meanwhile,
 * because the kernel was busy for longer than a slot, has a short one now;
 * else the slot is the clock's.
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
 * The current process has just got the processor: however late in the slot,
 * it is to get somewhere before the next switch, which takes longer than the
 * shortest slots. The slot is over all the same when it leaves.
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
    struct process *next = next_behind(current->gid);

    if (turn == current->gid && next) {
        turn = next->gid;
    }
    passed = current->gid;
    choose_anew = true;
}

/* The process whose slot it is waits no longer, while another one runs. */
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
    p = can_run(turn) ? processes[turn] : next_behind(passed);
    choose_anew = false;
    if (p) {
        process_switch(p);
    }
}

/* One look at everything that can happen to a kernel that waits. */
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
 * A current process that has ended, or waits for other than a message, leaves
 * the NI.
 */
static void leave_current(void)
{
    if (process_has_ended(current)) {
        process_reap();
        slot_set_end(slot_end); /* never, if one is left */
        choose_anew = true;
    } else if (current->state == PROCESS_PAGING || current->suspended) {
        process_switch(idle);
    }
    process_reap();
}

/*
 * What has been left undone, because nothing else could be under way:
 * processes end, room is made for a message, and a process that waits for
 * other than a message leaves the network interface. Afterwards the current
 * process has not ended.
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
    leave_current();            /* chores may suspend it */
}

/* Whether settle() would find anything, which it seldom does. */
static bool is_unsettled(void)
{
    return !process_can_run(current) || chores_wait || process_doomed ||
           delivery_starved();
}

/*
 * Nobody can run. A process that waits for a message stays as it is, current
 * and with the network its own, so that the message takes the fast path. No
 * slot ends in the meantime, so that a machine on which all wait for ever is
 * found out; afterwards they are the clock's again.
 */
static void wait_until_somebody_can(void)
{
    write32(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL, 0);
    while (!next_behind(0)) {
        poll();
        settle();
        if (!next_behind(0) && !ni_pending() && !chores_wait &&
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

/* The current process goes on. */
static void go(void) __attribute__((noreturn));
static void go(void)
{
    bool switched = process_switched();

    if (switched) {
        slot_extend();
    }
    if (soft) {
        soft_settle(slot_end);
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
            if (!next_behind(0)) {
                wait_until_somebody_can();
            }
            choose();
        }
        if (process_can_run(current)) {
            fault_settle();
            delivery_settle();
        }
        if (process_can_run(current) && !choose_anew && !chores_wait &&
            !delivery_starved()) {
            go();
        }
    }
}
