/*
 * Who runs, and what the node does when nobody can.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "delivery.h"
#include "chores.h"
#include "disk.h"
#include "evict.h"
#include "frames.h"
#include "hardware.h"
#include "message.h"
#include "pager.h"
#include "print.h"
#include "schedule.h"
#include "soft.h"

void registers_load(bool clean) __attribute__((noreturn));

struct process *idle;
uint32_t timeslice = 500000;
uint64_t slot_end;

static uint32_t turn;           /* GID whose slot it is; 0 before the first */
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

/* The GID whose slot it is now: the k-th of those that live, in slot k. */
static unsigned slot_owner(void)
{
    unsigned count = schedule_alive(), k;

    if (!count) {
        return 0;
    }
    k = now() / timeslice % count;
    for (unsigned gid = 1; gid <= JOBS_MAX; gid++) {
        if (processes[gid] && !process_has_ended(processes[gid]) &&
            k-- == 0) {
            return gid;
        }
    }
    return 0;
}

/* Slots are for those who share the node. */
static void set_timer(void)
{
    slot_end = schedule_alive() > 1 ? (now() / timeslice + 1) * timeslice
                                    : SLOT_NEVER;
    write64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE, slot_end);
    write32(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL, 1);
}

void schedule_slot_ended(void)
{
    turn = 0;
    choose_anew = true;
}

void schedule_yield(void)
{
    turn = current->gid;
    choose_anew = true;
}

static void choose(void)
{
    struct process *p;

    if (!turn) {
        turn = slot_owner();
        set_timer();
        p = turn && can_run(turn) ? processes[turn] : next_behind(turn);
    } else {
        p = next_behind(turn);
    }
    choose_anew = false;
    if (p) {
        process_switch(p);
    }
}

/* One look at everything that can happen to a kernel that waits. */
static void poll(void)
{
    uint32_t pending = soft_pending(read32(NI_K(PENDING)));

    if (read32(FUGU_TIMER_BASE + FUGU_TIMER_STATUS)) {
        schedule_slot_ended();
        set_timer();
    }
    if (pending & FUGU_PEND_SECOND) {
        message_serve();
    }
    if (disk_asks()) {
        chores_wait = true;
    }
    if (pending & FUGU_PEND_MISMATCH) {
        delivery_take_head();
    }
    if (pending & FUGU_PEND_MESSAGE) {
        process_wake(current);
    }
}

static void leave_current(void)
{
    if (process_has_ended(current)) {
        schedule_slot_ended();
    } else if (current->state == PROCESS_PAGING || current->suspended) {
        process_switch(idle);
    }
    process_reap();
}

/*
 * What has been left undone, because nothing else could be under way: processes
 * end, room is made for a message, and a process that waits for other than a
 * message leaves the network interface. Afterwards the current process has not
 * ended.
 */
static void settle(void)
{
    pager_fault();
    do {
        leave_current();
        chores_do();
    } while (process_reap_waits());
    while (delivery_starved()) {
        evict_make_room(delivery_starved());
        delivery_take_head();
    }
    leave_current();            /* chores may suspend it */
}

/*
 * Nobody can run. A process that waits for a message stays as it is, current
 * and with the network its own, so that the message takes the fast path.
 */
static void wait_until_somebody_can(void)
{
    while (!next_behind(0)) {
        poll();
        settle();
        if (!next_behind(0) && !read32(NI_K(PENDING)) && !chores_wait &&
            !frame_clean_one()) {
            wait_for_interrupt();
        }
    }
    if (!process_can_run(current)) {
        schedule_slot_ended();
    }
}

void schedule_resume(void)
{
    for (;;) {
        settle();
        if (choose_anew || !process_can_run(current)) {
            wait_until_somebody_can();
            choose();
        }
        if (process_can_run(current)) {
            delivery_settle();
        }
        if (process_can_run(current) && !choose_anew && !chores_wait &&
            !delivery_starved()) {
            if (soft) {
                soft_settle();
            }
            current->fresh = 0;
            registers_load(process_switched());
        }
    }
}

void schedule_advise_gang(unsigned gid)
{
    processes[gid]->info->gang = 1;
}
