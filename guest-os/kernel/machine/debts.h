/*
 * Debts: insertions of a process's messages, and commands of MBCF, take time of
 * the process that runs. That one's slot becomes longer by this time, and a slot
 * of the receiver, or of the command's requester, shorter.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_DEBTS_H
#define GLAZE_DEBTS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/process.h"

/* The process leaves the processor: its own time up to now is no debt. */
void debts_leave(struct process *p);

/*
 * The kernel has spent cycles for the process of this GID, if it has one on this
 * node, in the time of the process that runs.
 */
void debts_charge(unsigned gid, uint64_t cycles);

/* The same for the fast path of MBCF, which may call no function that needs a window.
 * A debt that is too large is found at the end of the slot. */
static inline void debts_charge_quick(unsigned gid, uint64_t cycles)
{
    struct process *p = gid <= processes_last ? processes[gid] : NULL;

    if (p && p != current) {
        p->charged += cycles;
    }
}

/*
 * The kernel has dropped a message for p, which has ended: its slots cannot pay. If
 * such messages and debts_charge() have taken too much time of late, this asks
 * overflow control to suspend p's job, on all nodes, for a while.
 */
void debts_waste(struct process *p);

/*
 * The buffer of p, which does not run, has grown by DEBTS_PAGES pages: so much may
 * have been inserted that p owes too much. Then this asks overflow control to
 * suspend p's job, on all nodes, until it has paid. debts_note() does so, too; but
 * by the end of the slot there may be nothing left of it.
 */
void debts_check(struct process *p);
#define DEBTS_PAGES     4

/*
 * The slot of a process is longer for its own sake: it owes so many cycles. Returns
 * false, and it does not owe them, if it owes too much already.
 */
bool debts_owe(struct process *p, uint64_t cycles);

/*
 * Adds what insertions and debts_charge() have taken since the last call to the
 * debts of those processes, up to `most` cycles in all. Returns how much that is,
 * and forgets what is above.
 */
uint64_t debts_note(uint64_t most);

/*
 * The slot of a process begins: takes up to `most` cycles of its debt from it.
 * Returns how many.
 */
uint64_t debts_pay(struct process *p, uint64_t most);

/*
 * The time is over for which p's job was suspended at most, so no slots have passed
 * in which it could pay: its job, or all jobs, cannot run. What it owes is forgotten
 * by debts_forget(), which the scheduler calls when debts_expired is set. Otherwise
 * the job would be suspended again, before it runs.
 */
extern bool debts_expired;
void debts_expire(struct process *p);

/*
 * Forgets debts that have expired, and those of processes that have ended, or all
 * debts. Returns their sum.
 */
uint64_t debts_forget(bool all);

#endif /* GLAZE_DEBTS_H */
