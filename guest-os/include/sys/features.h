/*
 * <sys/features.h>: what newlib's header does not say of this system. All of
 * newlib's headers include this one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SYS_FEATURES_H
#define FUGU_SYS_FEATURES_H

#include_next <sys/features.h>

/* clock_gettime(), nanosleep() and their clocks (libos/newlib/clock.c). */
#undef _POSIX_TIMERS
#undef _POSIX_MONOTONIC_CLOCK
#undef _POSIX_CPUTIME
#define _POSIX_TIMERS           200112L
#define _POSIX_MONOTONIC_CLOCK  200112L
#define _POSIX_CPUTIME          200112L

/*
 * GCC takes long for int32_t on this target. Programs from elsewhere print
 * uint32_t with %u, which is right only where it is an int.
 */
#undef __INT32_TYPE__
#undef __UINT32_TYPE__
#undef __INT_LEAST32_TYPE__
#undef __UINT_LEAST32_TYPE__
#define __INT32_TYPE__          int
#define __UINT32_TYPE__         unsigned int
#define __INT_LEAST32_TYPE__    int
#define __UINT_LEAST32_TYPE__   unsigned int

#endif
