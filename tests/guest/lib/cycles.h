/*
 * The clock: local time plus cycle-offset, in cycles.
 *
 * A read returns the time at the end of its load. So the difference between
 * two reads is what the code between them takes, plus the second load
 * (CYCLES_READ).
 */
#ifndef GUEST_CYCLES_H
#define GUEST_CYCLES_H

#include "machine.h"

#define CLOCK_HZ 25000000       /* for programs that must name a frequency */

#define CYCLES_READ 3   /* ldd from a device page: as long as a cache hit */

/* This is one ldd, whose displacement from %g0 needs no base register. */
static inline uint64_t cycles(void)
{
    return REG64((uint32_t)FUGU_NI_USER_BASE + FUGU_U_CYCLES);
}

/* The lower half of the clock, for differences of up to almost three
 * minutes at 25 MHz. */
static inline uint32_t cycles32(void)
{
    return cycles();
}

#endif
