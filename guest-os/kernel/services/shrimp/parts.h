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

/* A range of offsets in one page. */
struct piece {
    uint32_t page;
    uint32_t from, to;          /* to: the first offset after it */
};

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

/* Returns whether this is one of the mapping's own pages, which it has pinned. */
static inline bool parts_covers(const struct map *m, uint32_t page)
{
    return m->state != MAP_FREE &&
           page - (m->local & -GLAZE_PAGE) < m->pinned * GLAZE_PAGE;
}

/*
 * Returns the piece of a mapping's range, whose displacement is known, that begins at
 * address `at`, and lies in one page here and in one of the target's: in *k its number.
 */
struct piece parts_next(const struct map *m, uint32_t at, unsigned *k);

/* Returns the end of the part of a mapping's range that goes to the target's page
 * number k, and its beginning in *from. */
uint32_t parts_range(const struct map *m, unsigned k, uint32_t *from);

/*
 * For a piece of a page in memory that goes to one page of the target: set its entry;
 * return whether that is set. parts_clear_page() clears the entries of all pieces that
 * go to the target's page number k, in pages in memory.
 */
void parts_set_piece(struct process *p, const struct piece *piece, uint64_t part);
bool parts_has_piece(struct process *p, const struct piece *piece);
void parts_clear_page(struct process *p, const struct map *m, unsigned k);

/* Returns the part of a mapping that its target has ended. No page of RAM has its
 * address: the node itself drops what is sent there. */
uint64_t parts_dead(const struct map *m);

#endif /* GLAZE_SHRIMP_PARTS_H */
