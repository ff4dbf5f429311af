/*
 * Memory of regions. Copies that no map needs stay, in a cache, until there are
 * too many of them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
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
    crl_free(r);
}

void crl_free(struct region *r)
{
    r->word = 0;
    free(r->memory);
}

void crl_touch(struct region *r)
{
    volatile char *data = (volatile char *)r->data;

    for (uint32_t k = 0; k < r->bytes; k += GLAZE_PAGE) {
        data[k] = 0;
    }
    data[r->bytes - 1] = 0;
    r->state = INVALID;
}

/* Drops the copy that was unmapped first. Enters in an atomic section. */
static void evict(void)
{
    struct region *r = oldest;

    crl_counts.evictions++;
    if (r->state == EXCLUSIVE) {
        r->demand = EVICT;
        crl_remote_send(r, INVALID, FLUSH);
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
    struct region *r;
    void *memory = NULL;        /* a multiple of 8 */

    if (size < 1u << 31) {
        memory = malloc(sizeof(*r) + bytes + 8);
        if (!memory) {
            crl_cache_trim(0);
            memory = malloc(sizeof(*r) + bytes + 8);
        }
    }
    if (!memory) {
        crl_mistake(rid, "no memory is left for the region");
    }
    r = (struct region *)(((uintptr_t)memory + 15) & -16);
    memset(r, 0, sizeof(*r) + (zero ? bytes : 0));
    r->memory = memory;
    r->rid = rid;
    r->size = size;
    r->bytes = bytes;
    r->word = WORD_SLOW;
    return r;
}
