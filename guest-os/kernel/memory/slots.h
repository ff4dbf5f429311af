/*
 * Slots of backing store: this node's part of the server's disk. A slot holds
 * one page.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SLOTS_H
#define GLAZE_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

/* The most slots that a node has: 128 MiB. */
#define SLOTS_MAX       0x8000

/* Gives this node `count` slots, all of them free. Call this at most once. */
void slots_init(uint32_t count);

uint32_t slots_total(void);
uint32_t slots_free(void);

/*
 * Takes a free slot and returns its number. Caller must know that one is free.
 */
uint32_t slot_alloc(void);

/*
 * Gives back the slot of a page. A slot that is held stays taken until its
 * release.
 */
void slot_free(uint32_t slot);

/*
 * Hold a slot while a page is on its way to or from it. At most one slot is
 * held. slot_release() returns false if the slot has been given back in the
 * meantime: the page exists no more, and the slot is free.
 */
void slot_hold(uint32_t slot);
bool slot_release(uint32_t slot);

#endif /* GLAZE_SLOTS_H */
