/*
 * Sets of GIDs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/gids.h"

/* Returns the number of the lowest bit of a word that is not 0. */
static unsigned lowest_bit(uint32_t word)
{
    unsigned bit = 0;

    if (!(word & 0xffff)) {
        word >>= 16;
        bit += 16;
    }
    if (!(word & 0xff)) {
        word >>= 8;
        bit += 8;
    }
    if (!(word & 0xf)) {
        word >>= 4;
        bit += 4;
    }
    if (!(word & 3)) {
        word >>= 2;
        bit += 2;
    }
    return word & 1 ? bit : bit + 1;
}

unsigned gids_after(const struct gids *set, unsigned gid)
{
    unsigned k = (gid + 1) / 32;
    uint32_t above = ~0u << (gid + 1) % 32;

    for (; k < GIDS_WORDS; k++) {
        if (set->word[k] & above) {
            return 32 * k + lowest_bit(set->word[k] & above);
        }
        above = ~0u;
    }
    return 0;
}
