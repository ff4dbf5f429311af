/*
 * The tree. All nodes insert their bodies into it at the same time. Then each
 * node computes masses and centres of gravity of the cells that it has made.
 *
 * Neither the shape of the tree nor the order in which a cell's sums are added
 * depends on the order in which bodies are inserted. So any number of nodes
 * computes the same bits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "barnes.h"

static const struct link nothing[OCTANTS];

/* ---- Cubes -------------------------------------------------------------- */

struct cube {
    double centre[3], side;
};

/* Returns the octant of the cube that a place is in. */
static unsigned octant_of(const struct cube *cube, const double *place)
{
    return (place[0] >= cube->centre[0]) | (place[1] >= cube->centre[1]) << 1 |
           (place[2] >= cube->centre[2]) << 2;
}

/* Makes the cube one of its octants. */
static void narrow(struct cube *cube, unsigned octant)
{
    cube->side /= 2;
    for (unsigned k = 0; k < 3; k++) {
        cube->centre[k] += (octant >> k & 1 ? 0.5 : -0.5) * cube->side;
    }
}

/*
 * Returns the side of the cube around the origin that all bodies are in: a
 * power of two, so that halves are exact.
 */
static double common_side(const struct zone *zone)
{
    double farthest = 0, side = 1;

    for (uint32_t i = 0; i < zone->count; i++) {
        struct body *body = body_at(zone->bodies[i]);

        rgn_start_read(body);
        for (unsigned k = 0; k < 3; k++) {
            farthest = fmax(farthest, fabs(body->position[k]));
        }
        rgn_end_read(body);
    }
    farthest = rgn_reduce_dmax(farthest);
    while (side <= 2 * farthest) {
        side *= 2;
    }
    return side;
}

/* ---- Inserting ---------------------------------------------------------- */

static void position_of(struct link link, double *position)
{
    struct body *body = body_at(link);

    rgn_start_read(body);
    for (unsigned k = 0; k < 3; k++) {
        position[k] = body->position[k];
    }
    rgn_end_read(body);
}

/* Makes a cell for a cube with one body in it. */
static struct link divided(const struct cube *cube, struct link body)
{
    struct link child[OCTANTS] = { { 0 } };
    double position[3];

    position_of(body, position);
    child[octant_of(cube, position)] = body;
    return cell_new(cube->side, child);
}

/*
 * Puts the body into an octant of the cell, if that octant is empty. If a body
 * is there, divides the octant. The octant may have changed since the caller
 * has looked. Returns whether the body has its place.
 */
static bool put(struct cell *cell, const struct cube *cube, unsigned octant,
                struct link body)
{
    struct link *child = &cell->child[octant];
    bool empty;

    rgn_start_write(cell);
    empty = child->item == 0;
    if (empty) {
        *child = body;
    } else if (is_body(*child)) {
        struct cube part = *cube;

        narrow(&part, octant);
        *child = divided(&part, *child);
    }
    rgn_end_write(cell);
    return empty;
}

static void insert(const struct tree *tree, struct link body)
{
    struct cube cube = { .side = tree->side };
    struct link link = tree->root;
    double position[3];

    position_of(body, position);
    for (unsigned level = 0; level < LEVELS_MAX; level++) {
        struct cell *cell = cell_at(link);
        unsigned octant = octant_of(&cube, position);

        do {
            rgn_start_read(cell);
            link = cell->child[octant];
            rgn_end_read(cell);
            if (is_body(link) && put(cell, &cube, octant, body)) {
                return;
            }
        } while (is_body(link));
        narrow(&cube, octant);
    }
    fprintf(stderr, "barnes: two bodies are at the same place\n");
    abort();
}

/* ---- Sums --------------------------------------------------------------- */

struct sum {
    double mass, moment[3];
    uint32_t cost;
};

static void add(struct sum *sum, double mass, const double *position,
                uint32_t cost)
{
    sum->mass += mass;
    for (unsigned k = 0; k < 3; k++) {
        sum->moment[k] += mass * position[k];
    }
    sum->cost += cost;
}

/* Adds a cell, once its sums are complete. Another node may compute them. */
static void add_cell(struct sum *sum, struct cell *cell, uint32_t iteration)
{
    bool summed;

    do {
        rgn_start_read(cell);
        summed = cell->summed == iteration;
        if (summed) {
            add(sum, cell->mass, cell->position, cell->cost);
        }
        rgn_end_read(cell);
    } while (!summed);
}

static void add_body(struct sum *sum, struct body *body)
{
    rgn_start_read(body);
    add(sum, body->mass, body->position, body->cost);
    rgn_end_read(body);
}

static void sum_up(struct cell *cell, uint32_t iteration)
{
    struct sum sum = { 0 };

    rgn_start_read(cell);
    for (unsigned octant = 0; octant < OCTANTS; octant++) {
        struct link child = cell->child[octant];

        if (child.item == 0) {
            continue;
        } else if (is_body(child)) {
            add_body(&sum, body_at(child));
        } else {
            add_cell(&sum, cell_at(child), iteration);
        }
    }
    rgn_end_read(cell);
    rgn_start_write(cell);
    cell->mass = sum.mass;
    for (unsigned k = 0; k < 3; k++) {
        cell->position[k] = sum.moment[k] / sum.mass;
    }
    cell->cost = sum.cost;
    cell->summed = iteration;
    rgn_end_write(cell);
}

/* ---- All together ------------------------------------------------------- */

void tree_build(struct tree *tree, const struct zone *zone,
                uint32_t iteration)
{
    tree->side = common_side(zone);
    cells_forget();
    if (crl_self_addr == 0) {
        tree->root = cell_new(tree->side, nothing);
        rgn_bcast_send(sizeof(tree->root), &tree->root);
    } else {
        rgn_bcast_recv(sizeof(tree->root), &tree->root);
    }
    for (uint32_t i = 0; i < zone->count; i++) {
        insert(tree, zone->bodies[i]);
    }
    rgn_barrier();
    /*
     * The newest cell first. A cell inside another one is newer, whichever
     * nodes have made the two, so no two nodes wait for each other.
     */
    for (uint32_t k = cells_mine(); k-- > 0;) {
        sum_up(cell_at(cell_mine(k)), iteration);
    }
    rgn_barrier();
}
