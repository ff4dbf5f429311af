/*
 * Which jobs begin: those of the command line, and what the scheduler's server asks
 * for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>

#include "delivery/control.h"
#include "machine/directory.h"
#include "machine/ni.h"
#include "policy/job_begin.h"
#include "policy/job_state.h"
#include "policy/listed.h"

/* ---- The command line ---------------------------------------------------- */

static const char too_little_ram[] =
    "a node's RAM is too small for it and the jobs before it";

/* Gives a GID to a job of the command line. */
static void give(uint32_t gid, uint32_t number)
{
    jobs[gid].number = number;
    jobs[gid].left = ni_nodes();
    jobs[gid].failed = jobs[gid].ending = false;
    job_gids[number] = gid;
}

/* For the start, when no program runs. Returns false if too few frames are free. */
static __attribute__((cold)) bool make_and_begin(struct process *p)
{
    enum memory_result result;

    do {
        result = process_make(p);
    } while (result == MEMORY_LATER);
    if (result == MEMORY_OK) {
        process_begin(p);
    }
    return result == MEMORY_OK;
}

/* Takes the pages of a GID. Makes the job of that number, if it begins now. */
static __attribute__((cold)) bool begin(uint32_t gid)
{
    jobs[gid].process = process_alloc(gid);
    if (!jobs[gid].process) {
        return false;
    }
    if (listed_job(gid).begins) {
        return true;
    }
    give(gid, gid);
    job_prepare(gid);
    return make_and_begin(jobs[gid].process);
}

__attribute__((cold)) const char *jobs_begin(unsigned *number)
{
    uint32_t count = listed_count();

    processes_recur = count > JOBS_MAX;
    job_processes_left = count * ni_nodes();
    for (*number = 1; *number <= count; ++*number) {
        bool later = *number > JOBS_MAX || listed_job(*number).begins;

        if (later && !directory_scheduler()) {
            return "that takes the scheduler's server";
        }
        if (*number <= JOBS_MAX && !begin(*number)) {
            return too_little_ram;
        }
    }
    return NULL;
}

__attribute__((cold)) bool job_add_server(void)
{
    const struct image_program *program = directory_scheduler();
    struct process *p;

    if (!program) {
        return true;
    }
    p = jobs[GID_SERVER].process = process_alloc(GID_SERVER);
    if (!p) {
        return false;
    }
    jobs[GID_SERVER].left = ni_nodes();
    process_prepare(p, program, program->name, strlen(program->name), "", 0);
    return make_and_begin(p);
}

/* ---- What the server asks for -------------------------------------------- */

/* Returns when a job is to be started; 0: the kernel has done so at the start. */
static uint64_t begins(uint32_t number)
{
    uint64_t time = listed_job(number).begins;

    return time || number <= JOBS_MAX ? time : 1;
}

static uint32_t state(uint32_t number)
{
    uint32_t gid = job_gids[number];
    const struct process *p = jobs[gid].process;

    if (!gid) {
        return GLAZE_JOB_WAITS;
    }
    if (jobs[gid].number != number) {
        return GLAZE_JOB_GONE;
    }
    if (jobs[gid].unmade || p->state <= PROCESS_NEW) {
        return GLAZE_JOB_STARTS;
    }
    return p->job_gone ? GLAZE_JOB_GONE : GLAZE_JOB_RUNS;
}

int32_t job_describe(uint32_t number, struct glaze_job *job)
{
    if (number - 1 >= listed_count()) {
        return -ENOENT;
    }
    job->begins = begins(number);
    job->state = state(number);
    job->gid = job_gids[number];
    return 0;
}

/* Returns whether the GID's job has gone, and the server has taken the event:
 * the next events of this GID are the next job's. */
static bool is_free(uint32_t gid)
{
    const struct process *p = jobs[gid].process;

    return jobs[gid].number && !jobs[gid].left && p->job_gone &&
           !(p->events & GLAZE_E_GONE);
}

/* Returns a free GID, one that needs no flush if possible; 0: there is none. */
static uint32_t free_gid(void)
{
    uint32_t found = 0;

    for (uint32_t gid = 1; gid <= JOBS_MAX; gid++) {
        if (is_free(gid) && (!found || jobs[gid].rest == NO_REST)) {
            found = gid;
            if (jobs[gid].rest == NO_REST) {
                break;
            }
        }
    }
    return found;
}

int32_t job_start(uint32_t number)
{
    uint32_t gid = number;

    if (ni_node()) {
        return -EINVAL;
    }
    if (number - 1 >= listed_count()) {
        return -ENOENT;
    }
    if (job_gids[number]) {
        return -EEXIST;
    }
    if (number > JOBS_MAX) {
        gid = free_gid();
    }
    if (!gid) {
        return -EAGAIN;
    }
    give(gid, number);
    jobs[gid].tell_make = true;
    jobs[gid].unmade = ni_nodes();
    job_note(gid);
    return gid;
}
