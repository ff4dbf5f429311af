/*
 * <time.h> for programs with ANL macros: time(&t) fills t, which may be a time_t
 * of 64 bits or a long of 32.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include_next <time.h>

#if !defined(ANL_TIME_H) && __SIZEOF_LONG__ == 4
#define ANL_TIME_H

long anl_time(long *place);
long long anl_time_64(void *place) __asm__("time");

/* The time, which goes to `place` too if that is not NULL. */
static __inline__ time_t anl_time_sized(void *place, unsigned long bytes)
{
    return bytes == sizeof(long) ? anl_time((long *)place) : anl_time_64(place);
}

#define time(place) \
    anl_time_sized((void *)(place), sizeof(*(1 ? (place) : (void *)0)))

#endif /* ANL_TIME_H */
