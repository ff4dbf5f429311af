/*
 * Bodies and cells are CRL regions. Each node maps a region when it first uses
 * it, and leaves it mapped, so that a body or cell is found by a look-up in a
 * table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "barnes.h"

/*
 * N bodies make fewer than N cells on a node, unless bodies are so close that
 * cells with a single cell inside are needed; twice as many leave room.
 */
static uint32_t cells_max;

uint32_t bodies;
void **mapped;                  /* bodies come first, then each node's cells */

static rid_t *cells;            /* this node's cells */
static uint32_t created, taken; /* how many there are, and are in use */

void regions_init(uint32_t count)
{
    bodies = count;
    cells_max = 2 * count;
    mapped = memory(1 + bodies + (size_t)crl_num_nodes * cells_max,
                    sizeof(*mapped));
    cells = memory(cells_max, sizeof(*cells));
}

void *region_map(struct link link)
{
    mapped[link.item] = rgn_map(link.region);
    return mapped[link.item];
}

struct link body_new(uint32_t number, const struct body *contents)
{
    struct link link = { 1 + number, rgn_create(sizeof(*contents)) };
    struct body *body = body_at(link);

    rgn_start_write(body);
    *body = *contents;
    rgn_end_write(body);
    return link;
}

void cells_forget(void)
{
    taken = 0;
}

uint32_t cells_mine(void)
{
    return taken;
}

struct link cell_mine(uint32_t k)
{
    return (struct link) {
        1 + bodies + crl_self_addr * cells_max + k, cells[k]
    };
}

struct link cell_new(double side, const struct link child[OCTANTS])
{
    struct link link;
    struct cell *cell;

    if (taken == cells_max) {
        fprintf(stderr, "barnes: node %u needs more than %lu cells: bodies are "
                "too close\n", crl_self_addr, (unsigned long)cells_max);
        abort();
    }
    if (taken == created) {
        cells[created++] = rgn_create(sizeof(*cell));
    }
    link = cell_mine(taken++);
    cell = cell_at(link);
    rgn_start_write(cell);
    cell->side_squared = side * side;
    cell->summed = 0;
    memcpy(cell->child, child, sizeof(cell->child));
    rgn_end_write(cell);
    return link;
}
