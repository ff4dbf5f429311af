/*
 * All pairs of molecules. Each molecule meets the half of the molecules that
 * follow it, in a ring; these pairs are the task of the node that owns the
 * first molecule.
 *
 * The node adds up the forces of its pairs in memory of its own, and then adds
 * these sums to the molecules, each once.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "water.h"

/* The forces of this node's pairs, by molecule. */
static double (*force)[ATOMS][AXES];

void between_init(void)
{
    force = memory(molecules, sizeof(*force));
}

/*
 * How many of the molecules that follow it molecule i meets. If their number is
 * even, two molecules are opposite to each other in the ring, and the first one
 * meets the second one.
 */
static uint32_t followers(uint32_t i)
{
    return molecules % 2 == 1 || i < molecules / 2 ? molecules / 2 :
                                                     molecules / 2 - 1;
}

/* Calls the function for each pair of this node, and adds up the results. */
static inline __attribute__((always_inline)) double
for_pairs(double (*meet)(uint32_t i, const struct molecule *a, uint32_t j,
                         const struct molecule *b))
{
    double sum = 0;

    FOR_MOLECULES_OF(crl_self_addr, i) {
        struct molecule *a = molecule_at(i);
        uint32_t j = i;

        rgn_start_read(a);
        for (uint32_t k = followers(i); k > 0; k--) {
            struct molecule *b;

            j = j + 1 < molecules ? j + 1 : 0;
            b = molecule_at(j);
            rgn_start_read(b);
            sum += meet(i, a, j, b);
            rgn_end_read(b);
        }
        rgn_end_read(a);
    }
    return sum;
}

static inline double meet_force(uint32_t i, const struct molecule *a,
                                uint32_t j, const struct molecule *b)
{
    pair_force(a, b, force[i], force[j]);
    return 0;
}

static inline double meet_energy(uint32_t i, const struct molecule *a,
                                 uint32_t j, const struct molecule *b)
{
    (void)i;
    (void)j;
    return pair_energy(a, b);
}

void between_forces(void)
{
    memset(force, 0, molecules * sizeof(*force));
    for_pairs(meet_force);
}

/* A node begins with its own molecules, so that nodes do not meet. */
void between_add(void)
{
    for (uint32_t k = 0; k < crl_num_nodes; k++) {
        FOR_MOLECULES_OF((crl_self_addr + k) % crl_num_nodes, i) {
            struct molecule *molecule = molecule_at(i);

            rgn_start_write(molecule);
            for (unsigned atom = 0; atom < ATOMS; atom++) {
                for (unsigned axis = 0; axis < AXES; axis++) {
                    molecule->force[atom][axis] += force[i][atom][axis];
                }
            }
            rgn_end_write(molecule);
        }
    }
}

double between_energy(void)
{
    return for_pairs(meet_energy);
}
