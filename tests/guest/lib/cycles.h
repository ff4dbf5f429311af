/*
 * The clock: local time plus cycle-offset, in cycles.
 *
 * The value read is that at which the load starts: it counts all that was
 * executed before, and not the load. So between two reads lie the first
 * load (CYCLES_READ) and what stands between them.
 */
#ifndef GUEST_CYCLES_H
#define GUEST_CYCLES_H

#include "machine.h"

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
