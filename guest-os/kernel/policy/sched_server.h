/*
 * The time of the scheduler's server: when it wakes, and how long it may run.
 *
 * The server runs as soon as it can, but for no more than SCHED_SERVER_MOST cycles in
 * each window of 500,000 cycles while jobs can run. So a server that never waits costs
 * a tenth of the processor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SCHED_SERVER_H
#define GLAZE_SCHED_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/timeslot.h"

#define SCHED_SERVER_MOST   50000

/* All times are those of the node's clock. */
struct sched_server {
    uint64_t window_end;        /* of the current window */
    uint64_t since;             /* when it got the processor. The scheduler sets this,
                                   too, to leave out time of the kernel's own */
    uint32_t used;              /* cycles that it has had in the window. Those above
                                   SCHED_SERVER_MOST, while no job could run, count
                                   in the next window */
};

extern struct sched_server sched_server;

/* When the server wakes; GLAZE_NEVER: for events alone. policy.c sets this. */
extern uint64_t sched_server_deadline;

/*
 * Charges the server for the time up to t. Begins the next window, but not
 * before a job has run, however long the kernel takes.
 */
void sched_server_charge(uint64_t t);

/* Returns whether the server can run and has time left in this window. */
static inline bool sched_server_may_run(void)
{
    return timeslot_can_run(GID_SERVER) && sched_server.used < SCHED_SERVER_MOST;
}

/* Returns when its time is over if it runs from the time t on. */
static inline uint64_t sched_server_end(uint64_t t)
{
    return t + SCHED_SERVER_MOST - sched_server.used;
}

/* The server gives back what is left of its time in this window. */
static inline void sched_server_yield(void)
{
    sched_server.used = SCHED_SERVER_MOST;
}

/* Wakes the server if its time has come, or for an event. */
void sched_server_wake(void);

#endif /* GLAZE_SCHED_SERVER_H */
