/*
 * How processes and jobs end: the line on the console, the message to node 0,
 * and the mark on the process (process_doom()).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_END_H
#define GLAZE_END_H

#include <stdint.h>

#include "machine/process.h"

/* Exit statuses of jobs that the kernel ends. */
#define STATUS_FAULT    101     /* the program did something that it may not */
#define STATUS_OVERFLOW 102     /* out of memory */
#define STATUS_COMMAND  103     /* the command line cannot be run */
#define STATUS_CANCELLED 104    /* a task that it had let do so has ended it */

/*
 * Ends the process with a status. Its job goes on. If the process has used maps over
 * the network, node 0 learns that it has ended when its mappings have (shrimp_step()).
 */
void job_exit(struct process *p, uint32_t status);

/* Tells node 0 that the process has ended. */
void job_tell_ended(const struct process *p, uint32_t status);

/*
 * Each of these ends the process's job on all nodes and prints a line that
 * says why. job_abort() prints the program's text and, if `pc` is not 0, that
 * place in the program. job_fault() and job_fault_at() print a cause and the
 * process's pc; job_fault_at() prints an address as well. job_handler_fault() prints
 * the pc of a handler in a message slot, and an address unless that is NULL.
 */
void job_handler_fault(struct process *p, const char *cause,
                       const uint32_t *address, uint32_t pc);
void job_abort(struct process *p, uint32_t status, const char *text,
               uint32_t pc);
void job_fault(struct process *p, const char *cause);
void job_fault_at(struct process *p, const char *cause, uint32_t address);

/*
 * Ends the current process's job in the same way, because a handler has not
 * extracted its message. The line says how, and what the message is.
 */
void job_dispose_failure(const char *how);
#define ENABLED_TOO_EARLY \
    "interrupts enabled by a handler that has extracted no message"
#define ENDED_TOO_EARLY "a handler has ended without extracting a message"

/* Ends the job in the same way, because no frame is left for the process. */
void job_overflow(struct process *p);

/*
 * Ends the job in the same way, because a task of a node has cancelled it
 * (MBCF_CANCEL). May be called while a packet is handled.
 */
void job_cancel(struct process *p, uint32_t node, uint32_t task);

/*
 * Reports a message whose GID belongs to no job. No user can have sent it: the
 * network interface stamps users' GIDs, and all nodes know all jobs.
 */
void job_wrong_gid(uint32_t gid, uint32_t source);

/* Counts a message that was dropped because its process had ended. */
void job_count_dropped(void);
extern uint32_t messages_dropped;

#endif /* GLAZE_END_H */
