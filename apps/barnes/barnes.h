/*
 * What the files of barnes share: bodies and cells as CRL regions, and the
 * steps of an iteration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef BARNES_H
#define BARNES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crl.h"

#define THETA 1.0               /* a cell of side s, at a distance of more than
                                   s / THETA, counts as one body */
#define SOFTENING 0.05          /* added to distances, in squares */
#define TIME_STEP 0.025

enum {
    OCTANTS = 8,
    LEVELS_MAX = 40,            /* levels of cells, one inside the other. The
                                   centres of cells are exact in doubles */
};

/*
 * Returns zeroed memory for `count` things of `size` bytes. Ends the job if
 * there is none. (barnes.c)
 */
void *memory(size_t count, size_t size);

/* ---- Regions (regions.c) ------------------------------------------------ */

/*
 * A link leads to a body or to a cell. `item` numbers bodies and cells, so that
 * each node finds the place where it has mapped the region in a table.
 */
struct link {
    uint32_t item;              /* 0: to nothing; 1 to N: to body item - 1 of
                                   the N bodies; more: to a cell */
    rid_t region;
};

/* A body's region. */
struct body {
    double mass, position[3], velocity[3], acceleration[3];
    uint32_t cost;              /* interactions in the last iteration */
};

/*
 * A cell's region: a cube that contains two bodies or more. Each octant is
 * empty, or it has a body, or a cell that divides it.
 */
struct cell {
    double mass, position[3];   /* of all bodies in the cell: their sum, and
                                   the centre of gravity */
    double side_squared;
    uint32_t cost;              /* the sum of the bodies' */
    uint32_t summed;            /* the iteration to which mass, position and
                                   cost belong; 0: they are not known yet */
    struct link child[OCTANTS];
};

extern uint32_t bodies;         /* their number */
extern void **mapped;           /* by item: where its region is; NULL: this
                                   node has not mapped it yet */

/* All nodes call it, before all else, with the number of bodies. */
void regions_init(uint32_t count);

static inline bool is_body(struct link link)
{
    return link.item <= bodies;
}

/* Maps a region for the first time. */
void *region_map(struct link link);

static inline void *region_at(struct link link)
{
    void *region = mapped[link.item];

    return region ? region : region_map(link);
}

static inline struct body *body_at(struct link link)
{
    return region_at(link);
}

static inline struct cell *cell_at(struct link link)
{
    return region_at(link);
}

/* Makes a region for body `number` of 0 to N - 1, with this contents. */
struct link body_new(uint32_t number, const struct body *contents);

/*
 * Cells belong to the node that has made them, and are used again in the next
 * iteration. cells_forget() makes this node's cells free again. cell_new()
 * takes the next free one, creates a region if there is none, and sets its side
 * and octants. cell_mine(k) is the k-th of the cells_mine() cells taken.
 */
void cells_forget(void);
struct link cell_new(double side, const struct link child[OCTANTS]);
struct link cell_mine(uint32_t k);
uint32_t cells_mine(void);

/* ---- The bodies at the start (plummer.c) -------------------------------- */

/* Fills in bodies[0] to bodies[count - 1]; all nodes get the same. */
void plummer(struct body *bodies, uint32_t count, uint32_t seed);

/* ---- Steps of an iteration ---------------------------------------------- */

/* The bodies that this node moves. */
struct zone {
    struct link *bodies;
    uint32_t count;
};

/* The tree: a cube around the origin that all bodies are in. */
struct tree {
    struct link root;
    double side;
};

/*
 * tree.c. All nodes: builds the tree of the bodies of all zones. `iteration`
 * counts from 1. Returns when the tree is complete.
 */
void tree_build(struct tree *tree, const struct zone *zone,
                uint32_t iteration);

/*
 * zones.c. Replaces the bodies of the zone by others: divides all bodies, in
 * the order of the tree, into one zone a node, of equal cost. All nodes call
 * it.
 */
void zone_find(struct zone *zone, const struct tree *tree);

/* gravity.c. Sets acceleration and cost of each body of the zone. */
void gravity(const struct tree *tree, const struct zone *zone);

/*
 * motion.c. Moves the bodies of the zone for one time step. Their velocities
 * belong to the middle of a time step: `first` says that they still belong to
 * its beginning.
 */
void zone_move(const struct zone *zone, bool first);

/* ---- The result (result.c) ---------------------------------------------- */

/*
 * Writes a file with a line for each body, in their order at the start:
 * position and velocity in hexadecimal, which loses no bit. Finds the bodies
 * in the tree. One node calls it. Returns false, and says why, if the file
 * cannot be written.
 */
bool result_write(const char *name, const struct tree *tree, uint32_t bodies);

#endif /* BARNES_H */
