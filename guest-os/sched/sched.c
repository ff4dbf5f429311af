/*
 * The scheduler's server: loose gang scheduling (paper, section 5).
 *
 * Each node runs one server. All nodes have the same slots because their
 * servers make the same table out of the same plan, and their kernels apply it
 * by clocks that agree. The first plan has the jobs that start at once; each
 * server makes it for itself. Later the server on node 0 makes the plans: it
 * learns from its kernel that a job has begun, has ended on all nodes, or
 * should be gang-scheduled, and sends the new plan to the other servers. It
 * also starts the jobs whose time has come.
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
 * the plan should have reached all nodes. On a node that gets the plan later,
 * the table is right too, but has begun before.
 */
#define MARGIN          20000
#define MARGIN_OF_NODE  100

#define EVENTS  (GLAZE_E_BEGUN | GLAZE_E_GONE | GLAZE_E_GANG)

static struct plan plan;
static volatile bool fresh;     /* the plan has come in a message */

static void check(const char *call, int32_t result)
{
    if (result < 0) {
        fprintf(stderr, "sched: node %lu: %s: error %ld\n",
                (unsigned long)udm_node(), call, (long)-result);
        exit(1);
    }
}

/* ---- Plans --------------------------------------------------------------- */

/* Puts the plan into force on this node. No handler changes it meanwhile. */
static void install(void)
{
    static struct glaze_table table;

    udm_beginatom();
    if (plan.jobs) {
        plan_table(&plan, glaze_info(GLAZE_I_TIMESLICE), &table);
        check("schedule", glaze_schedule(&table));
    }
    udm_endatom();
}

/* Handler. Arguments: the words of a plan. */
static void take_plan(void)
{
    plan.origin = (uint64_t)udm_arg(0) << 32 | udm_arg(1);
    plan.jobs = (uint64_t)udm_arg(2) << 32 | udm_arg(3);
    plan.gang = (uint64_t)udm_arg(4) << 32 | udm_arg(5);
    udm_dispose();
    fresh = true;
}

/* Puts the plan into force on all nodes, from the same slot on. */
static void announce(void)
{
    uint32_t timeslice = glaze_info(GLAZE_I_TIMESLICE);
    uint64_t at = udm_cycles() + MARGIN + MARGIN_OF_NODE * udm_nodes();

    plan.origin = (at / timeslice + 1) * timeslice;
    for (uint32_t node = 1; node < udm_nodes(); node++) {
        udm_inject(node, take_plan, plan.origin >> 32, plan.origin,
                   plan.jobs >> 32, plan.jobs, plan.gang >> 32, plan.gang);
    }
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

/*
 * Makes the first plan: the jobs that start at once. If a plan of node 0 comes
 * meanwhile, that one counts: some of these jobs may have ended.
 */
static void first_plan(void)
{
    struct glaze_job job;

    for (uint32_t number = 1; glaze_job(number, &job) == 0; number++) {
        if (!job.begins) {
            udm_beginatom();            /* a plan may come from node 0 */
            if (!fresh) {
                plan.jobs |= bit(job.gid);
            }
            udm_endatom();
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
    struct plan before = plan;

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

    udm_beginatom();
    if (!fresh) {
        check("event", glaze_event(0, &event, GLAZE_NEVER));
    }
    udm_endatom();              /* the handler of a message runs here */
    if (fresh) {
        fresh = false;
        install();
    }
}

int main(void)
{
    first_plan();
    install();
    for (;;) {
        if (udm_node() == 0) {
            work(start_jobs());
        } else {
            follow();
        }
    }
}
