/*
 * The force on a body (Barnes and Hut, "A hierarchical O(N log N)
 * force-calculation algorithm", Nature 324, 1986): a walk through the tree
 * that takes a cell as one body if it is far away for its size, and otherwise
 * looks at what is in it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "barnes.h"

#define INLINE static inline __attribute__((always_inline))

/* Unrolled, so that vectors are in registers. */
#define FOR_AXES(k) _Pragma("GCC unroll 3") for (unsigned k = 0; k < 3; k++)

/* At most the other octants of each level wait for their visit. */
enum { WAITING_MAX = LEVELS_MAX * (OCTANTS - 1) + 1 };

/* The body that feels the force. */
struct sufferer {
    uint32_t item;
    double position[3], acceleration[3];
    uint32_t cost;
};

INLINE double way_to(const struct sufferer *to, const double *from,
                     double *way)
{
    FOR_AXES(k) {
        way[k] = from[k] - to->position[k];
    }
    return way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
}

/* Adds the attraction of a mass at this way and square of its length. */
INLINE void attract(struct sufferer *to, double mass, const double *way,
                    double squared)
{
    double softened = squared + SOFTENING * SOFTENING;
    double factor = mass / (softened * __builtin_sqrt(softened));

    FOR_AXES(k) {
        to->acceleration[k] += factor * way[k];
    }
    to->cost++;
}

INLINE void visit_body(struct sufferer *to, struct body *body)
{
    double way[3], squared;

    rgn_start_read(body);
    squared = way_to(to, body->position, way);
    attract(to, body->mass, way, squared);
    rgn_end_read(body);
}

/*
 * Adds the attraction of a cell that is far away. Of any other cell, adds what
 * is in it to the waiting, the first octant last. Returns their new end.
 */
INLINE struct link *visit_cell(struct sufferer *to, struct cell *cell,
                               struct link *end)
{
    double way[3], squared;

    rgn_start_read(cell);
    squared = way_to(to, cell->position, way);
    if (cell->side_squared < THETA * THETA * squared) {
        attract(to, cell->mass, way, squared);
    } else {
        for (unsigned octant = OCTANTS; octant-- > 0;) {
            struct link child = cell->child[octant];

            if (child.item != 0) {
                *end++ = child;
            }
        }
    }
    rgn_end_read(cell);
    return end;
}

static void suffer(const struct tree *tree, struct sufferer *to)
{
    struct link waiting[WAITING_MAX], *end = waiting;
    struct sufferer here = *to;

    *end++ = tree->root;
    while (end > waiting) {
        struct link link = *--end;

        if (!is_body(link)) {
            end = visit_cell(&here, cell_at(link), end);
        } else if (link.item != here.item) {
            visit_body(&here, body_at(link));
        }
    }
    *to = here;
}

void gravity(const struct tree *tree, const struct zone *zone)
{
    for (uint32_t i = 0; i < zone->count; i++) {
        struct body *body = body_at(zone->bodies[i]);
        struct sufferer to = { .item = zone->bodies[i].item };

        rgn_start_read(body);
        FOR_AXES(k) {
            to.position[k] = body->position[k];
        }
        rgn_end_read(body);
        suffer(tree, &to);
        rgn_start_write(body);
        FOR_AXES(k) {
            body->acceleration[k] = to.acceleration[k];
        }
        body->cost = to.cost;
        rgn_end_write(body);
    }
}
