/*
 * Jobs.
 *
 * Each node knows the GIDs of all jobs before a program runs on any node: each
 * kernel makes the same list out of the same command line. Each node tells
 * node 0 when a process has ended. Node 0 stops the machine after the last
 * one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "hardware.h"
#include "jobs/end.h"
#include "jobs/job.h"
#include "message.h"
#include "ni.h"
#include "print.h"
#include "process/process.h"

/* The state of each job, by GID. */
static struct {
    /* On node 0. */
    uint32_t left;              /* processes that have not ended */
    bool ending;                /* all nodes have been told to end it */
    /* On node 0, for jobs_settle(). */
    bool tell_gone;             /* tell all nodes that it has ended, */
    bool tell_all;              /* or to end it */
    /* On each node, for jobs_settle(). */
    bool end_here;              /* end the process of this node */
    uint32_t status;            /* the status to end it with */
} jobs[JOBS_MAX + 1];
static uint32_t processes_left;
static uint32_t first_status;

static uint32_t nodes(void)
{
    return ni_nodes();
}

void job_begin(unsigned gid)
{
    jobs[gid].left = nodes();
    processes_left += nodes();
}

static void ended(uint32_t gid, uint32_t status)
{
    jobs[gid].tell_gone = --jobs[gid].left == 0;
    if (status && !first_status) {
        first_status = status;
    }
    if (--processes_left == 0) {
        machine_stop(first_status);
    }
}

static void tell_all(enum operation operation, uint32_t gid)
{
    uint32_t words[] = { gid, jobs[gid].status };

    for (uint32_t n = 0; n < nodes(); n++) {
        message_send(n, operation, words, 2);
    }
}

void job_message(uint32_t operation, const uint32_t *words)
{
    uint32_t gid = words[0];

    if (gid > JOBS_MAX || !processes[gid]) {
        return;                 /* there is no such job */
    }
    switch (operation) {
    case OPERATION_ENDED:
        ended(gid, words[1]);
        break;
    case OPERATION_END:
        jobs[gid].end_here = true;
        jobs[gid].status = words[1];
        break;
    case OPERATION_GONE:
        processes[gid]->job_gone = true;
        break;
    case OPERATION_END_ALL:
        if (!jobs[gid].ending) {
            jobs[gid].ending = jobs[gid].tell_all = true;
            jobs[gid].status = words[1];
        }
        break;
    default:
        panic("operation %u of another kernel", (unsigned)operation);
    }
}

void jobs_settle(void)
{
    for (uint32_t gid = 1; gid <= JOBS_MAX; gid++) {
        if (jobs[gid].tell_all) {
            jobs[gid].tell_all = false;
            tell_all(OPERATION_END, gid);
        }
        if (jobs[gid].tell_gone) {
            jobs[gid].tell_gone = false;
            tell_all(OPERATION_GONE, gid);
        }
        if (jobs[gid].end_here) {
            jobs[gid].end_here = false;
            job_exit(processes[gid], jobs[gid].status);
        }
    }
}
