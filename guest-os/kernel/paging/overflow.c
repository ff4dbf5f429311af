/*
 * Overflow control.
 *
 * A node whose free frames fall below the low-water mark, most of what is in
 * use being one process's buffer, tells node 0 (OVERFLOWS). Pages of that
 * buffer go out, one after the other, until the high-water mark is reached or
 * none is left that can; then it tells node 0 again (CLEARED). Node 0 counts
 * for each job the nodes that have said the one and not the other, and tells
 * all nodes when the first has come (SUSPEND) and the last has gone (RESUME).
 *
 * Every node that asks for a suspension also ends its part in it: page by
 * page the buffer gets smaller, and nothing that it waits for waits for the
 * job. If the process ends, that clears it too. Messages between two nodes
 * stay in order, so nobody sees a RESUME before its SUSPEND.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "backing.h"
#include "evict.h"
#include "message.h"
#include "ni.h"
#include "overflow.h"
#include "water.h"

/* Node 0, by GID. */
static struct {
    uint32_t nodes;             /* on which it overflows */
    bool suspended;             /* all nodes have been told so */
} jobs[JOBS_MAX + 1];

static void tell_node_0(struct process *p, bool overflows)
{
    message_send(0, overflows ? OPERATION_OVERFLOWS : OPERATION_CLEARED,
                 &p->gid, 1);
    p->overflow_told = overflows;
}

/* The buffer is too large no longer, or the process has ended. */
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
        p->info->gang = 1;
        break;
    default:                    /* OPERATION_RESUME */
        p->suspended = false;
        p->info->resumptions++;
        break;
    }
}

/* What this node does about a process whose buffer is too large. */
static void clear(struct process *p)
{
    if (!backing_usable()) {
        forget(p);              /* nothing to clear it with */
        return;
    }
    if (!p->overflow_told) {
        tell_node_0(p, true);
    }
    if (backing_idle() && (water_is_high() || !evict_start_of(p))) {
        forget(p);
    }
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
    for (unsigned gid = 1; gid <= JOBS_MAX; gid++) {
        struct process *p = processes[gid];

        if (p && process_has_ended(p)) {
            forget(p);
        } else if (p && p->overflows) {
            clear(p);
        }
        if (jobs[gid].suspended != (jobs[gid].nodes > 0)) {
            tell_all(gid, jobs[gid].nodes > 0);
        }
    }
}
