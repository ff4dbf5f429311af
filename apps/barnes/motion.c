/*
 * The motion of the bodies, by the leapfrog method: velocities belong to the
 * middle of the time steps, between the positions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "barnes.h"

void zone_move(const struct zone *zone, bool first)
{
    double kick = first ? TIME_STEP / 2 : TIME_STEP;

    for (uint32_t i = 0; i < zone->count; i++) {
        struct body *body = body_at(zone->bodies[i]);

        rgn_start_write(body);
        for (unsigned k = 0; k < 3; k++) {
            body->velocity[k] += kick * body->acceleration[k];
            body->position[k] += TIME_STEP * body->velocity[k];
        }
        rgn_end_write(body);
    }
}
