/*
 * What the files of jobs share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "delivery/control.h"
#include "machine/chores.h"
#include "policy/job_state.h"
#include "policy/listed.h"

struct job_state jobs[GID_MAX + 1];
uint8_t job_gids[GLAZE_JOBS_LISTED + 1];
uint32_t job_processes_left;
struct gids job_to_settle, job_to_tell;

void job_note(uint32_t gid)
{
    gids_add(&job_to_settle, gid);
    gids_add(&job_to_tell, gid);
    chores_wait |= CHORE_JOBS;
}

__attribute__((cold)) void job_prepare(uint32_t gid)
{
    struct listed job = listed_job(jobs[gid].number);

    process_prepare(jobs[gid].process, job.program, job.name, job.name_length,
                    job.rest, job.rest_length);
    jobs[gid].process->number = jobs[gid].number;
    jobs[gid].process->info->job = jobs[gid].number;
}
