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
#include "chores.h"
#include "evict.h"
#include "frames.h"
#include "hardware.h"
#include "message.h"
#include "overflow.h"
#include "schedule.h"

uint32_t overflow_low = 12;
uint32_t overflow_high = 25;

/* Node 0, by GID. */
static struct {
    uint32_t nodes;             /* on which it overflows */
    bool suspended;             /* all nodes have been told so */
} jobs[JOBS_MAX + 1];

static bool free_below(uint32_t percent)
{
    return frames_free() * 100 < frames_total() * percent;
}

void overflow_check(struct process *p)
{
    uint32_t in_use = frames_total() - frames_free();

    if (!p->overflows && free_below(overflow_low) &&
        p->buffer_pages * 2 > in_use) {
        p->overflows = true;
        chores_wait |= CHORE_OVERFLOW;
    }
}

static void tell_node_0(struct process *p, bool overflows)
{
    message_send(0, overflows ? OPERATION_OVERFLOWS : OPERATION_CLEARED,
                 &p->gid, 1);
    p->overflow_told = overflows;
}

void overflow_forget(struct process *p)
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
        schedule_advise_gang(gid);
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
        overflow_forget(p);     /* nothing to clear it with */
        return;
    }
    if (!p->overflow_told) {
        tell_node_0(p, true);
    }
    if (backing_idle() && (!free_below(overflow_high) || !evict_start_of(p))) {
        overflow_forget(p);
    }
}

static void tell_all(uint32_t gid, bool suspended)
{
    jobs[gid].suspended = suspended;
    for (uint32_t node = 0; node < read32(NI_U(NODES)); node++) {
        message_send(node, suspended ? OPERATION_SUSPEND : OPERATION_RESUME,
                     &gid, 1);
    }
}

void overflow_step(void)
{
    for (unsigned gid = 1; gid <= JOBS_MAX; gid++) {
        if (processes[gid] && processes[gid]->overflows) {
            clear(processes[gid]);
        }
        if (jobs[gid].suspended != (jobs[gid].nodes > 0)) {
            tell_all(gid, jobs[gid].nodes > 0);
        }
    }
}
