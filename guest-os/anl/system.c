/*
 * Calls of IRIX and BSD that programs with ANL macros make, and a getpid() that
 * tells processes apart, as after fork(). They are weak: a program's own function or
 * variable of one of these names takes its place.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>
#include <sys/sysmp.h>
#include <sys/timeb.h>
#include <time.h>
#include <unistd.h>

#include "glaze-calls.h"
#include "shm.h"

#define WEAK            __attribute__((weak))
#define PIDS_A_JOB      10000   /* more than there are nodes */

/* Returns a number that no other process of the machine has at a time. */
WEAK pid_t getpid(void)
{
    return glaze_info(GLAZE_I_GID) * PIDS_A_JOB + shm_node();
}

/* Gives the processor up for a number of ticks of 10 ms; with 0, to the next
 * job, if there is one. Returns 0. */
WEAK long sginap(long ticks)
{
    if (ticks > 0) {
        usleep(ticks * 10000);
    } else {
        glaze_yield();
    }
    return 0;
}

/* Returns the number of nodes, the size of a page, or 0 where a process is
 * bound to a processor: it always is. Otherwise -1 with EINVAL. */
WEAK int sysmp(int command)
{
    switch (command) {
    case MP_NPROCS:
    case MP_NAPROCS:
        return shm_nodes();
    case MP_PGSIZE:
        return getpagesize();
    case MP_MUSTRUN:
    case MP_RUNANYWHERE:
    case MP_MUSTRUN_PID:
    case MP_RUNANYWHERE_PID:
    case MP_RESTRICT:
    case MP_EMPOWER:
    case MP_ISOLATE:
    case MP_UNISOLATE:
        return 0;
    default:
        errno = EINVAL;
        return -1;
    }
}

WEAK int ftime(struct timeb *now)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    *now = (struct timeb){ .time = time.tv_sec,
                           .millitm = time.tv_nsec / 1000000 };
    return 0;
}
