/*
 * What becomes of a command that arrives, or that has waited.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_OUTCOME_H
#define GLAZE_OUTCOME_H

#include "machine/debts.h"
#include "services/mbcf/task.h"

/* The status of a command that waits behind another one of its source, */
#define OUTCOME_BEHIND      0x102
/* and of one for which this entry into the kernel has no time. */
#define OUTCOME_NO_TIME     0x103

/* Returns MBCF_DONE if a command may reach its target, or why not. */
uint32_t outcome_key(const struct process *p, const struct packet *c);

/*
 * Finds out what becomes of a command to p, if the first `before` of p's waiting
 * commands came earlier; p is NULL if there is no such task. Returns a status as
 * execute_check() does, or OUTCOME_BEHIND. Changes nothing.
 */
uint32_t outcome_judge(struct process *p, const struct packet *c, uint32_t before);

/* Does a command that outcome_judge() has found to be MBCF_DONE, and replies if a
 * reply is wanted. */
void outcome_perform(struct process *p, struct packet *c);

/* Replies to a command that is not done with a status. p may be NULL. */
void outcome_refuse(struct process *p, const struct packet *c, uint32_t status);

/*
 * Charges a job for cycles that the kernel has taken from the program that runs
 * (debts.h).
 */
static inline void outcome_charge(unsigned gid, uint32_t cycles)
{
    if (process_can_run(current)) {
        debts_charge(gid, cycles);
    }
}

#endif /* GLAZE_OUTCOME_H */
