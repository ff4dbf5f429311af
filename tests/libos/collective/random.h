/*
 * Random numbers and delays of these programs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef COLLECTIVE_RANDOM_H
#define COLLECTIVE_RANDOM_H

#include <string.h>

#include "glaze-calls.h"
#include "udm-collective.h"

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

static inline void spin(uint32_t cycles)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < cycles) {
        /* handlers run */
    }
}

/* "spin", "block", or "mixed": nodes with odd numbers block. */
static inline void wait_as(const char *how)
{
    if (!strcmp(how, "block") || (!strcmp(how, "mixed") && udm_node() % 2)) {
        udm_collective_wait(UDM_WAIT_BLOCK);
    }
}

#endif
