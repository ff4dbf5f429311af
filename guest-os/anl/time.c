/*
 * time() and functions of times for sources that do not include <time.h>: to
 * them, and to anl.h, a time is a long.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define C(name) __asm__(#name)          /* the C library's, with 64 bits */

struct tm;

long long anl_time_64(void *place) C(time);
char *anl_ctime_64(const long long *time) C(ctime);
struct tm *anl_gmtime_64(const long long *time) C(gmtime);
struct tm *anl_localtime_64(const long long *time) C(localtime);
double anl_difftime_64(long long later, long long earlier) C(difftime);

long anl_time(long *place)
{
    long now = (long)anl_time_64(0);

    if (place) {
        *place = now;
    }
    return now;
}

char *anl_ctime(const long *time)
{
    long long wide = *time;

    return anl_ctime_64(&wide);
}

struct tm *anl_gmtime(const long *time)
{
    long long wide = *time;

    return anl_gmtime_64(&wide);
}

struct tm *anl_localtime(const long *time)
{
    long long wide = *time;

    return anl_localtime_64(&wide);
}

double anl_difftime(long later, long earlier)
{
    return anl_difftime_64(later, earlier);
}
