/*
 * Slots of backing store: the part of the server's disk that is this node's
 * own, a page to a slot.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SLOTS_H
#define GLAZE_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

/* Most slots that a node has: 128 MiB. */
#define SLOTS_MAX       0x8000

/* This node has so many slots, all of them free. Once at most. */
void slots_init(uint32_t count);

uint32_t slots_total(void);
uint32_t slots_free(void);

/* Takes a free slot and returns its number. One must be free. */
uint32_t slot_alloc(void);

/*
 * Gives back the slot of a page. A slot that is held stays taken until its
 * release.
 */
void slot_free(uint32_t slot);

/*
 * A page is on its way to or from the slot. One slot at most is held.
 * slot_release() returns false if the slot has been given back meanwhile: the
 * page exists no more, and the slot is free.
 */
void slot_hold(uint32_t slot);
bool slot_release(uint32_t slot);

#endif /* GLAZE_SLOTS_H */
