/*
 * Jobs: the processes of one GID on all nodes. How they end, and with them
 * the machine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_JOB_H
#define GLAZE_JOB_H

#include <stdint.h>

#include "process.h"

/* Exit statuses of jobs that the kernel ends. */
#define STATUS_FAULT    101     /* the program did something that it may not */
#define STATUS_OVERFLOW 102     /* out of memory */
#define STATUS_COMMAND  103     /* the command line cannot be run */

/*
 * Makes the processes of all jobs of the command line, and leaves frames for
 * the server. Else, or if there are no jobs, the machine ends.
 */
void jobs_create(void);

/*
 * The jobs cannot be run, which all nodes find alike: the machine ends, with
 * a line that says why, before any program runs. NULL: it has been said.
 */
void jobs_refuse(const char *why) __attribute__((noreturn));

/* The process ends with a status; its job goes on. */
void job_exit(struct process *p, uint32_t status);

/*
 * The job of the process ends on all nodes, with a line that says why: in the
 * program's words, or a mistake of its at the pc, perhaps about an address.
 */
void job_abort(struct process *p, uint32_t status, const char *text);
void job_fault(struct process *p, const char *cause);
void job_fault_at(struct process *p, const char *cause, uint32_t address);

/* No frame was left for it. */
void job_overflow(struct process *p);

/*
 * A message has come from a node with a GID that no job has. Not a user's: the
 * NI stamps theirs, and all nodes know all jobs.
 */
void job_wrong_gid(uint32_t gid, uint32_t source);

/* A message for a process that had ended was dropped. */
void job_count_dropped(void);

/* A message of the second network that concerns jobs: notes its words. */
void job_message(uint32_t operation, const uint32_t *words);

/* A chore: what such messages have asked for. */
void jobs_settle(void);

extern uint32_t messages_dropped;

#endif /* GLAZE_JOB_H */
