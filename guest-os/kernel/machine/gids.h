/*
 * Sets of GIDs, a bit for each. A search in a set looks at no process, so it costs
 * about the same for one process and for all.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_GIDS_H
#define GLAZE_GIDS_H

#include <stdbool.h>
#include <stdint.h>

#define GIDS_WORDS      2       /* for GID_MAX (process.h) */

struct gids {
    uint32_t word[GIDS_WORDS];  /* bit GID % 32 of word GID / 32 */
};

static inline void gids_add(struct gids *set, unsigned gid)
{
    set->word[gid / 32] |= 1u << gid % 32;
}

static inline void gids_remove(struct gids *set, unsigned gid)
{
    set->word[gid / 32] &= ~(1u << gid % 32);
}

static inline bool gids_has(const struct gids *set, unsigned gid)
{
    return set->word[gid / 32] >> gid % 32 & 1;
}

/* Returns the GIDs of set a that are in set b, or are not. */
static inline struct gids gids_both(const struct gids *a, const struct gids *b)
{
    struct gids set;

    for (unsigned k = 0; k < GIDS_WORDS; k++) {
        set.word[k] = a->word[k] & b->word[k];
    }
    return set;
}

static inline struct gids gids_less(const struct gids *a, const struct gids *b)
{
    struct gids set;

    for (unsigned k = 0; k < GIDS_WORDS; k++) {
        set.word[k] = a->word[k] & ~b->word[k];
    }
    return set;
}

/*
 * Returns the lowest GID of the set above this one; 0, which is GID_NONE, if there is
 * none. So gids_after(set, GID_NONE) is the lowest of all.
 */
unsigned gids_after(const struct gids *set, unsigned gid);

/* Begins a loop over the GIDs of a set. */
#define gids_each(gid, set) \
    for (unsigned gid = gids_after(set, GID_NONE); gid; gid = gids_after(set, gid))

#endif /* GLAZE_GIDS_H */
