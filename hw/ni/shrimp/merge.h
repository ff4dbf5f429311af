/*
 * The SHRIMP network interface: the open packet of blocked-write
 *
 * Stores to consecutive addresses of a page are merged into one packet (paper,
 * section 4.1). It is open, and not yet in the Outgoing FIFO, until no store can be
 * merged any more. Its words are reserved in the FIFO, so it can be closed at any
 * time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_MERGE_H
#define FUGU_SHRIMP_MERGE_H

#include "hw/fugu/ni/shrimp/shrimp.h"

void shrimp_merge_reset(ShrimpNI *ni);

/* Whether the open packet takes @size bytes from @addr on. */
bool shrimp_merge_takes(const ShrimpNI *ni, uint32_t addr, uint32_t size);

/*
 * The processor has stored @size bytes of @data at @addr, in a part for
 * blocked-write, at time @at. They go into the open packet, or into a new one. All
 * that was due before must be done, and the FIFO must have room.
 */
void shrimp_merge_store(ShrimpNI *ni, uint32_t addr, const uint8_t *data,
                        uint32_t size, int64_t at);

/* Puts the open packet, if there is one, into the Outgoing FIFO at time @at. To be
 * called before anything else enters it. */
void shrimp_merge_close(ShrimpNI *ni, int64_t at);

/* The entry of page @page is about to change at time @at: what was stored goes
 * where the old one says. */
void shrimp_merge_close_page(ShrimpNI *ni, uint32_t page, int64_t at);

/* Returns NULL, or a condition of the open packet that does not hold. */
const char *shrimp_merge_check(const ShrimpNI *ni);

extern const VMStateDescription vmstate_shrimp_open;

#endif /* FUGU_SHRIMP_MERGE_H */
