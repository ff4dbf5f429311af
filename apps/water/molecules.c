/*
 * Molecules are CRL regions. A node creates those that it owns, and all nodes
 * map all of them at the start.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <stdlib.h>

#include "model.h"
#include "water.h"

const double atom_mass[ATOMS] = { MASS_H, MASS_O, MASS_H };

uint32_t molecules;
double box, reach_squared;

static struct molecule **mapped;    /* by number */

/* Tells all nodes the names of all regions: regions[i] of molecule i. */
static void exchange(rid_t *regions)
{
    uint32_t most = molecules / crl_num_nodes + 1, count;
    rid_t *of_node = memory(most, sizeof(*of_node));

    for (uint32_t node = 0; node < crl_num_nodes; node++) {
        if (node == crl_self_addr) {
            count = 0;
            FOR_MOLECULES_OF(node, i) {
                of_node[count++] = regions[i];
            }
            rgn_bcast_send(most * sizeof(*of_node), of_node);
        } else {
            rgn_bcast_recv(most * sizeof(*of_node), of_node);
            count = 0;
            FOR_MOLECULES_OF(node, i) {
                regions[i] = of_node[count++];
            }
        }
    }
    free(of_node);
}

void molecules_init(uint32_t count)
{
    rid_t *regions = memory(count, sizeof(*regions));

    mapped = memory(count, sizeof(*mapped));
    molecules = count;
    box = cbrt(count * (2 * MASS_H + MASS_O) * UNIT_DENSITY / DENSITY);
    reach_squared = pow(fmin(CUTOFF, box / 2), 2);
    FOR_MOLECULES_OF(crl_self_addr, i) {
        regions[i] = rgn_create(sizeof(struct molecule));
    }
    exchange(regions);
    for (uint32_t i = 0; i < count; i++) {
        mapped[i] = rgn_map(regions[i]);
    }
    free(regions);
}

struct molecule *molecule_at(uint32_t number)
{
    return mapped[number];
}
