/*
 * The bodies at the start: Plummer's model of a star cluster, by the method of
 * Aarseth, Henon and Wielen ("A comparison of numerical methods for the study
 * of star cluster dynamics", Astronomy and Astrophysics 37, 1974), in units in
 * which the gravitational constant and the mass are 1, and the energy is -1/4.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <stdlib.h>

#include "barnes.h"

#define MASS_MAX 0.999          /* of the model's mass, which reaches to
                                   infinity, the part that has bodies */

/* Fills in a vector of this length that points anywhere. */
static void anywhere(double *vector, double length)
{
    double z = 2 * drand48() - 1, angle = 2 * M_PI * drand48();
    double rest = sqrt(1 - z * z);

    vector[0] = length * rest * cos(angle);
    vector[1] = length * rest * sin(angle);
    vector[2] = length * z;
}

/*
 * Returns a speed as a part of the speed of escape. Its density is in
 * proportion to q^2 (1 - q^2)^(7/2), whose maximum is below 0.1.
 */
static double speed(void)
{
    double q, below;

    do {
        q = drand48();
        below = 0.1 * drand48();
    } while (below > q * q * pow(1 - q * q, 3.5));
    return q;
}

static void place(struct body *body, double mass)
{
    double length = 3 * M_PI / 16;      /* units of the model, in ours */
    double inside = MASS_MAX * drand48();
    double radius = 1 / sqrt(pow(inside, -2.0 / 3) - 1);
    double escape = sqrt(2) * pow(1 + radius * radius, -0.25);

    body->mass = mass;
    body->cost = 1;
    anywhere(body->position, length * radius);
    anywhere(body->velocity, escape * speed() / sqrt(length));
}

/* Moves all bodies so that the centre of gravity rests at the origin. */
static void centre(struct body *bodies, uint32_t count)
{
    for (unsigned k = 0; k < 3; k++) {
        double position = 0, velocity = 0;

        for (uint32_t i = 0; i < count; i++) {
            position += bodies[i].position[k] / count;
            velocity += bodies[i].velocity[k] / count;
        }
        for (uint32_t i = 0; i < count; i++) {
            bodies[i].position[k] -= position;
            bodies[i].velocity[k] -= velocity;
        }
    }
}

void plummer(struct body *bodies, uint32_t count, uint32_t seed)
{
    srand48(seed);
    for (uint32_t i = 0; i < count; i++) {
        place(&bodies[i], 1.0 / count);
    }
    centre(bodies, count);
}
