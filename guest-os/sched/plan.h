/*
 * Plans say which jobs get slots (struct glaze_plan). The server on node 0 makes
 * plans, and all servers make the same table of slots out of the same plan.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PLAN_H
#define PLAN_H

#include <stdint.h>

#include "glaze.h"

/*
 * Fills in the table of slots for a plan. Slot k of the clock, from cycle
 * k * timeslice on, belongs to the job number k % N of the N jobs in the order
 * of their GIDs, whatever the origin is. The plan has at least one job, and its
 * origin is a multiple of the timeslice.
 */
void plan_table(const struct glaze_plan *plan, uint32_t timeslice,
                struct glaze_table *table);

#endif /* PLAN_H */
