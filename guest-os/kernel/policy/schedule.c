/*
 * Which process runs, and what the node does when none can.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "delivery/delivery.h"
#include "delivery/fault.h"
#include "machine/pending.h"
#include "delivery/rights.h"
#include "delivery/soft.h"
#include "machine/hardware.h"
#include "machine/chores.h"
#include "policy/dispatch.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "policy/evict.h"
#include "policy/pager.h"
#include "delivery/control.h"
#include "machine/debts.h"
#include "policy/schedule.h"
#include "policy/turns.h"
#include "services/mbcf/load.h"
#include "memory/frames.h"
#include "machine/disk.h"
#include "buffer/server.h"

void registers_load(bool extended) __attribute__((noreturn));

/* The end of the current slot; GLAZE_NEVER while only one job is left. */
static uint64_t slot_end;
static uint64_t timer_end;      /* when the cycle timer interrupts. May be later
                                   than slot_end (slot_extend()) */

static unsigned turn;           /* GID that has the slot; GID_NONE: no job */
static unsigned passed;         /* while that process cannot run: the search
                                   for another starts after this GID */
static struct process *last;    /* the job's process that ran last */
static bool idled;              /* the node had nothing to run */
static bool choose_anew = true;
static bool chores_first;       /* before a page is filled */
static bool timer_is_alarm;     /* the cycle timer interrupts before timer_end,
                                   for a process's alarm (rights.h) */

/* ---- Jobs --------------------------------------------------------------- */

static bool can_run(unsigned gid)
{
    return processes[gid] && process_can_run(processes[gid]) &&
           !delivery_stops(processes[gid]);
}

/*
 * Returns whether a process may run outside of its slots. A process that is
 * alone has no slots.
 */
static bool runs_anywhere(unsigned gid)
{
    return can_run(gid) && (!processes[gid]->gang || processes_alive < 2);
}

/* Returns the first process after this GID, in a ring, that can run outside of
 * its slots; NULL if none can. */
static struct process *next_after(unsigned gid)
{
    for (unsigned i = 0; i < processes_last; i++) {
        gid = gid < processes_last ? gid + 1 : 1;
        if (runs_anywhere(gid)) {
            return processes[gid];
        }
    }
    return NULL;
}

/* Returns the job's process that should run now; NULL if none can. */
static struct process *next_job(void)
{
    return can_run(turn) ? processes[turn] : next_after(passed);
}

/* Returns whether a process can run that has to wait for its slot. */
static bool a_slot_is_awaited(void)
{
    for (unsigned gid = 1; turns_have_gang && gid <= processes_last; gid++) {
        if (can_run(gid) && !runs_anywhere(gid)) {
            return true;
        }
    }
    return false;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- Slots -------------------------------------------------------------- */

/*
 * Cycles by which the slots of this node are behind the table, because slots
 * have become longer (debts.h). Slots of the processes in debt make up for it.
 */
static uint64_t lag;
static uint64_t kept;           /* cycles by which a slot has to become longer,
                                   too few so far. lag + kept: all debts */
static bool slot_is_new;        /* no process has gone on since it began, or
                                   since it has become longer */
static uint64_t reached;        /* time of the table at which a slot last began */
static uint64_t extension;      /* what the current slot can still become longer */

/*
 * When the process that has the slot got the processor, or went on in it; 0 while it
 * waits for that. And what packets had taken by then.
 */
static uint64_t began;
static uint32_t taken_before;
static uint64_t others;         /* of that, and for insertions: what other jobs owe */

/* Cycles by which a slot goes on. They include the kernel's way back to the process. */
#define GO_ON           10000

/* About as many cycles as pass from the end of a slot to slot_was_taken(). */
#define WAY_OF_TIMER    1500

/*
 * A slot does not go on if other jobs owe more than this part of what packets have
 * taken: these will pay, or be suspended. `others` has a smaller part of a packet's
 * ways into the kernel and back than load_taken has.
 */
#define OTHERS_PART     8

/* A slot becomes longer by this many times its length at most. */
#define EXTENSION_MOST  2
#define EXTENSION_LEAST 5000    /* cycles */

/*
 * Returns how many cycles of a slot its process may pay with. A job that runs keeps
 * half of each slot: it may ask as much of this node, from others, as its slots can
 * pay, and would get nowhere here while it goes on asking there. What is left to pay
 * adds up until the job is suspended (debts.c). Then it asks nothing, and pays with
 * whole slots.
 */
static uint64_t payable(const struct process *p, uint64_t left)
{
    return p->suspended || process_has_ended(p) ? left : left / 2;
}

/* Begins the slot for the time t. */
static void slot_begin(uint64_t t)
{
    struct turn next;
    struct process *p;
    uint64_t left, paid;

    lag = earlier(lag, t - reached);    /* the table's time never goes back */
    if (!lag && !kept) {
        debts_forget(true);
    }
    do {
        reached = t - lag;
        next = turns_begin(reached, idled);
        idled = false;
        left = next.end - reached;
        p = processes[next.gid];
        paid = lag && p ? debts_pay(p, earlier(lag, payable(p, left))) : 0;
        lag -= paid;
    } while (paid && paid == left);
    turn = debts_turn = next.gid;
    passed = turn != GID_NONE || !last ? turn : last->gid;
    slot_end = processes_alive > 1 ? next.end + lag : GLAZE_NEVER;
    extension = EXTENSION_MOST * left;
    slot_is_new = true;
    began = 0;
    debts_paging_goes_on();
}

/*
 * Takes account of what insertions of other processes' messages have taken of the
 * slot so far. Returns how many cycles the slot has to become longer; 0: the
 * process that has the slot has not run until now.
 *
 * Less than EXTENSION_LEAST is kept for a later slot: the kernel takes some 2,000
 * cycles each time that a slot becomes longer.
 *
 * Inline, since schedule_anew() is cold: a copy beside its code would have cache lines
 * that the end of each slot needs for other code.
 */
static inline __attribute__((always_inline)) uint64_t slot_taken(void)
{
    bool runs = can_run(turn) && !idled && slot_end &&
                (current->gid == turn || current->gid == GID_SERVER);
    uint64_t noted = debts_note(runs ? extension : 0);
    uint64_t taken = kept + noted;

    others += noted;
    if (taken < EXTENSION_LEAST) {
        kept = taken;
        return 0;
    }
    kept = 0;
    extension -= earlier(extension, taken);
    lag += taken;
    return taken;
}

/*
 * The slot is over at the time t. Returns whether its process goes on because packets
 * have taken all of its time but for the shortest slot, and those of its own job
 * nearly all of that. What they make a job repeat could otherwise take each slot of
 * the job's own process. The process owes the time, so it goes on only until it owes
 * too much: the others then get as much as it has had. Packets leave it some, since
 * requesters have to wait (load.h). For what other jobs' packets take,
 * slot_is_longer() has made up before.
 */
static __attribute__((cold, noinline)) bool slot_was_taken(uint64_t t)
{
    uint32_t taken = load_taken - taken_before;

    if (!began || !slot_end || !taken || current->gid != turn ||
        !process_can_run(current) ||
        taken < OTHERS_PART * others ||
        t >= began + taken + WAY_OF_TIMER + GLAZE_SLOT_LEAST ||
        !debts_owe(current, GO_ON)) {
        return false;
    }
    lag += GO_ON;
    slot_end = t + GO_ON;
    slot_is_new = true;
    began = 0;
    return true;
}

/* The slot is over at the time t. Returns whether the current process goes on. */
static bool slot_is_longer(uint64_t t)
{
    uint64_t taken = slot_taken();

    if (!taken) {
        return false;
    }
    slot_end += taken;
    slot_is_new = true;
    return t < slot_end;
}

/* ---- The scheduler's server --------------------------------------------- */

/*
 * The server runs as soon as it can, but for no more than SERVER_MOST cycles in
 * each SERVER_WINDOW cycles while jobs can run. So a server that never waits
 * costs a tenth of the processor.
 */
#define SERVER_WINDOW   500000
#define SERVER_MOST     50000

static uint64_t window_end;     /* of the current window */
static uint64_t server_since;   /* when the server got the processor */
static uint32_t server_used;    /* cycles that it has had in the window. Those
                                   above SERVER_MOST, while no job could run,
                                   count in the next window */
static uint64_t deadline = GLAZE_NEVER;

void schedule_set_deadline(uint64_t t)
{
    deadline = t;
}

/*
 * Charges the server for the time up to t. Begins the next window, but not
 * before a job has run, however long the kernel takes.
 */
static void server_charge(uint64_t t)
{
    if (current->gid == GID_SERVER && process_can_run(current)) {
        uint64_t used = server_used + (t - server_since);

        server_used = used < 2 * SERVER_MOST ? used : 2 * SERVER_MOST;
    }
    server_since = t;
    if (t >= window_end && current->gid != GID_SERVER) {
        window_end = t + SERVER_WINDOW;
        server_used = server_used > SERVER_MOST ? server_used - SERVER_MOST : 0;
    }
}

static bool server_may_run(void)
{
    return can_run(GID_SERVER) && server_used < SERVER_MOST;
}

/* Wakes the server if its time has come, or for an event. */
static void server_wake(void)
{
    bool due = deadline != GLAZE_NEVER && now() >= deadline;

    if (due || process_noted) {
        deadline = due ? GLAZE_NEVER : deadline;
        process_noted = false;
        if (process_server()) {
            process_wake(processes[GID_SERVER]);
        }
    }
}

/* ---- The choice --------------------------------------------------------- */

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
        end = earlier(earlier(slot_end, deadline),
                      can_run(GID_SERVER) ? window_end : GLAZE_NEVER);
    } else if (server_may_run()) {
        end = t + SERVER_MOST - server_used;
    } else {
        end = a_slot_is_awaited() ? slot_end : GLAZE_NEVER;
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

bool schedule_slot_is_over(void)
{
    return now() >= timer_end;
}

/* Forgets debts: those of processes that have ended, or all debts to a process that is
 * alone. No slot could pay them. */
static __attribute__((cold)) void forget_debts(void)
{
    uint64_t debts = debts_forget(processes_alive < 2);
    uint64_t less = earlier(lag, debts);

    lag -= less;
    kept -= earlier(kept, debts - less);
}

__attribute__((cold)) void schedule_anew(void)
{
    slot_taken();
    forget_debts();
    slot_end = 0;
    choose_anew = true;
}

void schedule_slot_ended(void)
{
    choose_anew = true;
}

void schedule_yield(void)
{
    struct process *next = next_after(current->gid);

    if (current->gid == GID_SERVER) {
        server_used = SERVER_MOST;
    } else {
        if (turn == current->gid && next) {
            turn = debts_turn = next->gid;
        }
        passed = current->gid;
    }
    choose_anew = true;
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

    if (!began) {
        began = t;
        taken_before = load_taken;
        others = 0;
    }
    if (current->gid == GID_SERVER) {
        server_since = t;
        timer_set(decision_after(current, t));
    }
    if (timer_end < least) {
        timer_set(least);
    }
}

/*
 * Returns whether another process than the current one should run: the server,
 * or the process that has the slot.
 */
static bool turn_is_back(void)
{
    if (current->gid == GID_SERVER) {
        return !server_may_run();
    }
    return server_may_run() || (current->gid != turn && can_run(turn));
}

/* Switches to the process that should run, if one can. */
static void choose(void)
{
    uint64_t t = now();
    struct process *p;

    server_charge(t);
    server_wake();
    if (t >= slot_end) {
        process_spare_no_more(current);
    }
    if (t >= slot_end || idled) {
        if (slot_end && process_can_run(current)) {     /* it may go on */
            delivery_free_network(GLAZE_IN_QUANTUM);
        }
        if (!slot_is_longer(t) && !slot_was_taken(t)) {
            slot_begin(t);
        }
    }
    p = next_job();
    if (server_may_run() || (!p && can_run(GID_SERVER))) {
        p = processes[GID_SERVER];
    } else {
        last = p;
    }
    choose_anew = !p;
    if (p) {
        timer_set(decision_after(p, t));
        if (p != current) {
            began = 0;
            debts_paging_goes_on();
        }
        process_switch(p);
    }
}

/* Moves the head message, unless that waits for a frame and none is free. */
static __attribute__((cold)) void take_head(void)
{
    bool waited = delivery_starved();

    if (delivery_can_take()) {
        delivery_take_head();
        if (waited) {
            pager_message_came();
        }
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
    if (asked & FUGU_PEND_MISMATCH && !chores_owed) {
        take_head();
    }
    if (asked & FUGU_PEND_MESSAGE) {
        process_wake(current);
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
        choose_anew = true;
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
    take_head();
    if (delivery_starved() && server_awaits_disk()) {
        chores_later(CHORE_SERVER, now() + DISK_LOOK);
    }
}

/*
 * Does the work that must not happen in the middle of other work: ends
 * processes that are marked, does the chores, moves a message that has waited
 * for a frame, and takes the network interface from a process that waits for a
 * page. Afterwards the current process has not ended.
 */
static void settle(void)
{
    if (head_first && delivery_starved()) {
        take_starved();
    } else if (head_first) {    /* it has been taken */
        head_first = false;
        head_put_off = 0;
    }
    if (current->state == PROCESS_PAGING) {
        pager_fault(!chores_first && kernel_has_time(now(), FILL_MOST));
    }
    chores_first = false;
    do {
        leave_current();
        if (chores_wait) {
            chores_do();
        }
    } while (process_doomed);
    if (delivery_starved()) {
        take_starved();
    }
    choose_anew |= chores_at != GLAZE_NEVER;    /* the timer may be too late */
    leave_current();            /* a chore may have suspended it */
    if (debts_expired) {
        debts_expired = false;
        forget_debts();
    }
    if (processes_changed) {
        processes_changed = false;
        turns_jobs_changed();
        schedule_anew();
    }
    server_wake();
}

/* Returns whether settle() has work, which is rare. */
static bool is_unsettled(void)
{
    return !process_can_run(current) || chores_wait || process_doomed ||
           delivery_starved() || processes_changed || process_noted;
}

/*
 * Takes the network interface from a process that does not wait for a message:
 * one whose slot is over, or the server. In the server's case, gives it to the
 * job that ran before, so that the job's next message takes the fast path.
 */
static void leave_network(void)
{
    bool last_waits = last && last->state == PROCESS_WAITING &&
                      !last->suspended;

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
    uint64_t end = earlier(earlier(deadline, chores_at),
                           a_slot_is_awaited() ? slot_end : GLAZE_NEVER);

    if (end != GLAZE_NEVER) {
        timer_end = end;
        timer_write(end);
    } else {
        write32(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL, 0);
    }
}

static bool nothing_can_run(void)
{
    return !next_job() && !can_run(GID_SERVER);
}

/* Returns whether something can run now. Begins the slot that is awaited. */
static bool something_came(void)
{
    uint64_t t = now();

    server_wake();
    chores_note(t);
    if (t >= slot_end && a_slot_is_awaited()) {
        slot_begin(t);
    }
    return !nothing_can_run();
}

/*
 * Waits while no process can run. A process that waits for a message stays
 * current and keeps the network interface, so that its message takes the fast
 * path. Afterwards the clock gives the slots again.
 */
static void wait_for_process(void)
{
    debts_leave_kernel();
    server_charge(now());
    leave_network();
    debts_paging_goes_on();
    while (!something_came()) {
        kernel_since = now();
        poll();
        chores_first = chores_begin();
        settle();
        timer_set_idle();
        if (nothing_can_run() && !ni_pending() && !chores_wait &&
            !process_free_part() && !frame_clean_one()) {
            wait_for_interrupt();
            kernel_since = now();
        }
    }
    server_since = now();
    if (process_can_run(current) && now() < slot_end) {
        timer_set(decision_after(current, now()));
    } else {
        idled = choose_anew = true;
    }
}

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
    bool extend = process_switched() || slot_is_new || chores_set;

    if (extend) {
        slot_is_new = chores_set = false;
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
    if (choose_anew || !process_can_run(current)) {
        chores_note(now());
    }
    chores_first = chores_begin();
    for (;;) {
        if (is_unsettled()) {
            settle();
        }
        if (choose_anew || !process_can_run(current) || turn_is_back()) {
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
        if (process_can_run(current) && !choose_anew && !chores_wait &&
            !delivery_stops(current)) {
            go();
        }
    }
}
