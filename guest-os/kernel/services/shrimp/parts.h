/*
 * The parts of a mapping's own pages: entries of the NIPT.
 *
 * A page has two parts at most, so one boundary: where one mapping ends and another
 * one begins, where a mapping begins or ends in the page, or where the bytes of a
 * mapping go on in the next page of its target.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_PARTS_H
#define GLAZE_SHRIMP_PARTS_H

#include "services/shrimp/state.h"

/*
 * Returns 0 if the NIPT has room for the mapping, whose pages are pinned; -EBUSY if a
 * part is taken by another one; -EINVAL if a page would have two boundaries.
 */
int32_t parts_check(struct process *p, const struct map *m);

/* Sets the entries for the target's page number k, from 0, in its frame there. */
void parts_set(struct process *p, const struct map *m, unsigned k, uint32_t frame);

/*
 * Clears the entries that parts_set() has set, in pages that are still pinned. Commands
 * to the engine for these pages end. If `dead`, their updates go nowhere: the hardware
 * counts and drops them. parts_clear_last() does this for the last such page alone.
 */
void parts_clear(struct process *p, const struct map *m, bool dead);
void parts_clear_last(struct process *p, const struct map *m);

/* Returns how many pages of the target's it maps to. */
unsigned parts_pages(const struct map *m);

#endif /* GLAZE_SHRIMP_PARTS_H */
