/*
 * SHRIMP's network interface, as the kernel's C code uses it: the page table of the
 * network interface (NIPT), and counts of packets (docs/machine.md, "SHRIMP's message
 * part"). Pages are named by their frames.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_NIPT_H
#define GLAZE_NIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/hardware.h"
#include "machine/ni.h"

/* The interrupts of SHRIMP's message part. */
#define NIPT_PENDING    (FUGU_PEND_ARRIVAL | FUGU_PEND_OUTGOING | FUGU_PEND_ROOM | \
                         FUGU_PEND_DROPPED)

/* Selects the page whose entry the functions below work on. */
static inline void nipt_select(uint32_t frame)
{
    write32(NI_K(NIPT_PAGE), (frame - FUGU_RAM_BASE) / FUGU_DEVICE_PAGE);
}

static inline uint32_t nipt_split(void)
{
    return read32(NI_K(NIPT_SPLIT));
}

static inline void nipt_set_split(uint32_t split)
{
    write32(NI_K(NIPT_SPLIT), split);
}

/* The two parts of a page: below the split, and from the split on. */
static inline uint64_t nipt_lower(void)
{
    return read64(NI_K(NIPT_LOWER));
}

static inline uint64_t nipt_upper(void)
{
    return read64(NI_K(NIPT_UPPER));
}

static inline void nipt_set_lower(uint64_t part)
{
    write64(NI_K(NIPT_LOWER), part);
}

static inline void nipt_set_upper(uint64_t part)
{
    write64(NI_K(NIPT_UPPER), part);
}

/* Returns a part. Bytes go to the page at `frame` of a node, `displacement` further. */
static inline uint64_t nipt_part(uint32_t mode, uint32_t node, uint32_t frame,
                                 uint32_t displacement)
{
    return (uint64_t)(mode << FUGU_NIPT_MODE_SHIFT | node) << 32 | frame |
           displacement;
}

/* Lets the page accept updates, or not. Disarms it. */
static inline void nipt_set_in(bool accepts)
{
    write32(NI_K(NIPT_IN), accepts ? FUGU_NIPT_IN_MAPPED : 0);
}

/* Packets that the node has sent, and those that are in their receivers' FIFOs. */
static inline uint32_t nipt_sent(void)
{
    return read32(NI_U(SENT));
}

/* Returns whether the first so many packets have entered their receivers' FIFOs. */
static inline bool nipt_has_credited(uint32_t sent)
{
    return (int32_t)(read32(NI_U(CREDITED)) - sent) >= 0;
}

/* Packets that have entered the Incoming FIFO. */
static inline uint32_t nipt_entered(void)
{
    return read32(NI_K(IN_ENTERED));
}

/* Returns whether the first so many packets have left the Incoming FIFO. */
static inline bool nipt_has_left(uint32_t entered)
{
    return (int32_t)(read32(NI_K(IN_LEFT)) - entered) >= 0;
}

/* Returns the frame that the engine reads; 0: it has no command. */
static inline uint32_t nipt_engine(void)
{
    uint32_t page = read32(NI_K(ENGINE_PAGE));

    return page == FUGU_SHRIMP_NO_PAGE ? 0 : FUGU_RAM_BASE + page * FUGU_DEVICE_PAGE;
}

#endif /* GLAZE_NIPT_H */
