/*
 * The motion of the molecules, by Gear's predictor and corrector (C. W. Gear,
 * "Numerical Initial Value Problems in Ordinary Differential Equations", 1971),
 * of order 6 and for equations of second order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "model.h"
#include "water.h"

enum { VALUES = ATOMS * AXES };

/* How much of the error of the acceleration goes to each derivative. */
static const double correction[ORDER + 1] = {
    863.0 / 6048, 665.0 / 1008, 1, 25.0 / 36, 35.0 / 144, 1.0 / 24, 1.0 / 360
};

/* The factor from a force on an atom to motion[2]. */
static double acceleration(unsigned atom)
{
    return TIME_STEP * TIME_STEP / 2 / atom_mass[atom];
}

static void find_centre(struct molecule *molecule)
{
    double (*place)[AXES] = molecule->motion[0];

    for (unsigned axis = 0; axis < AXES; axis++) {
        molecule->centre[axis] = (1 - CENTRE) * place[O][axis] +
            CENTRE / 2 * (place[H1][axis] + place[H2][axis]);
    }
}

/* Taylor's series: the rows of Pascal's triangle, as sums. */
static void predict(struct molecule *molecule)
{
    for (unsigned first = 0; first < ORDER; first++) {
        for (unsigned k = ORDER; k-- > first;) {
            double *to = &molecule->motion[k][0][0];
            const double *from = &molecule->motion[k + 1][0][0];

            for (unsigned i = 0; i < VALUES; i++) {
                to[i] += from[i];
            }
        }
    }
}

static void correct(struct molecule *molecule)
{
    for (unsigned atom = 0; atom < ATOMS; atom++) {
        for (unsigned axis = 0; axis < AXES; axis++) {
            double error = acceleration(atom) * molecule->force[atom][axis] -
                           molecule->motion[2][atom][axis];

            for (unsigned k = 0; k <= ORDER; k++) {
                molecule->motion[k][atom][axis] += correction[k] * error;
            }
        }
    }
}

/* Moves a molecule whose O has left the box to the other side. */
static void keep_inside(struct molecule *molecule)
{
    double (*place)[AXES] = molecule->motion[0];

    for (unsigned axis = 0; axis < AXES; axis++) {
        double shift = place[O][axis] < 0 ? box :
                       place[O][axis] >= box ? -box : 0;

        for (unsigned atom = 0; atom < ATOMS; atom++) {
            place[atom][axis] += shift;
        }
    }
}

static double kinetic_energy(const struct molecule *molecule)
{
    double energy = 0;

    for (unsigned atom = 0; atom < ATOMS; atom++) {
        const double *motion = molecule->motion[1][atom];

        energy += atom_mass[atom] * (motion[X] * motion[X] +
                                     motion[Y] * motion[Y] +
                                     motion[Z] * motion[Z]);
    }
    return energy / (2 * TIME_STEP * TIME_STEP);
}

/* ---- This node's molecules ---------------------------------------------- */

void motion_predict(void)
{
    FOR_MOLECULES_OF(crl_self_addr, i) {
        struct molecule *molecule = molecule_at(i);

        rgn_start_write(molecule);
        predict(molecule);
        rgn_end_write(molecule);
    }
}

void motion_forces(void)
{
    FOR_MOLECULES_OF(crl_self_addr, i) {
        struct molecule *molecule = molecule_at(i);

        rgn_start_write(molecule);
        find_centre(molecule);
        inside_force(molecule, molecule->force);
        rgn_end_write(molecule);
    }
}

void motion_start(void)
{
    FOR_MOLECULES_OF(crl_self_addr, i) {
        struct molecule *molecule = molecule_at(i);

        rgn_start_write(molecule);
        for (unsigned atom = 0; atom < ATOMS; atom++) {
            for (unsigned axis = 0; axis < AXES; axis++) {
                molecule->motion[2][atom][axis] =
                    acceleration(atom) * molecule->force[atom][axis];
            }
        }
        rgn_end_write(molecule);
    }
}

double motion_correct(void)
{
    double energy = 0;

    FOR_MOLECULES_OF(crl_self_addr, i) {
        struct molecule *molecule = molecule_at(i);

        rgn_start_write(molecule);
        correct(molecule);
        keep_inside(molecule);
        find_centre(molecule);
        energy += kinetic_energy(molecule);
        rgn_end_write(molecule);
    }
    return energy;
}

double motion_inside_energy(void)
{
    double energy = 0;

    FOR_MOLECULES_OF(crl_self_addr, i) {
        struct molecule *molecule = molecule_at(i);

        rgn_start_read(molecule);
        energy += inside_energy(molecule);
        rgn_end_read(molecule);
    }
    return energy;
}
