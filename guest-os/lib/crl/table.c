/*
 * The table of the regions that this node knows: its own ones, and those of
 * which it has copies. A hash table with chains, which grows with the number of
 * regions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "region.h"

#define SIZE_MIN 1024           /* of the table: a power of two */

static struct region *first_table[SIZE_MIN], **table = first_table;
static uint32_t mask = SIZE_MIN - 1, count;

/* Regions of a node have consecutive numbers: spread the nodes. */
static inline struct region **chain(rid_t rid)
{
    return &table[(RID_NUMBER(rid) ^ RID_NODE(rid) << 7) & mask];
}

struct region *crl_find(rid_t rid)
{
    struct region *r = *chain(rid);

    while (r && r->rid != rid) {
        r = r->next;
    }
    return r;
}

static void insert(struct region *r)
{
    struct region **place = chain(r->rid);

    r->next = *place;
    *place = r;
}

/* Doubles the table. Without memory the chains get longer instead. */
static void grow(void)
{
    uint32_t size = mask + 1;
    struct region **old = table, **new = calloc(2 * size, sizeof(*new));

    if (!new) {
        return;
    }
    udm_beginatom();
    table = new;
    mask = 2 * size - 1;
    for (uint32_t k = 0; k < size; k++) {
        for (struct region *r = old[k], *next; r; r = next) {
            next = r->next;
            insert(r);
        }
    }
    udm_endatom();
    if (old != first_table) {
        free(old);
    }
}

void crl_add(struct region *r)
{
    if (count > mask) {
        grow();
    }
    udm_beginatom();
    insert(r);
    count++;
    udm_endatom();
}

void crl_remove(struct region *r)
{
    struct region **place = chain(r->rid);

    while (*place != r) {
        place = &(*place)->next;
    }
    *place = r->next;
    count--;
}

void crl_each(void visit(struct region *r))
{
    for (uint32_t k = 0; k <= mask; k++) {
        for (struct region *r = table[k]; r; r = r->next) {
            visit(r);
        }
    }
}
