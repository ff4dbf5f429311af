/*
 * The force on a body (Barnes and Hut, "A hierarchical O(N log N)
 * force-calculation algorithm", Nature 324, 1986): a walk through the tree
 * that takes a cell as one body if it is far away for its size, and otherwise
 * looks at what is in it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "barnes.h"

/* What is still to be visited: of each level, at most the other octants. */
struct visit {
    struct link link;
    double side_squared;
};

enum { VISITS_MAX = LEVELS_MAX * (OCTANTS - 1) + 1 };

/* The body that feels the force. */
struct sufferer {
    uint32_t item;
    double position[3];
    double *acceleration;
    uint64_t cost;
};

static inline double way_to(const struct sufferer *to, const double *from,
                            double *way)
{
    for (unsigned k = 0; k < 3; k++) {
        way[k] = from[k] - to->position[k];
    }
    return way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
}

/* Adds the attraction of a mass at this way and square of its length. */
static inline void attract(struct sufferer *to, double mass, const double *way,
                           double squared)
{
    double softened = squared + SOFTENING * SOFTENING;
    double factor = mass / (softened * __builtin_sqrt(softened));

    for (unsigned k = 0; k < 3; k++) {
        to->acceleration[k] += factor * way[k];
    }
    to->cost++;
}

static void visit_body(struct sufferer *to, struct body *body)
{
    double way[3], squared;

    rgn_start_read(body);
    squared = way_to(to, body->position, way);
    attract(to, body->mass, way, squared);
    rgn_end_read(body);
}

/*
 * Adds the attraction of a cell that is far away. Of any other cell, puts what
 * is in it on the stack, the first octant on top. Returns the new top.
 */
static struct visit *visit_cell(struct sufferer *to, struct cell *cell,
                                double side_squared, struct visit *top)
{
    double way[3], squared;

    rgn_start_read(cell);
    squared = way_to(to, cell->position, way);
    if (side_squared < THETA * THETA * squared) {
        attract(to, cell->mass, way, squared);
    } else {
        for (unsigned octant = OCTANTS; octant-- > 0;) {
            if (cell->child[octant].item != 0) {
                *top++ = (struct visit) {
                    cell->child[octant], side_squared * 0.25
                };
            }
        }
    }
    rgn_end_read(cell);
    return top;
}

static void suffer(const struct tree *tree, struct sufferer *to)
{
    struct visit stack[VISITS_MAX], *top = stack;

    *top++ = (struct visit) { tree->root, tree->side * tree->side };
    while (top > stack) {
        struct visit visit = *--top;

        if (!is_body(visit.link)) {
            top = visit_cell(to, cell_at(visit.link), visit.side_squared, top);
        } else if (visit.link.item != to->item) {
            visit_body(to, body_at(visit.link));
        }
    }
}

void gravity(const struct tree *tree, struct zone *zone)
{
    for (uint32_t i = 0; i < zone->count; i++) {
        struct body *body = body_at(zone->bodies[i]);
        struct sufferer to = {
            .item = zone->bodies[i].item,
            .acceleration = zone->acceleration[i],
        };

        rgn_start_read(body);
        for (unsigned k = 0; k < 3; k++) {
            to.position[k] = body->position[k];
            to.acceleration[k] = 0;
        }
        rgn_end_read(body);
        suffer(tree, &to);
        zone->cost[i] = to.cost;
    }
}
