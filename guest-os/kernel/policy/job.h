/*
 * Jobs: what nodes tell each other about them. A job is the processes of one GID on
 * all nodes. The machine ends with the last job.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_JOB_H
#define GLAZE_JOB_H

#include <stdint.h>

/* Notes a message of another kernel about a job. */
void job_message(uint32_t operation, const uint32_t *words);

/*
 * A chore: acts on such messages. Pages may go out, and the idle process may
 * become current.
 */
void jobs_settle(void);

#endif /* GLAZE_JOB_H */
