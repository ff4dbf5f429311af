/*
 * The registers of the M-Machine's message part that C uses (docs/machine.md).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_MM_REGS_H
#define GLAZE_MM_REGS_H

#include "machine/hardware.h"
#include "machine/ni.h"

/* The register of a priority. */
static inline uint32_t mm_read(uint32_t reg, unsigned priority)
{
    return read32(reg + 4 * priority);
}

static inline void mm_write(uint32_t reg, unsigned priority, uint32_t value)
{
    write32(reg + 4 * priority, value);
}

/* Word i of the entry of the GTLB that has been selected; of the handlers'. */
static inline void mm_segment_word(unsigned i, uint32_t value)
{
    write32(NI_K(MM_SEGMENT) + 4 * i, value);
}

static inline void mm_handler_word(unsigned i, uint32_t value)
{
    write32(NI_K(MM_ENTRY) + 4 * i, value);
}

#endif /* GLAZE_MM_REGS_H */
