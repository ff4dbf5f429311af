/*
 * The start: molecules of the shape that they have at rest, near the places of
 * a cubic lattice, every other one upside down; atoms with random velocities,
 * as at TEMPERATURE.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "water.h"

#define ASIDE 0.1               /* at most, in each direction: without it, whole
                                   layers of the lattice would be right at the
                                   cutoff */

/* A random number with normal distribution (Box and Muller). */
static double normal(void)
{
    double size = sqrt(-2 * log(1 - drand48()));

    return size * cos(2 * M_PI * drand48());
}

/* What is random in a molecule. */
struct draw {
    double aside[AXES];         /* from its place in the lattice */
    double velocity[ATOMS][AXES];
};

static void draw(struct draw *draw)
{
    for (unsigned axis = 0; axis < AXES; axis++) {
        draw->aside[axis] = ASIDE * (2 * drand48() - 1);
    }
    for (unsigned atom = 0; atom < ATOMS; atom++) {
        double deviation = sqrt(BOLTZMANN * TEMPERATURE / atom_mass[atom]);

        for (unsigned axis = 0; axis < AXES; axis++) {
            draw->velocity[atom][axis] = deviation * normal();
        }
    }
}

/* Puts molecule i near its place in a lattice with `edge` in each direction. */
static void put(double place[ATOMS][AXES], uint32_t i, uint32_t edge,
                const struct draw *draw)
{
    uint32_t at[AXES] = { i % edge, i / edge % edge, i / edge / edge };
    double upright = (at[X] + at[Y] + at[Z]) % 2 ? -1 : 1;

    for (unsigned axis = 0; axis < AXES; axis++) {
        double middle = (at[axis] + 0.5) * box / edge + draw->aside[axis];

        for (unsigned atom = 0; atom < ATOMS; atom++) {
            place[atom][axis] = middle;
        }
    }
    place[H1][X] -= BOND * sin(ANGLE / 2);
    place[H2][X] += BOND * sin(ANGLE / 2);
    place[H1][Z] += upright * BOND * cos(ANGLE / 2);
    place[H2][Z] += upright * BOND * cos(ANGLE / 2);
}

/* Fills in the mean velocity of all molecules. */
static void drift(uint32_t seed, double mean[AXES])
{
    double total = molecules * (2 * MASS_H + MASS_O);

    memset(mean, 0, AXES * sizeof(*mean));
    srand48(seed);
    for (uint32_t i = 0; i < molecules; i++) {
        struct draw one;

        draw(&one);
        for (unsigned atom = 0; atom < ATOMS; atom++) {
            for (unsigned axis = 0; axis < AXES; axis++) {
                mean[axis] += atom_mass[atom] / total *
                              one.velocity[atom][axis];
            }
        }
    }
}

void initial(uint32_t seed)
{
    uint32_t edge = lrint(cbrt(molecules));
    double mean[AXES];

    drift(seed, mean);
    srand48(seed);
    for (uint32_t i = 0; i < molecules; i++) {
        struct molecule *molecule = molecule_at(i);
        struct draw one;

        draw(&one);          /* all nodes get the same numbers */
        if (i % crl_num_nodes != crl_self_addr) {
            continue;
        }
        rgn_start_write(molecule);
        memset(molecule, 0, sizeof(*molecule));
        put(molecule->motion[0], i, edge, &one);
        for (unsigned atom = 0; atom < ATOMS; atom++) {
            for (unsigned axis = 0; axis < AXES; axis++) {
                molecule->motion[1][atom][axis] =
                    (one.velocity[atom][axis] - mean[axis]) * TIME_STEP;
            }
        }
        rgn_end_write(molecule);
    }
}
