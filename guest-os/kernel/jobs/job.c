/*
 * Jobs.
 *
 * Each node knows the GIDs of all jobs before a program runs on any node: each
 * kernel makes the same list out of the same command line. A GID is the
 * number of one job, and no other job of the run gets it.
 *
 * A job that starts later begins in two steps. Node 0 tells all nodes to make
 * their process (MAKE), and waits until all have answered (MADE). Then it tells
 * all nodes to run it (BEGIN). So each node has a process for a message before
 * any process can send one. If a node has too little memory, node 0 ends the
 * job.
 *
 * Each node tells node 0 when a process has ended. Node 0 stops the machine
 * after the last one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>

#include "directory.h"
#include "hardware.h"
#include "jobs/chores.h"
#include "jobs/end.h"
#include "jobs/job.h"
#include "message.h"
#include "ni.h"
#include "paging/evict.h"
#include "print.h"
#include "process/control.h"
#include "process/process.h"

/* The state of each job, by GID. */
static struct {
    struct process *process;    /* of this node; NULL: there is no such job */
    uint64_t begins;            /* when to start it; 0: at once */
    /* On node 0. */
    uint32_t left;              /* processes that have not ended */
    uint32_t unmade;            /* nodes that have not answered MAKE */
    bool failed;                /* a node could not make its process */
    bool started;               /* it has been started, or given up */
    bool ending;                /* all nodes have been told to end it */
    /* On node 0, for jobs_settle(). */
    bool tell_make;             /* tell all nodes to make it, */
    bool tell_begin;            /* to run it, */
    bool tell_gone;             /* that it has ended, */
    bool tell_all;              /* or to end it */
    /* On each node, for jobs_settle(). */
    bool make_here;             /* make the process of this node, */
    bool begin_here;            /* let it run, */
    bool gone_here;             /* note that the job has ended, */
    bool end_here;              /* or end it */
    uint32_t status;            /* the status to end it with */
} jobs[GID_MAX + 1];
static uint32_t processes_left;
static uint32_t first_status;
static bool give_up;            /* node 0: the server has ended */

static uint32_t nodes(void)
{
    return ni_nodes();
}

/* ---- The command line ---------------------------------------------------- */

static const char too_little_ram[] =
    "a node's RAM is too small for it and the jobs before it";

static const char *prepare(unsigned gid, const struct image_program *program,
                           const char *name, unsigned name_length,
                           const char *rest, unsigned length)
{
    struct process *p;

    if (!program) {
        return "there is no such program";
    }
    if (name_length + length > GLAZE_I_ARGS_MAX) {
        return "its arguments are too long";
    }
    p = process_prepare(gid, program, name, name_length, rest, length);
    if (!p) {
        return too_little_ram;
    }
    jobs[gid].process = p;
    jobs[gid].left = nodes();
    return NULL;
}

const char *job_add(unsigned gid, const char *name, unsigned name_length,
                    const char *rest, unsigned length, uint64_t begins)
{
    const char *wrong = prepare(gid, directory_program(name, name_length),
                                name, name_length, rest, length);

    if (wrong) {
        return wrong;
    }
    processes_left += nodes();
    jobs[gid].begins = begins;
    if (begins) {
        return NULL;
    }
    jobs[gid].started = true;
    if (!process_make(jobs[gid].process)) {
        return too_little_ram;
    }
    process_begin(jobs[gid].process);
    return NULL;
}

bool job_add_server(void)
{
    const struct image_program *program = directory_scheduler();

    if (!program) {
        return true;
    }
    if (prepare(GID_SERVER, program, program->name, strlen(program->name),
                "", 0) ||
        !process_make(jobs[GID_SERVER].process)) {
        return false;
    }
    process_begin(jobs[GID_SERVER].process);
    return true;
}

/* ---- What the server asks for -------------------------------------------- */

static bool is_job(uint32_t gid)
{
    return gid - 1 < JOBS_MAX && jobs[gid].process;
}

int32_t job_describe(uint32_t gid, struct glaze_job *job)
{
    const struct process *p = is_job(gid) ? jobs[gid].process : NULL;

    if (!p) {
        return -ENOENT;
    }
    job->begins = jobs[gid].begins;
    job->state = p->job_gone ? GLAZE_JOB_GONE :
                 p->state > PROCESS_NEW ? GLAZE_JOB_RUNS :
                 jobs[gid].started ? GLAZE_JOB_STARTS : GLAZE_JOB_WAITS;
    return 0;
}

int32_t job_start(uint32_t gid)
{
    if (ni_node()) {
        return -EINVAL;
    }
    if (!is_job(gid)) {
        return -ENOENT;
    }
    if (jobs[gid].started) {
        return -EEXIST;
    }
    jobs[gid].started = jobs[gid].tell_make = true;
    jobs[gid].unmade = nodes();
    chores_wait |= CHORE_JOBS;
    return 0;
}

/* ---- Messages ------------------------------------------------------------ */

static void note_status(uint32_t status)
{
    if (status && !first_status) {
        first_status = status;
    }
}

static void job_left(uint32_t processes)
{
    processes_left -= processes;
    if (!processes_left) {
        machine_stop(first_status);
    }
}

static void end_all(uint32_t gid, uint32_t status)
{
    if (!jobs[gid].ending) {
        jobs[gid].ending = jobs[gid].tell_all = true;
        jobs[gid].status = status;
    }
}

static void ended(uint32_t gid, uint32_t status)
{
    if (gid == GID_SERVER) {
        end_all(gid, status);   /* one server alone is of no use */
        give_up = true;
        return;
    }
    jobs[gid].tell_gone = --jobs[gid].left == 0;
    note_status(status);
    job_left(1);
}

static void made(uint32_t gid, bool well)
{
    jobs[gid].failed |= !well;
    if (--jobs[gid].unmade == 0) {
        if (jobs[gid].failed) {
            end_all(gid, STATUS_COMMAND);
        } else {
            jobs[gid].tell_begin = true;
        }
    }
}

void job_message(uint32_t operation, const uint32_t *words)
{
    uint32_t gid = words[0];

    if (gid > GID_MAX || !jobs[gid].process) {
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
    case OPERATION_END_ALL:
        end_all(gid, words[1]);
        break;
    case OPERATION_GONE:
        jobs[gid].gone_here = true;
        break;
    case OPERATION_MAKE:
        jobs[gid].make_here = true;
        break;
    case OPERATION_MADE:
        made(gid, words[1]);
        break;
    case OPERATION_BEGIN:
        jobs[gid].begin_here = true;
        break;
    default:
        panic("operation %u of another kernel", (unsigned)operation);
    }
}

/* ---- The chore ------------------------------------------------------------ */

static void tell_all(enum operation operation, uint32_t gid)
{
    uint32_t words[] = { gid, jobs[gid].status };

    for (uint32_t n = 0; n < nodes(); n++) {
        message_send(n, operation, words, 2);
    }
}

/* Clears a flag. Returns what it was. */
static bool take(bool *flag)
{
    bool was = *flag;

    *flag = false;
    return was;
}

/* Makes the process of this node, for which pages may have to go out. */
static void make(uint32_t gid)
{
    struct process *p = jobs[gid].process;
    uint32_t words[] = { gid, true };

    while (!process_make(p)) {
        if (!evict_wait()) {
            print("glaze: %s (job %u) cannot be started: node %u has too "
                  "little memory left\n", p->program->name, (unsigned)gid,
                  (unsigned)ni_node());
            process_give_up(p);
            job_tell_ended(p, STATUS_COMMAND);
            words[1] = false;
            break;
        }
    }
    message_send(0, OPERATION_MADE, words, 2);
}

static void gone(struct process *p)
{
    p->job_gone = true;
    processes_changed = true;
    process_note(p, GLAZE_E_GONE);
}

/* Ends all jobs that have not been started: without a server, none will be. */
static void give_up_all(void)
{
    for (uint32_t gid = 1; gid <= JOBS_MAX; gid++) {
        if (is_job(gid) && !jobs[gid].started) {
            jobs[gid].started = true;
            print("glaze: %s (job %u) is not started: the scheduler's server "
                  "has ended\n", jobs[gid].process->program->name,
                  (unsigned)gid);
            note_status(STATUS_COMMAND);
            job_left(nodes());
        }
    }
}

static void settle_node_0(uint32_t gid)
{
    if (take(&jobs[gid].tell_make)) {
        tell_all(OPERATION_MAKE, gid);
    }
    if (take(&jobs[gid].tell_begin)) {
        tell_all(OPERATION_BEGIN, gid);
    }
    if (take(&jobs[gid].tell_all)) {
        tell_all(OPERATION_END, gid);
    }
    if (take(&jobs[gid].tell_gone)) {
        tell_all(OPERATION_GONE, gid);
    }
}

static void settle_here(uint32_t gid)
{
    struct process *p = jobs[gid].process;

    if (take(&jobs[gid].make_here)) {
        make(gid);
    }
    if (take(&jobs[gid].begin_here) && p->state == PROCESS_NEW) {
        process_begin(p);
    }
    if (take(&jobs[gid].end_here)) {
        job_exit(p, jobs[gid].status);
    }
    if (take(&jobs[gid].gone_here)) {
        gone(p);
    }
}

void jobs_settle(void)
{
    for (uint32_t gid = 1; gid <= GID_MAX; gid++) {
        if (jobs[gid].process) {
            settle_node_0(gid);
            settle_here(gid);
        }
    }
    if (take(&give_up)) {
        give_up_all();
    }
}
