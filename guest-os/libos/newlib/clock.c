/*
 * Time for the C library: the node's clock, which counts cycles at 25 MHz from
 * the machine's start.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "library.h"
#include "udm-thread.h"

#define CLOCK_HZ        25000000u
#define NS_PER_CYCLE    40

int gettimeofday(struct timeval *time, void *zone)
{
    uint64_t now = udm_cycles();

    (void)zone;
    time->tv_sec = now / CLOCK_HZ;
    time->tv_usec = now % CLOCK_HZ / (CLOCK_HZ / 1000000);
    return 0;
}

/*
 * The library does not know the share of this process: the time of all
 * processes of the node counts as user time.
 */
clock_t times(struct tms *times)
{
    clock_t now = udm_cycles() * CLOCKS_PER_SEC / CLOCK_HZ;

    times->tms_utime = now;
    times->tms_stime = 0;
    times->tms_cutime = 0;
    times->tms_cstime = 0;
    return now;
}

/* As times(): all time is this process's. Returns -1 with EINVAL for others than
 * RUSAGE_SELF and RUSAGE_CHILDREN. */
int getrusage(int who, struct rusage *usage)
{
    if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN) {
        errno = EINVAL;
        return -1;
    }
    *usage = (struct rusage){ 0 };
    if (who == RUSAGE_SELF) {
        gettimeofday(&usage->ru_utime, NULL);
    }
    return 0;
}

/* ---- POSIX clocks ---------------------------------------------------------- */

/* All clocks are the node's: it starts at 0, and is never set. */
static bool is_clock(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ||
           clock == CLOCK_PROCESS_CPUTIME_ID;
}

/* Returns -1 with EINVAL for a clock that does not exist. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
    uint64_t now = udm_cycles();

    if (!is_clock(clock)) {
        errno = EINVAL;
        return -1;
    }
    time->tv_sec = now / CLOCK_HZ;
    time->tv_nsec = now % CLOCK_HZ * NS_PER_CYCLE;
    return 0;
}

int clock_getres(clockid_t clock, struct timespec *resolution)
{
    if (!is_clock(clock)) {
        errno = EINVAL;
        return -1;
    }
    if (resolution) {
        *resolution = (struct timespec){ .tv_nsec = NS_PER_CYCLE };
    }
    return 0;
}

/*
 * Waits, and lets other threads of the program run meanwhile, those of lower
 * priority as well: while a thread sleeps, its priority is the lowest. The kernel
 * has no timer for programs: the process keeps its slots of time. Within an atomic
 * section no handler runs, as in any loop.
 */
static void wait_until(uint64_t end)
{
    struct udm_thread *self = LIBRARY->current;
    enum udm_priority priority = self->priority;
    bool sleeps = !in_handler();

    while (udm_cycles() < end) {
        if (sleeps) {
            self->priority = UDM_NORMAL;
            udm_thread_yield();
            self->priority = priority;
        }
    }
}

/* Returns -1 with EINVAL for a time that is negative or has too many
 * nanoseconds. No signal can end the wait, so @rest is never set. */
int nanosleep(const struct timespec *time, struct timespec *rest)
{
    (void)rest;
    if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= 1000000000) {
        errno = EINVAL;
        return -1;
    }
    wait_until(udm_cycles() + (uint64_t)time->tv_sec * CLOCK_HZ +
               (time->tv_nsec + NS_PER_CYCLE - 1) / NS_PER_CYCLE);
    return 0;
}

unsigned sleep(unsigned seconds)
{
    wait_until(udm_cycles() + (uint64_t)seconds * CLOCK_HZ);
    return 0;
}

int usleep(useconds_t microseconds)
{
    wait_until(udm_cycles() + (uint64_t)microseconds * (CLOCK_HZ / 1000000));
    return 0;
}
