/*
 * Pins: pages with mappings stay in their frames.
 *
 * The frame's word says whose it is, and how many mappings use it: GID, mappings in,
 * mappings out. It is 0 for each other page of a process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_PINS_H
#define GLAZE_SHRIMP_PINS_H

#include "memory/frames.h"
#include "services/shrimp/state.h"

#define PIN_GID_SHIFT   24
#define PIN_IN          FRAME_PIN_IN
#define PIN_OUT         0x1

/* Returns whether a page of p has mappings. */
bool pins_has(struct process *p, uint32_t page);

/*
 * Makes the tables for the command page of a page, so that pins_add() needs no frame.
 * Returns false if no frame is free for one.
 */
bool pins_prepare(struct process *p, uint32_t page);

/*
 * Pins a page in memory, which has no view, for one more mapping, PIN_IN or PIN_OUT.
 * The process may use its command page from then on. Returns false if too many frames
 * are pinned: of the node's, half; for one process, a quarter.
 */
bool pins_add(struct process *p, uint32_t page, uint32_t which);

/* Arms a page with mappings, if others map to it: the next update interrupts. */
void pins_arm(struct process *p, uint32_t page);

/*
 * Takes that back. With its last mapping, the page loses its command page. A process
 * looks again if nothing maps to the page any more: an update may have come whose
 * interrupt will not find the page's owner.
 */
void pins_remove(struct process *p, uint32_t page, uint32_t which);

/* Returns the entry of a page's command page: not cacheable, so that no copy of the
 * kernel's goes there (memory.c). */
uint32_t pins_command_entry(uint32_t frame);

/* Returns the frame of a page in memory. */
uint32_t pins_frame(struct process *p, uint32_t page);

#endif /* GLAZE_SHRIMP_PINS_H */
