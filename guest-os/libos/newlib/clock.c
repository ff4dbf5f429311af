/*
 * Time for the C library: the node's clock, which counts cycles at 25 MHz from
 * the machine's start.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

#include "library.h"

#define CLOCK_HZ 25000000u

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
