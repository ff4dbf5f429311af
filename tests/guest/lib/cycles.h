/*
 * The clock: local time plus cycle-offset, in cycles.
 *
 * The value read is the time at the end of the load. So between two reads lie
 * what stands between them and the second load (CYCLES_READ).
 */
#ifndef GUEST_CYCLES_H
#define GUEST_CYCLES_H

#include "machine.h"

#define CLOCK_HZ 25000000       /* where a frequency must be named */

#define CYCLES_READ 3   /* ldd from a device page: what a hit costs */

/* One ldd: its displacement from %g0 needs no base register. */
static inline uint64_t cycles(void)
{
    return REG64((uint32_t)FUGU_NI_USER_BASE + FUGU_U_CYCLES);
}

/* Lower half, for differences: enough for almost three minutes at 25 MHz. */
static inline uint32_t cycles32(void)
{
    return cycles();
}

#endif
