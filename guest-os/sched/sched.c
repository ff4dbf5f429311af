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

static void install(void)
{
    static struct glaze_table table;

    if (plan.jobs) {
        plan_table(&plan, glaze_info(GLAZE_I_TIMESLICE), &table);
        check("schedule", glaze_schedule(&table));
    }
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

static uint64_t waiting;        /* bit GID: the job has not been started */

static uint64_t bit(uint32_t gid)
{
    return (uint64_t)1 << gid;
}

/* Makes the first plan: the jobs that start at once. */
static void first_plan(void)
{
    struct glaze_job job;

    for (uint32_t gid = 1; glaze_job(gid, &job) == 0; gid++) {
        if (job.begins) {
            waiting |= bit(gid);
        } else {
            plan.jobs |= bit(gid);
        }
    }
}

/* Starts the jobs whose time has come. Returns when the next one starts. */
static uint64_t start_jobs(void)
{
    uint64_t next = GLAZE_NEVER;
    struct glaze_job job;

    for (uint32_t gid = 1; waiting >> gid; gid++) {
        if (!(waiting & bit(gid))) {
            continue;
        }
        check("job", glaze_job(gid, &job));
        if (job.begins <= udm_cycles()) {
            check("start", glaze_start(gid));
            waiting &= ~bit(gid);
        } else if (job.begins < next) {
            next = job.begins;
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

/* Takes events until there is none, and waits for one until a time. */
static void work(uint64_t until)
{
    struct glaze_event event;
    bool changed = false;
    int32_t got;

    while ((got = glaze_event(EVENTS, &event, changed ? 0 : until)) == 1) {
        changed |= note(&event);
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
