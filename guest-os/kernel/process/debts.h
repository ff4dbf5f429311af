/*
 * Debts: insertions of a process's messages take time of the process that runs.
 * That one's slot becomes longer by this time, and a slot of the receiver
 * shorter.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_DEBTS_H
#define GLAZE_DEBTS_H

#include <stdbool.h>
#include <stdint.h>

#include "process/process.h"

/* The process leaves the processor: its own time up to now is no debt. */
void debts_leave(struct process *p);

/*
 * A slot is over. If `counts`, adds what insertions have taken since the last
 * call to the debts of their receivers, and returns how much that is. Otherwise
 * forgets it, and returns 0: the slot's owner has not run until the end.
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
