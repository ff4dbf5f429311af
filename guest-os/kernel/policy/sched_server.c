/*
 * The time that the scheduler's server gets from the processor.
 *
 * The scheduler calls this file: schedule.c before each choice, and settle.c when work
 * has been done that may wake the server.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/hardware.h"
#include "policy/sched_server.h"

#define WINDOW  500000  /* cycles */

struct sched_server sched_server;
uint64_t sched_server_deadline = GLAZE_NEVER;

void sched_server_charge(uint64_t t)
{
    if (current->gid == GID_SERVER && process_can_run(current)) {
        uint64_t used = sched_server.used + (t - sched_server.since);

        sched_server.used = used < 2 * SCHED_SERVER_MOST ? used : 2 * SCHED_SERVER_MOST;
    }
    sched_server.since = t;
    if (t >= sched_server.window_end && current->gid != GID_SERVER) {
        sched_server.window_end = t + WINDOW;
        sched_server.used = sched_server.used > SCHED_SERVER_MOST
                            ? sched_server.used - SCHED_SERVER_MOST : 0;
    }
}

void sched_server_wake(void)
{
    bool due = sched_server_deadline != GLAZE_NEVER && now() >= sched_server_deadline;

    if (due || process_noted) {
        sched_server_deadline = due ? GLAZE_NEVER : sched_server_deadline;
        process_noted = false;
        if (process_server()) {
            process_wake(processes[GID_SERVER]);
        }
    }
}
