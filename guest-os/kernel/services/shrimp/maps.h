/*
 * Processes with maps over the network, and the chore that works for them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_MAPS_H
#define GLAZE_SHRIMP_MAPS_H

#include "services/shrimp/state.h"

/* Gets ready for maps, if the machine has SHRIMP's interface. Call this once, at the
 * start. Returns false if too few frames are free. */
bool maps_init(void);

/* Gives the process what it needs for maps. Returns false if no frame is free. */
bool maps_open(struct process *p);

/* Notes a message of the second network. */
void maps_message(uint32_t source, uint32_t operation, const uint32_t *words);

/* The chore. */
void maps_step(void);

/*
 * The process has ended: ends its exports and mappings. Returns false if that takes
 * time. Then its memory and its GID stay as they are until maps_take_ended() returns
 * it.
 */
bool maps_end(struct process *p);
struct process *maps_take_ended(void);

/*
 * The current process waits for a page of its own. If that is in memory, but closed, it
 * waits for the page's mappings instead: returns whether that is so.
 */
bool maps_wait(void);

/*
 * The current process has accessed a command page that is not there. Returns whether
 * its own page is mapped: then the process waits, or the command page is there now.
 */
bool maps_command(uint32_t address);

/* Returns how many of these bytes, whole pages of the process, come before a page with
 * mappings. */
uint32_t maps_unmapped(struct process *p, uint32_t address, uint32_t bytes);

#endif /* GLAZE_SHRIMP_MAPS_H */
