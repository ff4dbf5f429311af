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

/*
 * The kernel has dropped a message for p, which has ended: its slots cannot pay. If
 * such messages and debts_charge() have taken too much time of late, this asks
 * overflow control to suspend p's job, on all nodes, until p->waste_end.
 */
void debts_waste(struct process *p);

/*
 * A slot is over. If `counts`, adds what insertions and debts_charge() have taken
 * since the last call to the debts of those processes, and returns how much that
 * is. Otherwise forgets it, and returns 0: the slot's owner has not run until the
 * end.
 */
uint64_t debts_note(bool counts);

/*
 * The slot of a process begins: takes up to `most` cycles of its debt from it.
 * Returns how many.
 */
uint64_t debts_pay(struct process *p, uint64_t most);

/* Forgets all debts. */
void debts_forget(void);

#endif /* GLAZE_DEBTS_H */
