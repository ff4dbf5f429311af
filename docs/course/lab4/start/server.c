/*
 * A scheduler's server: decides whose turn it is. One runs on each node. This is the
 * file that you change.
 *
 * At first, it gives each job that is there when the machine starts one slot in turn,
 * and then waits for ever.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define JOBS    63              /* GIDs are 1 to 62: those of the command line */

/* Step 1: the shares of the jobs, from the file "shares". */

/* Bit GID: the job has slots. */
static uint64_t jobs;

static void check(const char *call, int32_t result)
{
    if (result < 0) {
        fprintf(stderr, "server: node %lu: %s: error %ld\n",
                (unsigned long)udm_node(), call, (long)-result);
        exit(1);
    }
}

/* Makes a table of slots for the jobs, which holds from cycle `origin` on. */
static void install(uint64_t origin)
{
    static struct glaze_table table;
    uint32_t timeslice = glaze_info(GLAZE_I_TIMESLICE), count = 0;

    for (uint32_t gid = 1; gid < JOBS; gid++) {
        if (jobs >> gid & 1) {
            table.slot[count] = (struct glaze_slot) {
                .from = count * timeslice,
                .to = (count + 1) * timeslice,
                .gid = gid,
            };
            count++;
        }
    }
    table.origin = origin;
    table.count = count;
    table.period = (uint64_t)count * timeslice;
    if (count) {
        check("schedule", glaze_schedule(&table));
    }
}

/*
 * Returns the beginning of a slot by which all nodes have a plan that node 0
 * announces now (docs/scheduler.md, "Plans"). For step 3.
 */
uint64_t soon(void)
{
    uint32_t timeslice = glaze_info(GLAZE_I_TIMESLICE);

    return ((udm_cycles() + 68500) / timeslice + 1) * timeslice;
}

int main(void)
{
    struct glaze_event event;
    struct glaze_job job;

    for (uint32_t number = 1; glaze_job(number, &job) == 0; number++) {
        if (!job.begins) {
            jobs |= (uint64_t)1 << job.gid;
        }
    }
    install(0);
    for (;;) {
        check("event", glaze_event(0, &event, GLAZE_NEVER));
    }
}
