/*
 * From a plan to a table of slots.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "plan.h"

void plan_table(const struct glaze_plan *plan, uint32_t timeslice,
                struct glaze_table *table)
{
    uint32_t gids[64], count = 0, first;

    for (uint32_t gid = 1; gid < 64; gid++) {
        if (plan->jobs >> gid & 1) {
            gids[count++] = gid;
        }
    }
    first = plan->origin / timeslice % count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t gid = gids[(first + i) % count];

        table->slot[i] = (struct glaze_slot) {
            .from = (uint64_t)i * timeslice,
            .to = (uint64_t)(i + 1) * timeslice,
            .gid = gid,
            .flags = plan->gang >> gid & 1 ? GLAZE_SLOT_GANG : 0,
        };
    }
    table->origin = plan->origin;
    table->period = (uint64_t)count * timeslice;
    table->count = count;
}
