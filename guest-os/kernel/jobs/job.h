/*
 * Jobs: the processes of one GID on all nodes. How they end, and with them
 * the machine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_JOB_H
#define GLAZE_JOB_H

#include <stdint.h>

/* A job begins on all nodes: each of them has a process to end. */
void job_begin(unsigned gid);

/* A message of the second network that concerns jobs: notes its words. */
void job_message(uint32_t operation, const uint32_t *words);

/* A chore: what such messages have asked for. */
void jobs_settle(void);

#endif /* GLAZE_JOB_H */
