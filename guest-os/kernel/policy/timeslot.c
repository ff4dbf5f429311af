/*
 * The time slot: whose it is, how much longer it becomes, and what others pay for that.
 *
 * schedule.c calls this file at the end of each slot, settle.c when jobs have come or
 * gone, and policy.c when the scheduler's server has installed a table of slots.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "delivery/delivery.h"
#include "machine/debts.h"
#include "machine/gids.h"
#include "machine/hardware.h"
#include "machine/pending.h"
#include "policy/timeslot.h"
#include "policy/turns.h"
#include "services/mbcf/load.h"

struct timeslot timeslot;
bool timeslot_choose_anew = true;

/* ---- Which process may run ---------------------------------------------- */

/* Returns the first process of a set that can run, of the GIDs above this one; NULL:
 * none can. */
static struct process *first_after(const struct gids *set, unsigned gid)
{
    do {
        gid = gids_after(set, gid);
    } while (gid && gid <= processes_last && delivery_stops(processes[gid]));
    return gid && gid <= processes_last ? processes[gid] : NULL;
}

struct process *timeslot_next_after(unsigned gid)
{
    struct gids set = processes_alive < 2 ? processes_ready
                                          : gids_less(&processes_ready, &turns_gang);
    struct process *p = first_after(&set, gid);

    return p ? p : first_after(&set, GID_NONE);
}

bool timeslot_is_awaited(void)
{
    struct gids set = gids_both(&processes_ready, &turns_gang);

    return processes_alive > 1 && first_after(&set, GID_NONE);
}

/* ---- Guests ----------------------------------------------------------------- */

/* A guest that may have less than this has nothing: a switch takes as long. */
#define GUEST_LEAST     5000

/* On account, a guest has one of so many parts of a slot for each page. */
#define ACCOUNT_PART    10

static unsigned runner;         /* GID: runs since ran_from; GID_NONE: no guest, */
static uint64_t ran_from;
static unsigned lender;         /* in time that this process lends, or, */
static bool as_guest;           /* as a guest, gives back. Either may end meanwhile */
static uint32_t on_account;     /* cycles that the guest may have besides, and owes */
static uint64_t inserted;       /* what insertions take: the clock is ahead of the
                                   runner's meter by this when it begins, */
static uint32_t commanded;      /* and what commands of the lender had taken */

/* Returns by how much the clock is ahead of a process's meter. */
static uint64_t ahead(unsigned gid)
{
    return now() - meter_read(gid, FUGU_METER_CYCLES);
}

static bool waits_for_page(const struct process *p)
{
    return p->state == PROCESS_PAGING || (p->state == PROCESS_WAITING && p->faults);
}

__attribute__((cold)) void timeslot_starts(struct process *p, uint64_t t)
{
    struct process *owner = processes[timeslot.gid];

    if (!owner || owner == p || processes_alive < 2 || p->gid == GID_SERVER) {
        return;
    }
    as_guest = p->gid == timeslot.guest;
    if (as_guest || waits_for_page(owner)) {
        runner = p->gid;
        lender = owner->gid;
        ran_from = t;
        inserted = ahead(runner);
        commanded = owner->charged;
        debts_loser = runner;
        debts_lost = 0;
    }
}

static void add(uint32_t *sum, uint32_t cycles)
{
    *sum = earlier(*sum + (uint64_t)cycles, timeslice);
}

static void subtract(uint32_t *sum, uint32_t cycles)
{
    *sum -= *sum < cycles ? *sum : cycles;
}

/* Returns how long p may run as a guest, by what it has lent. */
static __attribute__((cold)) uint32_t lent_by(const struct process *p)
{
    const struct process *owner = processes[timeslot.gid];

    return owner && owner != p ? earlier(p->lent, owner->borrowed) : 0;
}

/* A guest has had so many cycles: what it had not lent is a debt. */
static __attribute__((cold)) void charge_guest(struct process *p, uint32_t cycles)
{
    uint32_t lent = lent_by(p), owes = cycles > lent ? cycles - lent : 0;

    if (owes && on_account) {
        subtract(&on_account, owes);
        subtract(&p->idle, owes);
        debts_charge_guest(p, owes);
    }
}

/*
 * Returns how much of the time up to t the runner has had: all but what the kernel has
 * worked for others, inserted for others, and done of the lender's commands.
 */
static __attribute__((cold)) uint32_t time_of_runner(uint64_t t,
                                                     const struct process *owner)
{
    uint64_t clock = ahead(runner), others = debts_lost;

    if (clock > inserted) {             /* the two are not read at the same cycle */
        others += clock - inserted;
    }
    if (owner && owner->charged > commanded) {
        others += owner->charged - commanded;
    }
    return t - ran_from > others ? earlier(t - ran_from - others, timeslice) : 0;
}

__attribute__((cold)) void timeslot_ran(uint64_t t)
{
    struct process *ran = processes[runner], *owner = processes[lender];
    uint32_t cycles;

    if (!runner) {
        return;
    }
    if (debts_worked_for) {
        debts_work_end(t);
    }
    cycles = time_of_runner(t, owner);
    debts_loser = debts_turn;
    if (ran && as_guest) {
        charge_guest(ran, cycles);
        subtract(&ran->lent, cycles);
    } else if (ran) {
        add(&ran->borrowed, cycles);
    }
    if (owner && as_guest) {
        subtract(&owner->borrowed, cycles);
    } else if (owner) {
        add(&owner->lent, cycles);
    }
    runner = GID_NONE;
    if (timeslot.guest && (!timeslot_can_run(timeslot.guest) ||
                           timeslot_guest_time() < GUEST_LEAST)) {
        timeslot.guest = GID_NONE;
    }
}

__attribute__((cold)) uint32_t timeslot_guest_time(void)
{
    return timeslot.guest ? lent_by(processes[timeslot.guest]) + on_account : 0;
}

/* Cycles in which the node has had nothing to run, and, while it has, since when. */
static uint32_t idle_sum;
static uint64_t idle_since = GLAZE_NEVER;

__attribute__((cold)) void timeslot_idles(bool on)
{
    uint64_t t = now();

    idle_sum += on ? 0 : t - idle_since;
    idle_since = on ? t : GLAZE_NEVER;
    kernel_idles = on;
}

static __attribute__((cold)) uint32_t idle_so_far(void)
{
    bool idles = idle_since != GLAZE_NEVER;

    return idles ? idle_sum + (uint32_t)(now() - idle_since) : idle_sum;
}

/*
 * Returns how long p may run as a guest on account. It has lent nothing while the node
 * had no other process to run either: then it would lose a slot for each page that
 * comes after its slot. It owes that time, and has a part of a slot at most for each
 * page.
 */
static __attribute__((cold)) uint32_t account_of(const struct process *p)
{
    return processes[timeslot.gid] != p && timeslot_can_run(timeslot.gid) &&
           debts_may_pay(p) ? earlier(p->idle, timeslice / ACCOUNT_PART) : 0;
}

/* Makes p a guest, until it runs as one no more. */
static __attribute__((cold)) void guest_is(struct process *p)
{
    timeslot.guest = p->gid;
    on_account = account_of(p);
}

/*
 * Returns whether p, which has the slot, has sent or received messages of late. It may
 * need its slots at the same time on all nodes: time that it has had in others' slots
 * may have been of no use to it, and guests run at other times on each node.
 */
static __attribute__((cold)) bool talks(struct process *p)
{
    uint32_t count = meter_read(p->gid, FUGU_METER_SENT) +
                     meter_read(p->gid, FUGU_METER_RECEIVED);

    if (count != p->messages) {
        p->messages = count;
        p->talked_at = now();
    }
    return count && (uint32_t)now() - p->talked_at < timeslice;
}

static __attribute__((cold)) bool may_be_guest(const struct process *p)
{
    return lent_by(p) + account_of(p) >= GUEST_LEAST && processes_alive > 1 &&
           timeslot_can_run(p->gid) && !gids_has(&turns_gang, p->gid) &&
           !talks(processes[timeslot.gid]);
}

__attribute__((cold)) void timeslot_page_came(struct process *p)
{
    uint32_t idle = idle_so_far();

    if (p->page_at) {
        add(&p->idle, idle - p->idle_at);
    }
    p->idle_at = idle;
    p->page_at = now();
    if (!timeslot.guest && may_be_guest(p)) {
        guest_is(p);
        timeslot_choose_anew = true;
    }
}

/*
 * A page that has come so many cycles before the end of a slot may have come too late:
 * messages for others may have kept the process from its next instruction.
 */
#define PAGE_IS_NEW     50000

/* Returns whether a process whose slot is over at the time t goes on as a guest. */
static __attribute__((cold)) bool stays_as_guest(unsigned gid, uint64_t t)
{
    const struct process *p = processes[gid];

    return p && (uint32_t)t - p->page_at < PAGE_IS_NEW && may_be_guest(p);
}

/* ---- Slots -------------------------------------------------------------- */

/*
 * Cycles by which the slots of this node are behind the table, because slots
 * have become longer (debts.h). Slots of the processes in debt make up for it.
 */
static uint64_t lag;
static uint64_t kept;           /* cycles by which a slot has to become longer,
                                   too few so far. lag + kept: all debts */
static uint64_t reached;        /* time of the table at which a slot last began */
static uint64_t extension;      /* what the current slot can still become longer */

/* Cycles by which a slot goes on. They include the kernel's way back to the process. */
#define GO_ON           10000

/* About as many cycles as pass from the end of a slot to slot_was_taken(). */
#define WAY_OF_TIMER    1500

/*
 * A slot does not go on if other jobs owe more than this part of what packets have
 * taken: these will pay, or be suspended. timeslot.others has a smaller part of a
 * packet's ways into the kernel and back than load_taken has.
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

void timeslot_begin(uint64_t t)
{
    struct turn next;
    struct process *p;
    uint64_t left, paid;
    unsigned before;

    lag = earlier(lag, t - reached);    /* the table's time never goes back */
    if (!lag && !kept) {
        debts_forget_some();
    }
    do {
        reached = t - lag;
        next = turns_begin(reached, timeslot.idled);
        timeslot.idled = false;
        left = next.end - reached;
        p = processes[next.gid];
        paid = lag && p ? debts_pay(p, earlier(lag, payable(p, left))) : 0;
        lag -= paid;
    } while (paid && paid == left);
    before = timeslot.guest ? timeslot.guest : timeslot.gid;
    timeslot.gid = next.gid;
    debts_turn_is(next.gid);
    timeslot.guest = GID_NONE;
    if (stays_as_guest(before, t)) {
        guest_is(processes[before]);
    }
    timeslot.passed = next.gid != GID_NONE || !timeslot.last ? next.gid
                                                             : timeslot.last->gid;
    timeslot.end = processes_alive > 1 ? next.end + lag : GLAZE_NEVER;
    extension = EXTENSION_MOST * left;
    timeslot.is_new = true;
    timeslot.late = false;
    timeslot.began = 0;
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
 * Inline, since timeslot_anew() is cold: a copy beside its code would have cache lines
 * that the end of each slot needs for other code.
 */
static inline __attribute__((always_inline)) uint64_t slot_taken(void)
{
    bool runs = timeslot_can_run(timeslot.gid) && !timeslot.idled && timeslot.end &&
                (current->gid == timeslot.gid || current->gid == timeslot.guest ||
                 current->gid == GID_SERVER);
    uint64_t noted = debts_note(runs ? extension : 0);
    uint64_t taken = kept + noted;

    timeslot.others += noted;
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
    uint32_t taken = load_taken - timeslot.taken_before;

    if (!timeslot.began || !timeslot.end || !taken || current->gid != timeslot.gid ||
        !process_can_run(current) ||
        taken < OTHERS_PART * timeslot.others ||
        t >= timeslot.began + taken + WAY_OF_TIMER + GLAZE_SLOT_LEAST ||
        !debts_owe(current, GO_ON)) {
        return false;
    }
    lag += GO_ON;
    timeslot.end = t + GO_ON;
    timeslot.is_new = true;
    timeslot.began = 0;
    return true;
}

/* The slot is over at the time t. Returns whether the current process goes on. */
static bool slot_is_longer(uint64_t t)
{
    uint64_t taken = timeslot.end ? slot_taken() : 0;

    if (!taken) {
        return false;
    }
    timeslot.end += taken;
    timeslot.is_new = true;
    return t < timeslot.end;
}

/* Cycles to end a slot and to begin the next one, at most: with soft atomicity. */
#define END_MOST        6000

/*
 * A page that is filled, or a command that is done, may take nearly all of an entry's
 * time, and the slot may end meanwhile: the entry would be too long. Where entries are
 * too long one after the other, no slot becomes longer than once: the next entry that
 * decides ends it before other work.
 */
__attribute__((cold, noinline)) bool timeslot_ends(uint64_t t)
{
    if (kernel_has_time(t, END_MOST)) {
        return true;
    }
    timeslot.is_new |= !timeslot.late;
    timeslot.late = true;
    return false;
}

void timeslot_over(uint64_t t)
{
    timeslot.late = false;
    if (!slot_is_longer(t) && !slot_was_taken(t)) {
        timeslot_begin(t);
    }
}

__attribute__((cold)) void timeslot_forget_debts(void)
{
    uint64_t debts = debts_forget(processes_alive < 2);
    uint64_t less = earlier(lag, debts);

    lag -= less;
    kept -= earlier(kept, debts - less);
}

__attribute__((cold)) void timeslot_anew(void)
{
    slot_taken();
    timeslot_forget_debts();
    timeslot.end = 0;
    timeslot_choose_anew = true;
}
