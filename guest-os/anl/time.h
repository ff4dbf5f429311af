/*
 * <time.h> for programs with ANL macros: the time that time(&t) fills and that
 * ctime(&t), gmtime(&t) and localtime(&t) read may be a time_t of 64 bits or a
 * long of 32. A source may declare these functions again: `char *ctime();`.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include_next <time.h>

#if !defined(ANL_TIME_H) && __SIZEOF_LONG__ == 4
#define ANL_TIME_H

long anl_time(long *place);
long long anl_time_64(void *place) __asm__("time");
char *anl_ctime_64(const long long *time) __asm__("ctime");
struct tm *anl_gmtime_64(const long long *time) __asm__("gmtime");
struct tm *anl_localtime_64(const long long *time) __asm__("localtime");
double anl_difftime_64(time_t later, time_t earlier) __asm__("difftime");

/* The time, which goes to `place` too if that is not NULL. */
static __inline__ time_t anl_time_sized(void *place, unsigned long bytes)
{
    return bytes == sizeof(long) ? anl_time((long *)place) : anl_time_64(place);
}

static __inline__ long long anl_wide(const void *time, unsigned long bytes)
{
    return bytes == sizeof(long) ? *(const long *)time
                                 : *(const long long *)time;
}

/* The size of what a pointer points to; 1 if `place` is 0. */
#define ANL_SIZE(place) sizeof(*(1 ? (place) : (void *)0))
#define ANL_WIDE(place) \
    ((const long long[1]){ anl_wide((const void *)(place), ANL_SIZE(place)) })

/* With an argument a call; without one a declaration, of nothing here. */
#define time(...)       ANL_TIME ## __VA_OPT__(_OF)(__VA_ARGS__)
#define ctime(...)      ANL_CTIME ## __VA_OPT__(_OF)(__VA_ARGS__)
#define gmtime(...)     ANL_GMTIME ## __VA_OPT__(_OF)(__VA_ARGS__)
#define localtime(...)  ANL_LOCALTIME ## __VA_OPT__(_OF)(__VA_ARGS__)
#define difftime(...)   ANL_DIFFTIME ## __VA_OPT__(_OF)(__VA_ARGS__)

#define ANL_TIME()              anl_declared_time()
#define ANL_TIME_OF(place)      anl_time_sized((void *)(place), ANL_SIZE(place))
#define ANL_CTIME()             anl_declared_ctime()
#define ANL_CTIME_OF(place)     anl_ctime_64(ANL_WIDE(place))
#define ANL_GMTIME()            anl_declared_gmtime()
#define ANL_GMTIME_OF(place)    anl_gmtime_64(ANL_WIDE(place))
#define ANL_LOCALTIME()         anl_declared_localtime()
#define ANL_LOCALTIME_OF(place) anl_localtime_64(ANL_WIDE(place))
#define ANL_DIFFTIME()          anl_declared_difftime()
#define ANL_DIFFTIME_OF(later, earlier) anl_difftime_64(later, earlier)

#endif /* ANL_TIME_H */
