/*
 * Overflow control.
 *
 * A node tells node 0 (OVERFLOWS) when its free frames fall below the
 * low-water mark and one process's buffer has most of the frames in use. Pages
 * of that buffer go out, one after the other, until the high-water mark is
 * reached or no page can go. Then the node tells node 0 again (CLEARED). For
 * each job node 0 counts the nodes that have sent OVERFLOWS and not yet
 * CLEARED. Node 0 tells all nodes when the count rises from 0 (SUSPEND) and
 * when it falls back to 0 (RESUME).
 *
 * Each node that asks for a suspension also ends its part in the suspension:
 * page by page the buffer gets smaller, and nothing that this waits for
 * depends on the job. The end of the process clears it too.
 *
 * A node asks in the same way for the job of a process that owes other processes
 * too much time, or that has ended and gets too many messages (machine/debts.h). It
 * ends that part when the debt is paid, or after a time.
 *
 * Messages between two nodes stay in order, so no node gets a RESUME before its
 * SUSPEND.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/hardware.h"
#include "machine/chores.h"
#include "marks.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "policy/evict.h"
#include "policy/overflow.h"
#include "memory/water.h"
#include "machine/debts.h"
#include "buffer/backing.h"

/* By GID. */
static struct {
    uint16_t nodes;             /* node 0: on which the job overflows */
    bool suspended;             /* node 0 has told all nodes to suspend it */
    uint8_t untold;             /* other nodes: SUSPEND and RESUME, in turn, that are
                                   not passed on yet */
} jobs[GID_MAX + 1];
static bool jobs_changed;

/* Tells node 0 whether p's job has to be suspended, if that has changed. */
static __attribute__((cold)) void tell_node_0(struct process *p)
{
    bool asks = p->overflows || p->held_until;

    if (asks != p->overflow_told) {
        message_send(0, asks ? OPERATION_OVERFLOWS : OPERATION_CLEARED,
                     &p->gid, 1);
        p->overflow_told = asks;
    }
}

/* About as many cycles as a node takes for such a message, from the interrupt to the
 * return. The job pays for it. */
#define MESSAGE_COST    1800

/*
 * Returns a time without that in which the kernel has waited for the network. The job
 * does not pay for that: with a slow network it would owe too much because it is
 * suspended, and be suspended for that, for ever.
 */
static uint64_t worked(void)
{
    return now() - message_waited;
}

/* Notes what node 0 has told this node, to pass it on. */
static void told(uint32_t gid, bool suspended)
{
    if (ni_node()) {
        jobs[gid].suspended = suspended;
        jobs[gid].untold++;
        jobs_changed = true;
    }
}

void overflow_message(uint32_t operation, const uint32_t *words)
{
    uint32_t gid = words[0];
    struct process *p = processes[gid];

    debts_charge(gid, MESSAGE_COST);
    switch (operation) {
    case OPERATION_OVERFLOWS:
        jobs[gid].nodes++;
        jobs_changed = true;
        break;
    case OPERATION_CLEARED:
        jobs[gid].nodes--;
        jobs_changed = true;
        break;
    case OPERATION_SUSPEND:
        told(gid, true);
        if (!p) {
            break;              /* its job's process is being made */
        }
        process_suspend(p, true);
        p->info->suspensions++;
        MARK("suspended", gid);
        process_note(p, GLAZE_E_SUSPENDED | (p->info->gang ? 0 : GLAZE_E_GANG));
        p->info->gang = 1;
        break;
    default:                    /* OPERATION_RESUME */
        told(gid, false);
        if (!p) {
            break;
        }
        process_suspend(p, false);
        p->info->resumptions++;
        process_note(p, GLAZE_E_RESUMED);
        break;
    }
}

/*
 * Returns whether the next page may go. A page on its way takes time of the kernel,
 * more on the node of the disk. So, if other jobs could run, each page is followed
 * by a pause as long as its transfer was.
 */
static __attribute__((cold)) bool may_go_on(void)
{
    static uint64_t started, pause_end;

    if (started && processes_alive > 1) {
        pause_end = 2 * now() - started;
    }
    started = 0;
    if (now() < pause_end) {
        chores_later(CHORE_OVERFLOW, pause_end);
        return false;
    }
    started = now();
    return true;
}

/* Sends out a page of a buffer that is too large, or notes that it no longer is. */
static __attribute__((cold)) void clear(struct process *p)
{
    if (!backing_idle() || evict_pauses(CHORE_OVERFLOW) ||
        debts_hold_paging(p->gid) || !may_go_on()) {
        return;
    }
    if (water_is_high() || !evict_start_of(p)) {
        p->overflows = false;
    } else {
        evict_pauses(CHORE_OVERFLOW);
    }
}

/* Ends what has ended of p's part in its job's suspension, or begins it. */
static __attribute__((cold)) void step(struct process *p)
{
    if (process_has_ended(p) || !backing_usable()) {
        p->overflows = false;   /* no place for the pages of its buffer */
    }
    if (p->held_until && now() >= p->held_until) {
        debts_expire(p);
    }
    tell_node_0(p);
    if (p->held_until) {
        chores_later(CHORE_OVERFLOW, p->held_until);
    }
    if (p->overflows) {
        clear(p);
        tell_node_0(p);
    }
}

/*
 * Nothing sets these again: the process has ended, and debts.c suspends no job that
 * has gone. So node 0 counts no node for the next job of this GID: CLEARED comes
 * before the answer to the flush that precedes it (job.c).
 */
__attribute__((cold)) void overflow_gone(struct process *p)
{
    p->overflows = false;
    p->held_until = 0;
    tell_node_0(p);
}

static enum operation message_for(bool suspended)
{
    return suspended ? OPERATION_SUSPEND : OPERATION_RESUME;
}

/* Tells all nodes, on node 0; passes on what node 0 has told this node. The job
 * pays. */
static void tell(uint32_t gid)
{
    bool overflows = jobs[gid].nodes > 0;
    uint64_t began = worked();

    if (!ni_node() && jobs[gid].suspended != overflows) {
        jobs[gid].suspended = overflows;
        message_tell_all(message_for(overflows), &gid, 1);
    } else if (!jobs[gid].untold) {
        return;
    }
    for (; jobs[gid].untold; jobs[gid].untold--) {
        message_pass_on(message_for(jobs[gid].suspended ==
                                    (jobs[gid].untold & 1)), &gid, 1);
    }
    debts_charge(gid, worked() - began);
}

/*
 * While this sends, it may take messages (message_send()). They set jobs_changed, and
 * note this chore again.
 */
void overflow_step(void)
{
    bool changed;

    for (unsigned gid = 1; gid; gid = gid_next(gid)) {
        struct process *p = processes[gid];

        if (p && (p->overflows || p->held_until || p->overflow_told)) {
            uint64_t began = worked();

            step(p);
            debts_charge(gid, worked() - began);
        }
    }
    changed = jobs_changed;
    jobs_changed = false;
    for (unsigned gid = 1; changed && gid <= GID_MAX; gid++) {
        tell(gid);
    }
}
