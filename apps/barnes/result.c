/*
 * The result: a file with a line for each body.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "barnes.h"

/* Finds the links of all bodies in a part of the tree. */
static void collect(struct link link, struct link *bodies)
{
    if (link.item == 0) {
        return;
    } else if (is_body(link)) {
        bodies[link.item - 1] = link;
    } else {
        struct cell *cell = cell_at(link);

        rgn_start_read(cell);
        for (unsigned octant = 0; octant < OCTANTS; octant++) {
            collect(cell->child[octant], bodies);
        }
        rgn_end_read(cell);
    }
}

/* Returns whether the line could be written. */
static bool write_body(FILE *file, struct body *body)
{
    bool written;

    rgn_start_read(body);
    written = fprintf(file, "%a %a %a %a %a %a\n", body->position[0],
                      body->position[1], body->position[2], body->velocity[0],
                      body->velocity[1], body->velocity[2]) > 0;
    rgn_end_read(body);
    return written;
}

bool result_write(const char *name, const struct tree *tree, uint32_t count)
{
    struct link *bodies = memory(count, sizeof(*bodies));
    FILE *file = fopen(name, "w");
    bool written = file;

    collect(tree->root, bodies);
    for (uint32_t i = 0; i < count && written; i++) {
        written = write_body(file, body_at(bodies[i]));
    }
    if (!written || fclose(file)) {
        fprintf(stderr, "barnes: %s cannot be written: %s\n", name,
                strerror(errno));
        written = false;
    }
    free(bodies);
    return written;
}
