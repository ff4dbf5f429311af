/*
 * The scheduler's server: loose gang scheduling (paper, section 5).
 *
 * Each node runs one server. All nodes have the same slots because their
 * servers make the same table out of the same plan, and their kernels apply it
 * by clocks that agree. The first plan has the jobs that start at once; each
 * server makes it for itself. Later the server on node 0 makes the plans: it
 * learns from its kernel that a job has begun, has ended on all nodes, or
 * should be gang-scheduled, and announces the new plan, which the kernels bring to
 * the other servers. It also starts the jobs whose time has come.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "plan.h"
#include "udm.h"

/*
 * Cycles from the decision on a plan to its origin, at least: the time in which
 * all servers should have installed the plan. On a node where that takes longer,
 * the table is right too, but has begun before. tests/glaze/sched/test_plans.py
 * measures with 62 jobs, on up to 1,024 nodes.
 */
#define MARGIN          38500   /* for a server, from the plan to its table */
#define MARGIN_OF_LEVEL 3000    /* from one node to the next, in the tree */

#define EVENTS  (GLAZE_E_BEGUN | GLAZE_E_GONE | GLAZE_E_GANG)

static struct glaze_plan plan;

static void check(const char *call, int32_t result)
{
    if (result < 0) {
        fprintf(stderr, "sched: node %lu: %s: error %ld\n",
                (unsigned long)udm_node(), call, (long)-result);
        exit(1);
    }
}

/* ---- Plans --------------------------------------------------------------- */

/* Puts the plan into force on this node. */
static void install(void)
{
    static struct glaze_table table;

    if (plan.jobs) {
        plan_table(&plan, glaze_info(GLAZE_I_TIMESLICE), &table);
        check("schedule", glaze_schedule(&table));
    }
}

/* Takes the newest plan of node 0. Returns false if none has come. */
static bool take(void)
{
    int32_t result = glaze_plan(&plan);

    check("plan", result);
    return result;
}

/* Returns the most nodes through which a plan passes on its way. */
static uint32_t levels(void)
{
    uint32_t levels = 0;

    while (udm_nodes() > 1u << levels) {
        levels++;
    }
    return levels;
}

/* Puts the plan into force on all nodes, from the same slot on. */
static void announce(void)
{
    uint32_t timeslice = glaze_info(GLAZE_I_TIMESLICE);
    uint64_t at = udm_cycles() + MARGIN + MARGIN_OF_LEVEL * levels();

    plan.origin = (at / timeslice + 1) * timeslice;
    check("announce", glaze_announce(&plan));
    install();
}

/* ---- Jobs ---------------------------------------------------------------- */

/*
 * When each job that has not been started is to start, by number; 0: it has
 * been started. The array stays untouched, and so takes no page, if all jobs
 * start at once.
 */
static uint64_t begins[GLAZE_JOBS_LISTED + 1];
static uint32_t last_begins;    /* the last number that has a time */

static uint64_t bit(uint32_t gid)
{
    return (uint64_t)1 << gid;
}

/* Makes the first plan: the jobs that start at once. */
static void first_plan(void)
{
    struct glaze_job job;

    for (uint32_t number = 1; glaze_job(number, &job) == 0; number++) {
        if (!job.begins) {
            plan.jobs |= bit(job.gid);
        } else if (udm_node() == 0) {
            begins[number] = job.begins;
            last_begins = number;
        }
    }
}

/*
 * Starts the jobs whose time has come, as long as there are GIDs for them.
 * Returns when the next one starts.
 */
static uint64_t start_jobs(void)
{
    uint64_t next = GLAZE_NEVER;

    for (uint32_t number = 1; number <= last_begins; number++) {
        if (!begins[number]) {
            continue;
        }
        if (begins[number] <= udm_cycles()) {
            int32_t result = glaze_start(number);

            if (result == -EAGAIN) {
                continue;       /* tries again after the next GLAZE_E_GONE */
            }
            check("start", result);
            begins[number] = 0;
        } else if (begins[number] < next) {
            next = begins[number];
        }
    }
    return next;
}

/* Changes the plan. Returns whether it is another one now. */
static bool note(const struct glaze_event *event)
{
    struct glaze_plan before = plan;

    if (event->events & GLAZE_E_BEGUN) {
        plan.jobs |= bit(event->gid);
    }
    if (event->events & GLAZE_E_GANG) {
        plan.gang |= bit(event->gid);
    }
    if (event->events & GLAZE_E_GONE) {
        plan.jobs &= ~bit(event->gid);
        plan.gang &= ~bit(event->gid);
    }
    return plan.jobs != before.jobs || plan.gang != before.gang;
}

/* Waits for an event until a time. Takes all that there are. */
static void work(uint64_t until)
{
    struct glaze_event event;
    bool changed = false;
    int32_t got;

    while ((got = glaze_event(EVENTS, &event, until)) == 1) {
        changed |= note(&event);
        until = 0;
    }
    check("event", got);
    if (changed) {
        announce();
    }
}

/* Waits for the next plan. */
static void follow(void)
{
    struct glaze_event event;

    check("event", glaze_event(0, &event, GLAZE_NEVER));
    if (take()) {
        install();
    }
}

int main(void)
{
    first_plan();
    if (udm_node() != 0) {
        take();                 /* a plan that has come already is newer: some
                                   of these jobs have ended */
    }
    install();
    for (;;) {
        if (udm_node() == 0) {
            work(start_jobs());
        } else {
            follow();
        }
    }
}
