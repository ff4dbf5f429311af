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
 * A process that has ended asks in the same way if messages for it take too much
 * time (machine/debts.h), and ends its part after a while. Messages between
 * two nodes stay in order, so no node gets a RESUME before its SUSPEND.
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
#include "buffer/backing.h"

/* Node 0, by GID. */
static struct {
    uint32_t nodes;             /* on which the job overflows */
    bool suspended;             /* all nodes have been told to suspend it */
} jobs[GID_MAX + 1];

static void tell_node_0(struct process *p, bool overflows)
{
    message_send(0, overflows ? OPERATION_OVERFLOWS : OPERATION_CLEARED,
                 &p->gid, 1);
    p->overflow_told = overflows;
}

/* The buffer is no longer too large, or the process has ended. */
static void forget(struct process *p)
{
    p->overflows = false;
    if (p->overflow_told) {
        tell_node_0(p, false);
    }
}

void overflow_message(uint32_t operation, const uint32_t *words)
{
    uint32_t gid = words[0];
    struct process *p = processes[gid];

    switch (operation) {
    case OPERATION_OVERFLOWS:
        jobs[gid].nodes++;
        break;
    case OPERATION_CLEARED:
        jobs[gid].nodes--;
        break;
    case OPERATION_SUSPEND:
        p->suspended = true;
        p->info->suspensions++;
        MARK("suspended", gid);
        p->info->gang = 1;
        process_note(p, GLAZE_E_SUSPENDED | GLAZE_E_GANG);
        break;
    default:                    /* OPERATION_RESUME */
        p->suspended = false;
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
static bool may_go_on(void)
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

/* Sends out a page of a buffer that is too large, or ends the suspension. */
static void clear(struct process *p)
{
    if (!backing_usable()) {
        forget(p);              /* no place for the pages of its buffer */
        return;
    }
    if (!p->overflow_told) {
        tell_node_0(p, true);
    }
    if (!backing_idle() || !may_go_on()) {
        return;
    }
    evict_searches = false;
    if (water_is_high() || !evict_start_of(p)) {
        forget(p);
    } else if (evict_searches) {
        chores_later(CHORE_OVERFLOW, now() + EVICT_PAUSE);
    }
}

/* Suspends the job for a while, because of the messages that it sends here. */
static __attribute__((cold, noinline)) void clear_ended(struct process *p)
{
    if (!p->overflows || p->job_gone || now() >= p->waste_end) {
        forget(p);
        return;
    }
    if (!p->overflow_told) {
        tell_node_0(p, true);
    }
    chores_later(CHORE_OVERFLOW, p->waste_end);
}

__attribute__((cold)) void overflow_gone(struct process *p)
{
    forget(p);
}

static void tell_all(uint32_t gid, bool suspended)
{
    jobs[gid].suspended = suspended;
    for (uint32_t node = 0; node < ni_nodes(); node++) {
        message_send(node, suspended ? OPERATION_SUSPEND : OPERATION_RESUME,
                     &gid, 1);
    }
}

void overflow_step(void)
{
    for (unsigned gid = 1; gid <= GID_MAX; gid++) {
        struct process *p = processes[gid];

        if (p && process_has_ended(p)) {
            clear_ended(p);
        } else if (p && p->overflows) {
            clear(p);
        }
        if (jobs[gid].suspended != (jobs[gid].nodes > 0)) {
            tell_all(gid, jobs[gid].nodes > 0);
        }
    }
}
