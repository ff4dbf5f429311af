/*
 * Random numbers for programs on Glaze: the same numbers in each run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_RANDOM_H
#define GLAZE_RANDOM_H

#include <stdint.h>

/* Returns the next number of a sequence (xorshift). *state is not 0. */
static inline uint32_t random_next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state >> 4;
}

/* Returns a number that depends on three others. */
static inline uint32_t hash(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t state = (a * 2654435761u ^ b * 40503u ^ c * 2246822519u) | 1;

    random_next(&state);
    return random_next(&state);
}

#endif
