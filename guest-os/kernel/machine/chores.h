/*
 * Chores: work that the kernel does later, because a message of the second
 * network, the disk or a freed frame has asked for it.
 *
 * Any file may note a chore here. dispatch.c does the chores, when nothing
 * else is under way.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_CHORES_H
#define GLAZE_CHORES_H

#include <stdbool.h>
#include <stdint.h>

enum chore {
    CHORE_SERVER = 1,           /* the server of backing store */
    CHORE_BACKING = 2,          /* what the server has said */
    CHORE_PAGER = 4,            /* pages that processes wait for */
    CHORE_OVERFLOW = 8,         /* overflow control */
    CHORE_JOBS = 16,            /* ends of jobs */
    CHORE_MBCF = 32,            /* commands and replies that wait */
    CHORE_FREE = 64,            /* memory of processes that have ended */
    CHORE_PLAN = 128,           /* a plan that other nodes have to get */
    CHORE_PAGER_ON = 256,       /* the rest of CHORE_PAGER's work, */
    CHORE_MBCF_ON = 512,        /* and of CHORE_MBCF's */
    CHORE_SHRIMP = 1024,        /* maps over the network */
};

/* The chores that work for pages. */
#define CHORES_PAGING   (CHORE_SERVER | CHORE_BACKING | CHORE_PAGER | CHORE_PAGER_ON)

/* The chores that may have something to do: an or of the above. */
extern unsigned chores_wait;

/*
 * Notes chores for a time of the node's clock, or for an earlier one if chores_at is
 * earlier: the chore has to look at the clock.
 */
void chores_later(unsigned chores, uint64_t time);

/*
 * When the chores of chores_then are to be noted. GLAZE_NEVER: no time is set.
 * chores_set: chores_later() has set an earlier time since the scheduler has cleared
 * this. The process that goes on then has some time before the chores.
 */
extern uint64_t chores_at;
extern unsigned chores_then;
extern bool chores_set;

/*
 * Chores have had no time, because of other work: the next entry into the kernel does
 * them first, and message and page fault wait for that.
 */
extern bool chores_owed;

#endif /* GLAZE_CHORES_H */
