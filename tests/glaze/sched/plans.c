/*
 * A server in place of the scheduler's, which measures how long plans take to the
 * servers of all nodes (test_plans.py).
 *
 *      node 0      at each multiple of 1,000,000 cycles announces a plan: its
 *                  origin is the cycle, and it names GIDs 1 to 62
 *      others      install a table for each plan that comes, as guest-os/sched
 *                  does, and print the plan's number, and the cycles from its
 *                  origin until the table was installed
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "glaze-calls.h"
#include "plan.h"
#include "udm.h"

#define PERIOD  1000000
#define ALL     0x7ffffffffffffffe      /* GIDs 1 to 62 */

static struct glaze_plan plan;
static struct glaze_table table;

static void announce_all(void)
{
    for (;;) {
        struct glaze_event event;
        uint64_t next = (udm_cycles() / PERIOD + 1) * PERIOD;

        while (udm_cycles() < next) {
            glaze_event(0, &event, next);
        }
        plan.origin = udm_cycles();
        plan.jobs = ALL;
        plan.gang = next / PERIOD;
        if (glaze_announce(&plan)) {
            printf("FAIL announce\n");
        }
    }
}

static void follow(void)
{
    struct glaze_event event;
    uint64_t number, origin;
    int32_t result;

    glaze_event(0, &event, GLAZE_NEVER);
    if (glaze_plan(&plan) != 1) {
        return;
    }
    number = plan.gang;
    origin = plan.origin;
    plan.gang = 0;
    plan.origin = 0;
    plan_table(&plan, glaze_info(GLAZE_I_TIMESLICE), &table);
    result = glaze_schedule(&table);
    printf("plan %lu: node %lu: %lu cycles, %ld\n", (unsigned long)number,
           (unsigned long)udm_node(), (unsigned long)(udm_cycles() - origin),
           (long)result);
}

int main(void)
{
    if (udm_node() == 0) {
        announce_all();
    }
    for (;;) {
        follow();
    }
}
