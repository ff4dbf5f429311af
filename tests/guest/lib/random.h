/*
 * Repeatable pseudo-random words without a multiply instruction: Marsaglia's
 * xorshift. Sender and receiver derive the same stream from the same seeds.
 */
#ifndef GUEST_RANDOM_H
#define GUEST_RANDOM_H

#include <stdint.h>

static inline uint32_t random_next(uint32_t *state)
{
    uint32_t x = *state;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

/* Returns the start state of the stream for a seed and three numbers. */
static inline uint32_t random_stream(uint32_t seed, uint32_t a, uint32_t b,
                                     uint32_t c)
{
    uint32_t state = seed + 0x9e3779b9;

    state ^= a << 20 ^ b << 10 ^ c;
    if (state == 0) {
        state = 1;              /* xorshift never leaves the state 0 */
    }
    random_next(&state);
    random_next(&state);
    return state;
}

/* Returns a number below `limit`, which is at most 16, without a division. */
static inline uint32_t random_below(uint32_t *state, uint32_t limit)
{
    uint32_t x;

    do {
        x = random_next(state) >> 16 & 15;
    } while (x >= limit);
    return x;
}

#endif
