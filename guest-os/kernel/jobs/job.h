/*
 * Jobs: how they begin, and what nodes tell each other about them. A job is the
 * processes of one GID on all nodes. The machine ends with the last job.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_JOB_H
#define GLAZE_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "glaze.h"

/*
 * Adds a job of the command line. `name` is that of its program, `rest` the
 * rest of its words, with a space first. If `begins` is 0, makes the job's process here, which
 * begins. Otherwise the job waits until job_start() is called on node 0.
 * Returns NULL, or a text that says why the job cannot be run.
 */
const char *job_add(unsigned gid, const char *name, unsigned name_length,
                    const char *rest, unsigned length, uint64_t begins);

/*
 * Makes this node's process of the scheduler's server, if the boot image has
 * one. Returns false if too few frames are free.
 */
bool job_add_server(void);

/* Describes a job. Returns 0, or -ENOENT if there is no job of that GID. */
int32_t job_describe(uint32_t gid, struct glaze_job *job);

/*
 * Starts a job that waits, on all nodes. Returns 0, -EINVAL if this is not node
 * 0, -ENOENT if there is no job of that GID, or -EEXIST if it has been started.
 */
int32_t job_start(uint32_t gid);

/* Notes a message of another kernel about a job. */
void job_message(uint32_t operation, const uint32_t *words);

/*
 * A chore: acts on such messages. Pages may go out, and the idle process may
 * become current.
 */
void jobs_settle(void);

#endif /* GLAZE_JOB_H */
