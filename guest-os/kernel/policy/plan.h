/*
 * Plans of the scheduler's server (docs/scheduler.md). The server on node 0
 * announces a plan, and the kernels bring it to the servers of all other nodes by
 * the second network, down a binomial tree: the node n passes it on to n + 2^k for
 * each 2^k above n. So no node sends more than log2(nodes) messages, and each
 * plan passes through as many nodes at most.
 *
 * A kernel does not look into plans. It keeps the newest one until its server
 * takes it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PLAN_H
#define GLAZE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "glaze.h"

/* For node 0: brings the plan to the servers of all other nodes, as a chore. */
void plan_announce(const struct glaze_plan *plan);

/* Notes a message of another kernel: PLAN. */
void plan_message(const uint32_t *words);

/* A chore: passes a plan on. */
void plan_step(void);

/*
 * Returns the newest plan that has come, or NULL if the server has had it, or none has
 * come. When the server has it, the caller calls plan_taken().
 */
const struct glaze_plan *plan_new(void);
void plan_taken(void);

#endif /* GLAZE_PLAN_H */
