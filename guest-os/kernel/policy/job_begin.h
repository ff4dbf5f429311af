/*
 * Which jobs begin (job.h).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_JOB_BEGIN_H
#define GLAZE_JOB_BEGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "glaze.h"

/*
 * Takes the pages in which this node keeps processes, for the listed jobs
 * (policy/listed.h). Makes the processes of the jobs that begin at once. The
 * others wait until job_start() is called on node 0. Returns NULL, or a text that
 * says why the job *number cannot be run.
 */
const char *jobs_begin(unsigned *number);

/*
 * Makes this node's process of the scheduler's server, if the boot image has
 * one. Returns false if too few frames are free.
 */
bool job_add_server(void);

/* Describes a job by its number. Returns 0, or -ENOENT. */
int32_t job_describe(uint32_t number, struct glaze_job *job);

/*
 * Starts a job that waits, on all nodes. Returns its GID; -EINVAL if this is not
 * node 0, -ENOENT if there is no job of that number, -EEXIST if it has been
 * started, -EAGAIN if no GID is free.
 */
int32_t job_start(uint32_t number);

#endif /* GLAZE_JOB_BEGIN_H */
