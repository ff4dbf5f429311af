/*
 * What the files of jobs share: job_begin.c, which decides what begins, and job.c,
 * which does what nodes tell each other.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_JOB_STATE_H
#define GLAZE_JOB_STATE_H

#include "machine/gids.h"
#include "machine/process.h"

/* On node 0: which messages of the GID's last job may be in the network. */
enum rest {
    NO_REST,                    /* none: no job has had the GID, or the job has
                                   gone and a flush has followed */
    SOME_REST,
    REST_FLUSHED,               /* none after the flush that is under way */
};

struct job_state {
    struct process *process;    /* of this node; NULL: no job gets this GID */
    uint32_t number;            /* of its job, the last one; 0: none yet */
    /* On node 0. */
    uint16_t left;              /* processes that have not ended */
    uint16_t unmade;            /* nodes that have not answered MAKE */
    uint8_t rest;               /* enum rest */
    bool failed;                /* a node could not make its process */
    bool ending;                /* all nodes have been told to end it */
    /* On node 0, for jobs_settle(). */
    bool tell_make;             /* tell all nodes to make it, */
    bool tell_begin;            /* to run it, */
    bool tell_gone;             /* that it has ended, */
    bool tell_all;              /* or to end it */
    /* On each node, for jobs_settle(). */
    bool make_told;             /* pass on that the process is to be made, */
    bool make_here;             /* make the process of this node, */
    uint8_t cleared;            /* parts of the last one that have been cleared for
                                   it; 0: all, or none yet, */
    bool prepared;              /* and that it has been begun, */
    bool begin_here;            /* let it run, */
    bool gone_here;             /* note that the job has ended, */
    bool end_here;              /* or end it */
    uint32_t status;            /* the status to end it with */
};

/* By GID; by job's number, 0: none yet; and of all jobs. */
extern struct job_state jobs[GID_MAX + 1];
extern uint8_t job_gids[GLAZE_JOBS_LISTED + 1];
extern uint32_t job_processes_left;

/* The GIDs for which jobs_settle() has something to do: on this node, and as node 0. */
extern struct gids job_to_settle, job_to_tell;

/* Lets the chore look at a GID. */
void job_note(uint32_t gid);

/* Prepares this node's process for the job that has the GID. */
void job_prepare(uint32_t gid);

#endif /* GLAZE_JOB_STATE_H */
