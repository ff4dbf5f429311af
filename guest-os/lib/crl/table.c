/*
 * The table of the regions that this node knows: its own ones, and those of
 * which it has copies. A hash table with chains, which grows with the number of
 * regions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "region.h"

#define SIZE_MIN 4096           /* of the table: a power of two */

static struct region *first_table[SIZE_MIN];
static uint32_t count;          /* of regions */

struct region **crl_table = first_table;
uint32_t crl_table_mask = SIZE_MIN - 1;

static void insert(struct region *r)
{
    struct region **place = crl_chain(r->rid);

    r->next = *place;
    *place = r;
}

/* Doubles the table. Without memory the chains get longer instead. */
static void grow(void)
{
    uint32_t size = crl_table_mask + 1;
    struct region **old = crl_table, **new = calloc(2 * size, sizeof(*new));

    if (!new) {
        return;
    }
    udm_beginatom();
    crl_table = new;
    crl_table_mask = 2 * size - 1;
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
    if (count > crl_table_mask) {
        grow();
    }
    udm_beginatom();
    insert(r);
    count++;
    udm_endatom();
}

void crl_remove(struct region *r)
{
    struct region **place = crl_chain(r->rid);

    while (*place != r) {
        place = &(*place)->next;
    }
    *place = r->next;
    count--;
}

void crl_each(void visit(struct region *r))
{
    for (uint32_t k = 0; k <= crl_table_mask; k++) {
        for (struct region *r = crl_table[k]; r; r = r->next) {
            visit(r);
        }
    }
}
