/*
 * A scheduler's server: slots by shares, in the order of stride scheduling.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define JOBS    63              /* GIDs are 1 to 62: those of the command line */

static uint32_t shares[JOBS];   /* by GID */
static uint64_t begins[JOBS];   /* when the jobs start that have not; 0: others */
static uint64_t jobs;           /* bit GID: the job has slots */

static void check(const char *call, int32_t result)
{
    if (result < 0) {
        fprintf(stderr, "server: node %lu: %s: error %ld\n",
                (unsigned long)udm_node(), call, (long)-result);
        exit(1);
    }
}

static void read_shares(void)
{
    FILE *file = fopen("shares", "r");
    unsigned long share;

    for (uint32_t gid = 1; gid < JOBS; gid++) {
        shares[gid] = file && fscanf(file, "%lu", &share) == 1 && share ? share : 1;
    }
    if (file) {
        fclose(file);
    }
}

/* Makes a table of slots for the jobs, which holds from cycle `origin` on. */
static void install(uint64_t origin)
{
    static struct glaze_table table;
    uint32_t timeslice = glaze_info(GLAZE_I_TIMESLICE), all = 0;
    uint32_t given[JOBS] = { 0 };

    for (uint32_t gid = 1; gid < JOBS; gid++) {
        all += jobs >> gid & 1 ? shares[gid] : 0;
    }
    for (uint32_t slot = 0; slot < all; slot++) {
        uint32_t next = 0;

        for (uint32_t gid = 1; gid < JOBS; gid++) {
            if (jobs >> gid & 1 && given[gid] < shares[gid] &&
                (!next || (given[gid] + 1) * shares[next] <
                          (given[next] + 1) * shares[gid])) {
                next = gid;
            }
        }
        given[next]++;
        table.slot[slot] = (struct glaze_slot) {
            .from = slot * timeslice,
            .to = (slot + 1) * timeslice,
            .gid = next,
        };
    }
    table.origin = origin;
    table.count = all;
    table.period = (uint64_t)all * timeslice;
    if (all) {
        check("schedule", glaze_schedule(&table));
    }
}

/* Returns the beginning of a slot by which all nodes have a plan. */
static uint64_t soon(void)
{
    uint32_t timeslice = glaze_info(GLAZE_I_TIMESLICE);

    return ((udm_cycles() + 68500) / timeslice + 1) * timeslice;
}

/* Starts the jobs whose time has come. Returns when the next one starts. */
static uint64_t start_jobs(void)
{
    uint64_t next = GLAZE_NEVER;

    for (uint32_t number = 1; number < JOBS; number++) {
        if (begins[number] && begins[number] <= udm_cycles()) {
            check("start", glaze_start(number));
            begins[number] = 0;
        } else if (begins[number] && begins[number] < next) {
            next = begins[number];
        }
    }
    return next;
}

/* On node 0: makes plans. */
static void lead(void)
{
    struct glaze_event event;

    for (;;) {
        uint64_t before = jobs;
        int32_t got = glaze_event(GLAZE_E_BEGUN | GLAZE_E_GONE, &event,
                                  start_jobs());

        check("event", got);
        if (got == 1 && event.events & GLAZE_E_BEGUN) {
            jobs |= (uint64_t)1 << event.gid;
        }
        if (got == 1 && event.events & GLAZE_E_GONE) {
            jobs &= ~((uint64_t)1 << event.gid);
        }
        if (jobs != before) {
            struct glaze_plan plan = { .origin = soon(), .jobs = jobs };

            check("announce", glaze_announce(&plan));
            install(plan.origin);
        }
    }
}

/* On the other nodes: follows them. */
static void follow(void)
{
    struct glaze_event event;
    struct glaze_plan plan;

    for (;;) {
        check("event", glaze_event(0, &event, GLAZE_NEVER));
        if (glaze_plan(&plan) == 1) {
            jobs = plan.jobs;
            install(plan.origin);
        }
    }
}

int main(void)
{
    struct glaze_job job;

    read_shares();
    for (uint32_t number = 1; glaze_job(number, &job) == 0; number++) {
        if (!job.begins) {
            jobs |= (uint64_t)1 << job.gid;
        } else if (number < JOBS) {
            begins[number] = job.begins;
        }
    }
    install(0);
    if (udm_node() == 0) {
        lead();
    }
    follow();
}
