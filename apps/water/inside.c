/*
 * The potential inside of a molecule. See model.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>

#include "model.h"
#include "water.h"

/* The shape of a molecule. Bond 0 is that of H1, bond 1 that of H2. */
struct shape {
    double bond[2][AXES];       /* from O, of length 1 */
    double length[2];
    double cosine, sine;        /* of the angle */
    double s, t, b;             /* the two stretches, and the bend */
};

static double product(const double *a, const double *b)
{
    return a[X] * b[X] + a[Y] * b[Y] + a[Z] * b[Z];
}

static void look(struct shape *shape, const struct molecule *molecule)
{
    const double (*place)[AXES] = molecule->motion[0];

    for (unsigned k = 0; k < 2; k++) {
        const double *hydrogen = place[k == 0 ? H1 : H2];
        double *bond = shape->bond[k];

        for (unsigned axis = 0; axis < AXES; axis++) {
            bond[axis] = hydrogen[axis] - place[O][axis];
        }
        shape->length[k] = sqrt(product(bond, bond));
        for (unsigned axis = 0; axis < AXES; axis++) {
            bond[axis] /= shape->length[k];
        }
    }
    shape->cosine = product(shape->bond[0], shape->bond[1]);
    shape->sine = sqrt(1 - shape->cosine * shape->cosine);
    shape->s = shape->length[0] - BOND;
    shape->t = shape->length[1] - BOND;
    shape->b = (acos(shape->cosine) - ANGLE) * BOND;
}

double inside_energy(const struct molecule *molecule)
{
    struct shape shape;
    double s, t, b, two, three, four;

    look(&shape, molecule);
    s = shape.s;
    t = shape.t;
    b = shape.b;
    two = (K11 * (s * s + t * t) + K33 * b * b) / 2 + K12 * s * t +
          K13 * (s + t) * b;
    three = K111 * (s * s * s + t * t * t) + K333 * b * b * b +
            (K112 * (s + t) + K123 * b) * s * t +
            (K113 * (s * s + t * t) + K133 * (s + t) * b) * b;
    four = K1111 * (s * s * s * s + t * t * t * t) + K3333 * b * b * b * b +
           (K1112 * (s * s + t * t) + K1122 * s * t + K1123 * (s + t) * b +
            K1233 * b * b) * s * t +
           (K1113 * (s * s * s + t * t * t) + K1133 * (s * s + t * t) * b +
            K1333 * (s + t) * b * b) * b;
    return two + three / BOND + four / (BOND * BOND);
}

/* The derivative of the energy by stretch s. By t: with s and t exchanged. */
static double by_stretch(double s, double t, double b)
{
    double two = K11 * s + K12 * t + K13 * b;
    double three = 3 * K111 * s * s + K112 * (2 * s + t) * t +
                   (2 * K113 * s + K123 * t + K133 * b) * b;
    double four = 4 * K1111 * s * s * s + K1112 * (3 * s * s + t * t) * t +
                  2 * K1122 * s * t * t +
                  (3 * K1113 * s * s + K1123 * (2 * s + t) * t) * b +
                  (2 * K1133 * s + K1233 * t + K1333 * b) * b * b;

    return two + three / BOND + four / (BOND * BOND);
}

/* The derivative of the energy by the bend. */
static double by_bend(double s, double t, double b)
{
    double two = K33 * b + K13 * (s + t);
    double three = 3 * K333 * b * b + K113 * (s * s + t * t) + K123 * s * t +
                   2 * K133 * (s + t) * b;
    double four = 4 * K3333 * b * b * b + K1113 * (s * s * s + t * t * t) +
                  K1123 * (s + t) * s * t +
                  2 * (K1133 * (s * s + t * t) + K1233 * s * t) * b +
                  3 * K1333 * (s + t) * b * b;

    return two + three / BOND + four / (BOND * BOND);
}

void inside_force(const struct molecule *molecule, double force[ATOMS][AXES])
{
    struct shape shape;
    double stretch[2], bend;

    look(&shape, molecule);
    stretch[0] = by_stretch(shape.s, shape.t, shape.b);
    stretch[1] = by_stretch(shape.t, shape.s, shape.b);
    bend = by_bend(shape.s, shape.t, shape.b) * BOND / shape.sine;
    for (unsigned axis = 0; axis < AXES; axis++) {
        for (unsigned k = 0; k < 2; k++) {
            double here = shape.bond[k][axis], there = shape.bond[1 - k][axis];

            force[k == 0 ? H1 : H2][axis] =
                bend * (there - shape.cosine * here) / shape.length[k] -
                stretch[k] * here;
        }
        force[O][axis] = -force[H1][axis] - force[H2][axis];
    }
}
