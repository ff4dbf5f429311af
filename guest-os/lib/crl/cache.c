/*
 * Memory of regions. Copies that no map needs stay, in a cache, until there are
 * too many of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "region.h"

/* Unmapped remote copies, in the order in which they were unmapped. */
static struct region *oldest, *newest;
static unsigned count;

void crl_cache_put(struct region *r)
{
    r->next_unmapped = NULL;
    r->last_unmapped = newest;
    if (newest) {
        newest->next_unmapped = r;
    } else {
        oldest = r;
    }
    newest = r;
    count++;
}

void crl_cache_take(struct region *r)
{
    if (r->last_unmapped) {
        r->last_unmapped->next_unmapped = r->next_unmapped;
    } else {
        oldest = r->next_unmapped;
    }
    if (r->next_unmapped) {
        r->next_unmapped->last_unmapped = r->last_unmapped;
    } else {
        newest = r->last_unmapped;
    }
    count--;
}

void crl_forget(struct region *r)
{
    crl_remove(r);
    crl_cache_take(r);
    crl_counts_keep(r);
    r->word = 0;
    free(r);
}

/* Drops the copy that was unmapped first. Enters in an atomic section. */
static void evict(void)
{
    struct region *r = oldest;

    crl_counts.evictions++;
    if (r->state == EXCLUSIVE) {
        r->state = INVALID;
        r->demand = EVICT;
        crl_counts.flushes++;
        crl_send(r, FLUSH);
    }
    if (r->sending) {
        if (r->demand == NO_DEMAND) {
            r->demand = EVICT;
        }
        udm_endatom();
        crl_drain();            /* crl_sent() forgets the region */
        udm_beginatom();
    } else {
        crl_forget(r);
    }
}

void crl_cache_trim(unsigned most)
{
    udm_beginatom();
    while (count > most) {
        evict();
    }
    udm_endatom();
}

struct region *crl_allocate(rid_t rid, unsigned size, bool zero)
{
    uint32_t bytes = (size + 7) & ~7;
    struct region *r = NULL;

    if (bytes >= size) {
        r = memalign(16, sizeof(*r) + bytes);
        if (!r) {
            crl_cache_trim(0);
            r = memalign(16, sizeof(*r) + bytes);
        }
    }
    if (!r) {
        crl_mistake(rid, "no memory is left for the region");
    }
    memset(r, 0, sizeof(*r) + (zero ? bytes : 0));
    r->rid = rid;
    r->size = size;
    r->bytes = bytes;
    r->word = WORD_SLOW;
    return r;
}
