/*
 * Pages with mappings that may go out: SHRIMP_SHOOT_DOWN.
 *
 * A page of a process is *attached* as long as its frame's word says so: others may
 * send to it (PIN_IN), or its entry of the NIPT has parts (PIN_OUT). A page whose
 * mappings have parts that are missing is *closed*: a store to it faults, as does a
 * command, and the process waits until the target has been asked for them again. So no
 * store is lost, and nothing is kept for a page that is out but that it is closed, and
 * the modes of its parts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_PAGES_H
#define GLAZE_SHRIMP_PAGES_H

#include "services/shrimp/parts.h"
#include "services/shrimp/state.h"

/* Returns whether mapped pages may go out. */
static inline bool pages_may_go(void)
{
    return shrimp_paging != SHRIMP_PIN;
}

/* Returns whether a page is being shot down: no mapping to it or from it may begin. */
bool pages_goes(const struct process *p, uint32_t page);

/* Notes that others map to a page in memory. They may send to it from then on. */
void pages_attach_in(struct process *p, uint32_t page);

/* Takes that back, when nothing to it is under way: p looks again at what it waits for.
 * The page may be out. */
void pages_detach_in(struct process *p, uint32_t page);

/*
 * Sets the entries for the target's page number k, from 0, in its frame there, as far
 * as own pages are in memory. The others are closed. `anew` says that they have the
 * mapping's mode; or else the one that pages_note_modes() has noted.
 */
void pages_set(struct process *p, struct map *m, unsigned k, uint32_t frame, bool anew);

/*
 * Notes the modes of the parts of a closed page in memory, before they are cleared: the
 * process may have switched them.
 */
void pages_note_modes(struct process *p, uint32_t page);

/* Sets one piece of a page in memory. */
void pages_set_piece(struct process *p, const struct piece *piece, uint64_t part);

/*
 * Opens or closes a page, as its mappings and their entries say, and gives it its
 * command page or takes it away. Call this when either has changed.
 */
void pages_settle(struct process *p, uint32_t page);

/* Returns how many bytes of a range of whole pages come before the first page with
 * mappings of p, or to p. */
uint32_t pages_before_maps(const struct process *p, uint32_t address, uint32_t bytes);

#endif /* GLAZE_SHRIMP_PAGES_H */
