/*
 * Tasks of MBCF. A process becomes a task by MBCF_OPEN. From then on it has a
 * page that the kernel writes and the task reads (struct mbcf_page). The rest
 * of the page is the kernel's: nothing there is a secret from the task.
 *
 * A task's number on its node is its GID, and for an agent the number of the
 * agent, from 1 on, times 256 in addition.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_TASK_H
#define GLAZE_TASK_H

#include "services/mbcf/packet.h"
#include "machine/process.h"

/*
 * A command that the task has requested, or that it waits for a reply to. A
 * slot is free if `ticket` is 0.
 */
struct slot {
    uint32_t ticket;
    uint32_t node, target;      /* where the command went */
    uint32_t local;             /* where the result goes */
    uint32_t bytes;             /* that the command moves */
    uint32_t status;            /* where the status goes; 0: nowhere */
    uint8_t options;
    bool silent;                /* a reply comes only on failure */
    bool arrived;               /* the reply has come, and waits for a page */
    uint32_t body;              /* the frame that has the reply's bytes; 0 */
    struct packet reply;
};

/* Nodes with the same number modulo WAITS share a time to wait. */
#define WAITS 16

/* Commands that wait for a page, and those of one packet for which the kernel has had
 * no time: it has done the others. */
#define TASK_ASIDE      (MBCF_ASIDE + 10)

struct mbcf_task {
    struct mbcf_page page;
    struct slot slot[MBCF_SLOTS];
    struct mbcf_entry entry[MBCF_ENTRIES];
    struct mbcf_agent agent[MBCF_AGENTS];
    /* Commands that wait, in the order in which they came; a ring. */
    struct packet aside[TASK_ASIDE];
    uint32_t aside_first, aside_count;
    uint32_t agents_made;
    uint32_t silent;            /* slots in use that are silent */
    uint32_t silent_kept;       /* of those, slots whose reply waits for a page */
    /* Programs to invoke, the oldest first. */
    struct mbcf_invocation invocation[MBCF_INVOCATIONS];
    uint32_t invocations;
    uint32_t queue;             /* frame of the first messages; 0: none */
    uint32_t queue_first, queue_count;
    uint64_t not_before[WAITS]; /* by node: a cycle before which the task may
                                   request nothing of the node (load.h) */
    uint32_t patterns;          /* frame of the multicasting patterns, and */
    uint32_t casts;             /* of multicasts under way; 0: none */
    uint32_t patterns_count;
};

_Static_assert(sizeof(struct mbcf_task) <= GLAZE_PAGE, "one page");

/*
 * What a call of a process has done that had no time for the rest: the process makes it
 * again. It lies in the second half of the process's own page. A program that breaks
 * such a call off, and then makes another one with the same arguments, may get bytes of
 * the first one: its own.
 */
struct mbcf_call {
    uint32_t list, count;       /* MBCF_REQUEST: arguments, */
    uint32_t ready;             /* and how many commands are in part[] */
    uint32_t part[MBCF_COMBINED_MAX][PACKET_PART];
    struct mbcf_taken {         /* MBCF_TAKE: arguments, the entry, */
        uint32_t fifo, to, head, bytes;
    } taken;
    uint32_t taken_bytes;       /* and how many of its bytes have been moved */
};

_Static_assert(sizeof(struct process) <= GLAZE_PAGE / 2 &&
               sizeof(struct mbcf_call) <= GLAZE_PAGE / 2, "in one page");

static inline struct mbcf_call *task_call(struct process *p)
{
    return (struct mbcf_call *)((uint32_t)p + GLAZE_PAGE / 2);
}

/*
 * Makes a process a task; nothing happens if it is one. Returns false if no
 * frame is free: the process has to wait for one (memory_wait_for_frame()). keys_init()
 * must have returned true.
 */
bool task_open(struct process *p);

/*
 * Gives back what a process has as a task, when it ends: all but the multicasts
 * under way (casts_close()).
 */
void task_close(struct process *p);

/* Returns command number k of those that wait, the oldest first; k < TASK_ASIDE. */
static inline struct packet *task_aside(struct mbcf_task *t, uint32_t k)
{
    uint32_t at = t->aside_first + k;   /* a division would take 60 cycles */

    return &t->aside[at < TASK_ASIDE ? at : at - TASK_ASIDE];
}

/* The processes that are tasks now, in all of this node. */
extern unsigned tasks_open;

/*
 * A page for the kernel's use while it handles one packet.
 * task_scratch_is_there() takes a frame for it at the first call, and returns
 * false if none is free.
 */
extern uint32_t task_scratch;
bool task_scratch_is_there(void);

/*
 * Returns such a page from which bytes are copied to this address of p: another one, if
 * the first would collide with the address's page in the cache, or with the next, and
 * if a frame was left for it. A copy of a page takes 5,000 cycles more if the two
 * collide.
 */
uint32_t task_scratch_beside(struct process *p, uint32_t address);

/* Returns the second of these pages, which the fast paths do not use; 0: a READ keeps
 * it. A task must be there. */
uint32_t task_scratch_second(void);

/* Lends that page to a READ that waits and finds no free frame, until task_body_free().
 * Returns 0 if another one has it. */
uint32_t task_scratch_lend(void);

/* Frees the frame of the body of a command that has waited; 0: it has none. */
void task_body_free(uint32_t body);

/* Returns a colour of which a frame collides neither with the page at this address of a
 * process nor with the next one. */
unsigned task_colour_beside(uint32_t address);

/* Returns the process of a GID if it is a task; NULL. */
struct process *task_of(uint32_t gid);

/*
 * Checks that a key opens a task or its agent. Returns MBCF_DONE, MBCF_NO_TASK
 * or MBCF_BAD_KEY.
 */
uint32_t task_check(const struct process *p, uint32_t agent, uint64_t key);

/*
 * Finds a logical task in the table of a process, which is a task. Returns false
 * if there is no such entry.
 */
bool task_find(const struct process *p, uint32_t logical,
               struct mbcf_entry *entry);

#endif /* GLAZE_TASK_H */
