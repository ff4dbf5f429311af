/*
 * The potential between two molecules. See model.h.
 *
 * Of a molecule and its images in the repetitions of the box, only the nearest
 * one counts. Molecules have no net charge, so that nothing jumps much at the
 * cutoff.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <stddef.h>

#include "model.h"
#include "water.h"

#define INLINE static inline __attribute__((always_inline))

/*
 * The functions below compute energies and forces; the compiler drops what a
 * caller does not use.
 */
struct effect {
    double energy;
    double push;                /* force, divided by the distance */
};

INLINE struct effect charges(double product, double inverse)
{
    return (struct effect) {
        product * inverse, product * inverse * inverse * inverse
    };
}

INLINE struct effect exponential(double a, double b, double distance,
                                 double inverse)
{
    double energy = a * exp(-b * distance);

    return (struct effect) { energy, b * energy * inverse };
}

INLINE struct effect both(struct effect one, struct effect other)
{
    return (struct effect) {
        one.energy + other.energy, one.push + other.push
    };
}

/* ---- Two places --------------------------------------------------------- */

/* The way from place b of the nearest image to place a. */
struct way {
    double along[AXES], distance, inverse;
};

INLINE double square(const double *along)
{
    return along[X] * along[X] + along[Y] * along[Y] + along[Z] * along[Z];
}

INLINE struct way between(const double *a, const double *b,
                          const double *shift)
{
    struct way way;

    for (unsigned axis = 0; axis < AXES; axis++) {
        way.along[axis] = a[axis] - b[axis] - shift[axis];
    }
    way.distance = sqrt(square(way.along));
    way.inverse = 1 / way.distance;
    return way;
}

/*
 * How far the nearest image of b is moved. Returns whether the molecules are
 * near enough to act on each other.
 */
INLINE bool nearest(const struct molecule *a, const struct molecule *b,
                    double *shift)
{
    double along[AXES];

#pragma GCC unroll 3
    for (unsigned axis = 0; axis < AXES; axis++) {
        along[axis] = a->motion[0][O][axis] - b->motion[0][O][axis];
        shift[axis] = along[axis] > box / 2 ? box :
                      along[axis] < -box / 2 ? -box : 0;
        along[axis] -= shift[axis];
    }
    return square(along) < reach_squared;
}

/* ---- Two molecules ------------------------------------------------------ */

/* The force on three atoms and the negative charge of each molecule. */
enum { M = ATOMS, SITES };

struct forces {
    double a[SITES][AXES], b[SITES][AXES];
};

INLINE const double *site_of(const struct molecule *molecule, unsigned site)
{
    return site == M ? molecule->centre : molecule->motion[0][site];
}

INLINE void push(struct forces *forces, unsigned site_a, unsigned site_b,
                 const struct way *way, struct effect effect)
{
    for (unsigned axis = 0; axis < AXES; axis++) {
        forces->a[site_a][axis] += effect.push * way->along[axis];
        forces->b[site_b][axis] -= effect.push * way->along[axis];
    }
}

/* How site p of a molecule and site q of another one act on each other. */
INLINE struct effect effect_of(unsigned p, unsigned q, const struct way *way)
{
    double distance = way->distance, inverse = way->inverse;

    if (p == O && q == O) {
        return exponential(A_OO, B_OO, distance, inverse);
    } else if (p == M && q == M) {
        return charges(4 * CHARGE_SQUARED, inverse);
    } else if (p == M || q == M) {
        return charges(-2 * CHARGE_SQUARED, inverse);
    } else if (p == O || q == O) {
        return both(exponential(A_OH, B_OH, distance, inverse),
                    exponential(-A_OH_ATTRACTION, B_OH_ATTRACTION, distance,
                                inverse));
    } else {
        return both(exponential(A_HH, B_HH, distance, inverse),
                    charges(CHARGE_SQUARED, inverse));
    }
}

/* Whether O, which has no charge, meets M, which is nothing but a charge. */
INLINE bool is_nothing(unsigned p, unsigned q)
{
    return (p == O && q == M) || (p == M && q == O);
}

/* Returns the energy; `forces` may be NULL. */
INLINE double act(const struct molecule *a, const struct molecule *b,
                  const double *shift, struct forces *forces)
{
    double energy = 0;

#pragma GCC unroll 4
    for (unsigned p = 0; p < SITES; p++) {
#pragma GCC unroll 4
        for (unsigned q = 0; q < SITES; q++) {
            if (!is_nothing(p, q)) {
                struct way way = between(site_of(a, p), site_of(b, q), shift);
                struct effect effect = effect_of(p, q, &way);

                energy += effect.energy;
                if (forces) {
                    push(forces, p, q, &way, effect);
                }
            }
        }
    }
    return energy;
}

double pair_energy(const struct molecule *a, const struct molecule *b)
{
    double shift[AXES];

    return nearest(a, b, shift) ? act(a, b, shift, NULL) : 0;
}

/* Adds forces on the sites to those on the atoms. */
static void add(double atoms[ATOMS][AXES], double sites[SITES][AXES])
{
    for (unsigned axis = 0; axis < AXES; axis++) {
        double centre = sites[M][axis];

        atoms[H1][axis] += sites[H1][axis] + CENTRE / 2 * centre;
        atoms[O][axis] += sites[O][axis] + (1 - CENTRE) * centre;
        atoms[H2][axis] += sites[H2][axis] + CENTRE / 2 * centre;
    }
}

void pair_force(const struct molecule *a, const struct molecule *b,
                double force_a[ATOMS][AXES], double force_b[ATOMS][AXES])
{
    double shift[AXES];

    if (nearest(a, b, shift)) {
        struct forces forces = { 0 };

        act(a, b, shift, &forces);
        add(force_a, forces.a);
        add(force_b, forces.b);
    }
}
