/*
 * time() and functions of times for sources that do not include <time.h>: to
 * them, and to anl.h, a time is a long. They are weak, because a program may have a
 * variable or function of its own with one of the names, and call another.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define C(name) __asm__(#name)          /* the C library's, with 64 bits */
#define WEAK __attribute__((weak))

struct tm;

long long anl_time_64(void *place) C(time);
char *anl_ctime_64(const long long *time) C(ctime);
struct tm *anl_gmtime_64(const long long *time) C(gmtime);
struct tm *anl_localtime_64(const long long *time) C(localtime);
double anl_difftime_64(long long later, long long earlier) C(difftime);

WEAK long anl_time(long *place)
{
    long now = (long)anl_time_64(0);

    if (place) {
        *place = now;
    }
    return now;
}

WEAK char *anl_ctime(const long *time)
{
    long long wide = *time;

    return anl_ctime_64(&wide);
}

WEAK struct tm *anl_gmtime(const long *time)
{
    long long wide = *time;

    return anl_gmtime_64(&wide);
}

WEAK struct tm *anl_localtime(const long *time)
{
    long long wide = *time;

    return anl_localtime_64(&wide);
}

WEAK double anl_difftime(long later, long earlier)
{
    return anl_difftime_64(later, earlier);
}
