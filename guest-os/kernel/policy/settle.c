/*
 * Work that must not happen in the middle of other work: ends of processes, chores,
 * pages, and the message that waits for a frame.
 *
 * The scheduler (schedule.c) calls settle_work() before it resumes a process, if there
 * is such work, and each time round while no process can run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "delivery/control.h"
#include "delivery/delivery.h"
#include "machine/chores.h"
#include "machine/debts.h"
#include "machine/hardware.h"
#include "machine/ni.h"
#include "machine/pending.h"
#include "buffer/server.h"
#include "policy/dispatch.h"
#include "policy/job.h"
#include "policy/pager.h"
#include "policy/sched_server.h"
#include "policy/settle.h"
#include "policy/timeslot.h"
#include "policy/turns.h"

bool settle_chores_first;

__attribute__((cold)) void settle_take_head(void)
{
    bool waited = delivery_starved();

    if (delivery_can_take()) {
        delivery_take_head();
        if (waited) {
            pager_message_came();
        }
    }
}

/*
 * Switches to idle if the current process has ended, is suspended, waits for a page,
 * or has to wait until its message has a frame. (A process that waits for a message
 * keeps the NI.) Ends the processes that are marked.
 */
static void leave_current(void)
{
    if (process_has_ended(current)) {
        process_reap();
        timeslot_choose_anew = true;
    } else if (current->state == PROCESS_PAGING || current->suspended ||
               delivery_stops(current)) {
        process_switch(idle);
    }
    process_reap();
}

/* Cycles between two looks at the disk while PIL masks it. */
#define DISK_LOOK       4000

/* The most cycles of a page that is filled, and of a message that waited for a frame:
 * the frame has to be cleared, or a command of MBCF moves a page. */
#define FILL_MOST       11000
#define INSERT_MOST     9000
#define COMMAND_MOST    14000

static bool head_first;         /* that message comes before other work */
static unsigned head_put_off;   /* how often it has had no time, in turn */

/*
 * Moves the message that waits for a frame, if that is there. Chores that are owed and
 * this message take turns: it waits for them once, and then is first.
 */
static __attribute__((cold, noinline)) void take_starved(void)
{
    head_first = delivery_can_take() &&
                 ((chores_owed && !head_first) ||
                  !kernel_begins(kernel_has_time(now(), ni_head_of_kernel()
                                                       ? COMMAND_MOST : INSERT_MOST),
                                 &head_put_off));
    if (head_first) {
        chores_later(CHORE_PAGER, now());       /* in another entry */
        return;
    }
    settle_take_head();
    if (delivery_starved() && server_awaits_disk()) {
        chores_later(CHORE_SERVER, now() + DISK_LOOK);
    }
}

/* Cycles for a new table of slots when jobs have begun or ended. */
#define TABLE_MOST      8000

static bool table_first;        /* the last entry has had no time for that table */

/*
 * Makes a new table of slots. If this entry has no time for it, the slots of the old
 * table go on, and the next entry makes the new one before it does chores: so these
 * need not leave time for it.
 */
static __attribute__((cold, noinline)) void make_table(void)
{
    static unsigned put_off;

    table_first = !kernel_begins(kernel_has_time(now(), TABLE_MOST), &put_off);
    if (table_first) {
        chores_later(CHORE_JOBS, now());
        return;
    }
    processes_changed = false;
    turns_jobs_changed();
    timeslot_anew();
}

void settle_work(void)
{
    if (head_first && delivery_starved()) {
        take_starved();
    } else if (head_first) {    /* it has been taken */
        head_first = false;
        head_put_off = 0;
    }
    if (current->state == PROCESS_PAGING) {
        pager_fault(!settle_chores_first && kernel_has_time(now(), FILL_MOST));
    }
    settle_chores_first = false;
    if (table_first) {
        make_table();
    }
    do {
        leave_current();
        if (chores_wait) {
            chores_do();
        }
    } while (process_doomed);
    if (delivery_starved()) {
        take_starved();
    }
    leave_current();            /* a chore may have suspended it */
    if (debts_expired) {
        debts_expired = false;
        timeslot_forget_debts();
    }
    if (processes_changed) {
        make_table();
    }
    sched_server_wake();
}
