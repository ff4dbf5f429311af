/*
 * The SHRIMP network interface: the Network Interface Page Table
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_NIPT_H
#define FUGU_SHRIMP_NIPT_H

#include "hw/fugu/ni/shrimp/shrimp.h"

extern const VMStateDescription vmstate_shrimp_nipt;

void shrimp_nipt_init(ShrimpNI *ni);
void shrimp_nipt_reset(ShrimpNipt *nipt);

/* Returns whether the physical address @addr is in RAM; sets *@page to the number
 * of its page then. */
bool shrimp_nipt_page(const ShrimpNipt *nipt, uint32_t addr, uint32_t *page);

/* Where the bytes of RAM go from a physical address on. */
typedef struct ShrimpRoute {
    uint32_t mode;              /* FUGU_NIPT_*; NOTHING: not mapped out */
    uint32_t node;
    uint32_t dest;              /* physical address there */
    uint32_t part_bytes;        /* up to the end of the part */
    uint32_t bytes;             /* up to the end of the part or of the page
                                   there: at most so many are in one packet */
} ShrimpRoute;

/* Returns the route from @addr, which may be outside of RAM. */
ShrimpRoute shrimp_nipt_route(const ShrimpNipt *nipt, uint32_t addr);

/* Whether a part of @page is mapped out. */
bool shrimp_nipt_is_out(const ShrimpNipt *nipt, uint32_t page);

/* Changes the parts and the split of an entry. */
void shrimp_nipt_set_part(ShrimpNipt *nipt, uint32_t page, unsigned part,
                          ShrimpPart value);
/* Changes the mode of the part that has @addr, which must be in RAM. */
void shrimp_nipt_set_mode(ShrimpNipt *nipt, uint32_t addr, uint32_t mode);
/* Changes who may send to a page: @in is FUGU_NIPT_IN_*. */
void shrimp_nipt_set_in(ShrimpNipt *nipt, uint32_t page, uint32_t in);

/* An update has come to @page: if it was armed, its arrival interrupts. */
void shrimp_nipt_arrive(ShrimpNipt *nipt, uint32_t page);
/* The kernel has taken the arrival of @page. */
void shrimp_nipt_take_arrival(ShrimpNipt *nipt, uint32_t page);
/* Returns the lowest page with an arrival, or FUGU_SHRIMP_NO_PAGE. */
uint32_t shrimp_nipt_arrival(const ShrimpNipt *nipt);

/* Returns NULL, or a condition of the table that does not hold. */
const char *shrimp_nipt_check(ShrimpNI *ni);

#endif /* FUGU_SHRIMP_NIPT_H */
