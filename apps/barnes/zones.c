/*
 * Costzones: which node moves which bodies (Singh, Holt, Totsuka, Gupta and
 * Hennessy, "Load Balancing and Data Locality in Adaptive Hierarchical N-body
 * Methods", Journal of Parallel and Distributed Computing 27, 1995). The tree
 * puts the bodies into an order in which neighbours are mostly near each other
 * in space. Each node takes a stretch of that order. The stretches had equal
 * costs in the iteration before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "barnes.h"

/* A zone while the tree is walked: it reaches from cost `from` up to `to`. */
struct search {
    struct zone *zone;
    uint64_t from, to;
    uint64_t before;            /* the cost of all that comes before */
};

static uint32_t cost_of(struct link link)
{
    uint32_t cost;

    if (is_body(link)) {
        struct body *body = body_at(link);

        rgn_start_read(body);
        cost = body->cost;
        rgn_end_read(body);
    } else {
        struct cell *cell = cell_at(link);

        rgn_start_read(cell);
        cost = cell->cost;
        rgn_end_read(cell);
    }
    return cost;
}

/* Walks through the part of a cell that touches the zone. */
static void walk(struct search *search, struct link link)
{
    struct cell *cell = cell_at(link);

    rgn_start_read(cell);
    for (unsigned octant = 0; octant < OCTANTS; octant++) {
        struct link child = cell->child[octant];
        uint32_t cost;

        if (child.item == 0 || search->before >= search->to) {
            continue;
        }
        cost = cost_of(child);
        if (is_body(child) && search->before >= search->from) {
            search->zone->bodies[search->zone->count++] = child;
        }
        if (!is_body(child) && search->before + cost > search->from) {
            walk(search, child);
        } else {
            search->before += cost;
        }
    }
    rgn_end_read(cell);
}

void zone_find(struct zone *zone, const struct tree *tree)
{
    uint64_t total = cost_of(tree->root);
    struct search search = {
        .zone = zone,
        .from = total * crl_self_addr / crl_num_nodes,
        .to = total * (crl_self_addr + 1) / crl_num_nodes,
    };

    zone->count = 0;
    walk(&search, tree->root);
}
