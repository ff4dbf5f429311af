/*
 * The scheduler's choice: which process runs, and what the node does when none can.
 *
 * timeslot.c says whose slot it is, and sched_server.c how long the scheduler's server
 * may run. Each entry into the kernel that C code handles ends in schedule_resume().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "delivery/control.h"
#include "delivery/delivery.h"
#include "delivery/fault.h"
#include "delivery/rights.h"
#include "delivery/soft.h"
#include "machine/chores.h"
#include "machine/debts.h"
#include "machine/disk.h"
#include "machine/hardware.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "machine/nipt.h"
#include "machine/pending.h"
#include "memory/frames.h"
#include "policy/dispatch.h"
#include "policy/sched_server.h"
#include "policy/schedule.h"
#include "policy/settle.h"
#include "policy/timeslot.h"
#include "services/shrimp/waits.h"
#include "services/mm/message_slots.h"

void registers_load(bool extended) __attribute__((noreturn));

static uint64_t timer_end;      /* when the cycle timer interrupts. May be later
                                   than the slot's end (slot_extend()) */
static bool timer_is_alarm;     /* the cycle timer interrupts before timer_end,
                                   for a process's alarm (rights.h) */

/* ---- The cycle timer, and when the next decision is due ----------------- */

static void timer_write(uint64_t end)
{
    write64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE, end);
    write32(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL, 1);
}

/*
 * Sets the end of the current process's time. With soft atomicity, COMPARE may
 * be the end of a section's time, so only soft_settle() writes it (soft.c).
 */
static void timer_set(uint64_t end)
{
    timer_end = end;
    if (!soft) {
        timer_write(end);
    }
}

/*
 * Returns when the scheduler has to decide again, if p runs from the time t
 * on: at the end of its time, when the server's time comes, or a chore's. Slots
 * pass while the server has its time. After that it runs only because no job
 * can, and a job that awaits its slot comes first.
 */
static uint64_t decision_after(const struct process *p, uint64_t t)
{
    uint64_t end;

    if (p->gid != GID_SERVER) {
        end = earlier(earlier(timeslot.end, sched_server_deadline),
                      timeslot_can_run(GID_SERVER) ? sched_server.window_end
                                                   : GLAZE_NEVER);
        if (p->gid == timeslot.guest) {
            end = earlier(end, t + timeslot_guest_time());
        }
    } else if (sched_server_may_run()) {
        end = sched_server_end(t);
    } else {
        end = timeslot_is_awaited() ? timeslot.end : GLAZE_NEVER;
    }
    return earlier(end, chores_at);
}

/* Notes the chores whose time has come at the time t. */
static void chores_note(uint64_t t)
{
    if (t >= chores_at) {
        chores_at = GLAZE_NEVER;
        chores_wait |= chores_then;
        chores_then = 0;
    }
}

/* ---- The choice --------------------------------------------------------- */

bool schedule_slot_is_over(void)
{
    return now() >= timer_end;
}

void schedule_slot_ended(void)
{
    timeslot_choose_anew = true;
}

void schedule_yield(void)
{
    struct process *next = timeslot_next_after(current->gid);

    if (current->gid == GID_SERVER) {
        sched_server_yield();
    } else {
        if (timeslot.gid == current->gid && next) {
            timeslot.gid = next->gid;
            debts_turn_is(next->gid);
        }
        timeslot.passed = current->gid;
        timeslot_guest_leaves(current->gid);
    }
    timeslot_choose_anew = true;
}

/*
 * The current process has got the processor, or a slot has begun in which it goes
 * on, or chores have got a time. The server's time begins, without the time that
 * this has taken.
 *
 * Extends the slot for the current process. The process must make progress
 * before the next switch, the next slot and the next chores, however late in the
 * slot it starts: a switch takes longer than the shortest slots, and chores may
 * come back faster than they are done. If the process leaves the processor early,
 * the slot is over as planned.
 */
static void slot_extend(void)
{
    uint64_t t = now(), least = t + GLAZE_SLOT_LEAST;

    timeslot_runs(t);
    if (current->gid == GID_SERVER) {
        sched_server.since = t;
        timer_set(decision_after(current, t));
    }
    if (timer_end < least) {
        timer_set(least);
    }
}

/*
 * Chores may have got a time: the timer must not come later. A process that waits for
 * them again and again goes on no longer than its slot. But a slot in which no process
 * has gone on is not over: while chores are put off, the scheduler would pass over one
 * short slot after the other in one entry into the kernel.
 */
static void await_chores(void)
{
    if (chores_at == GLAZE_NEVER) {
        return;
    }
    if (timer_end > chores_at) {
        timer_set(chores_at);
    }
    timeslot_choose_anew |= !timeslot.is_new && now() >= timeslot.end;
}

/*
 * Returns whether another process than the current one should run: the server,
 * or the process that has the slot.
 */
static bool turn_is_back(void)
{
    if (current->gid == GID_SERVER) {
        return !sched_server_may_run();
    }
    return sched_server_may_run() ||
           (current->gid != timeslot.gid && timeslot_can_run(timeslot.gid) &&
            (current->gid != timeslot.guest));
}

/* Returns whether the slot is over, or the clock gives the slots again. */
static inline bool slot_is_over(uint64_t t)
{
    return t >= timeslot.end || timeslot.idled;
}

/* Ends the slot, which is over at the time t. */
static void end_slot(uint64_t t)
{
    timeslot_ran(t);
    if (t >= timeslot.end) {
        process_spare_no_more(current);
    }
    if (timeslot.end && process_can_run(current)) {     /* it may go on */
        delivery_free_network(GLAZE_IN_QUANTUM);
    }
    timeslot_over(t);
}

/* Switches to the process that should run, if one can. */
static void choose(void)
{
    uint64_t t = now();
    struct process *p;

    sched_server_charge(t);
    sched_server_wake();
    if (slot_is_over(t) && timeslot_ends(t)) {
        end_slot(t);
    } else {
        timeslot_ran(t);
    }
    p = timeslot_next();
    if (sched_server_may_run() || (!p && timeslot_can_run(GID_SERVER))) {
        p = processes[GID_SERVER];
    } else {
        timeslot.last = p;
    }
    timeslot_choose_anew = !p;
    if (p) {
        timer_set(timeslot.late ? t : decision_after(p, t));
        if (p != current) {
            timeslot.began = 0;
            debts_paging_goes_on();
        }
        process_switch(p);
        timeslot_starts(p, t);
    }
}

/* ---- A node on which no process can run --------------------------------- */

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
    if (asked & FUGU_PEND_MISMATCH && !chores_owed) {
        settle_take_head();
    }
    if (asked & FUGU_PEND_MESSAGE) {
        process_wake(current);
    }
    if (asked & NIPT_PENDING) {
        waits_interrupt();
    }
    if (asked & FUGU_PEND_FAULT) {
        message_slots_interrupt();
    }
}

/*
 * Takes the network interface from a process that does not wait for a message:
 * one whose slot is over, or the server. In the server's case, gives it to the
 * job that ran before, so that the job's next message takes the fast path.
 */
static void leave_network(void)
{
    struct process *last = timeslot.last;
    bool last_waits = last && last->state == PROCESS_WAITING && !last->suspended;

    if (process_can_run(current)) {
        process_switch(idle);
    } else if (current->gid == GID_SERVER && last_waits) {
        process_switch(last);
    }
}

/*
 * Sets the timer of a node that idles. It is off unless a process, the server or
 * a chore awaits a time, so that the machine can tell when all nodes wait for ever.
 */
static void timer_set_idle(void)
{
    uint64_t end = earlier(earlier(sched_server_deadline, chores_at),
                           timeslot_is_awaited() ? timeslot.end : GLAZE_NEVER);

    if (end != GLAZE_NEVER) {
        timer_end = end;
        timer_write(end);
    } else {
        write32(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL, 0);
    }
}

static bool nothing_can_run(void)
{
    return !timeslot_next() && !timeslot_can_run(GID_SERVER);
}

/* Returns whether something can run now. Begins the slot that is awaited. */
static bool something_came(void)
{
    uint64_t t = now();

    sched_server_wake();
    chores_note(t);
    if (t >= timeslot.end && timeslot_is_awaited()) {
        timeslot_begin(t);
    }
    return !nothing_can_run();
}

/*
 * Waits while no process can run. A process that waits for a message stays
 * current and keeps the network interface, so that its message takes the fast
 * path. Afterwards choose() sets the timer, and the clock gives the slots again unless
 * that process goes on in its slot.
 */
static void wait_for_process(void)
{
    bool came;

    debts_leave_kernel();
    sched_server_charge(now());
    timeslot_ran(now());
    timeslot_idles(true);
    leave_network();
    debts_paging_goes_on();
    came = something_came();
    while (!came) {
        kernel_since = now();
        poll();
        settle_chores_first = chores_begin();
        settle_work();
        came = something_came();
        if (!came && !ni_pending() && !chores_wait && !process_free_part(true) &&
            !frame_clean_one()) {
            timer_set_idle();
            do {            /* pieces of pages change nothing for the scheduler */
                wait_for_interrupt();
            } while (message_serve_quick() && !pending_interrupt());
            kernel_since = now();
        }
    }
    timeslot_idles(false);
    sched_server.since = now();
    if (!process_can_run(current) || now() >= timeslot.end) {
        timeslot.idled = timeslot_choose_anew = true;
    }
}

/* ---- The way back to the process ---------------------------------------- */

/*
 * Masks the message that waits for a frame: with hard atomicity, PIL is 0 otherwise.
 */
static void set_level(void)
{
    struct registers *r = &current->registers;

    if (!soft && (delivery_starved() || r->psr & PSR_PIL)) {
        r->psr &= ~PSR_PIL;
        r->psr |= delivery_starved() ? PSR_PIL_STARVED : 0;
    }
}

/* Resumes the current process in user mode. */
static void go(void) __attribute__((noreturn));
static void go(void)
{
    bool extend = process_switched() || timeslot.is_new || chores_set;

    if (extend) {
        timeslot.is_new = chores_set = false;
        slot_extend();
    }
    set_level();
    if (soft) {
        soft_settle(rights_timer(timer_end));
    } else if (current->rights || timer_is_alarm) {
        uint64_t end = rights_timer(timer_end);

        write64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE, end);
        timer_is_alarm = end != timer_end;
    }
    debts_leave_kernel();
    registers_load(extend);
}

/*
 * The kernel notes chores whose time has come once each time that it is entered
 * and a decision is due. The cycle timer alone would not do: while processes
 * leave the processor early, slot_extend() delays the timer each time. In the
 * loop, chores that come back faster than they are done would keep all users
 * from running.
 */
void schedule_resume(void)
{
    if (timeslot_choose_anew || !process_can_run(current)) {
        uint64_t t = now();

        chores_note(t);
        if (timeslot.late && slot_is_over(t)) {
            end_slot(t);
        }
    }
    settle_chores_first = chores_begin();
    for (;;) {
        if (settle_is_due()) {
            settle_work();
            await_chores();
        }
        if (timeslot_choose_anew || !process_can_run(current) || turn_is_back()) {
            if (nothing_can_run()) {
                wait_for_process();
            }
            choose();
        }
        if (process_can_run(current)) {
            fault_settle();
            rights_settle();
            delivery_settle();
        }
        if (process_can_run(current) && !timeslot_choose_anew && !chores_wait &&
            !delivery_stops(current)) {
            go();
        }
    }
}
