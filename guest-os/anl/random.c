/*
 * random() and its like of 4.2 BSD, which newlib has in part: the numbers that these
 * functions give elsewhere, so that a program's results can be compared.
 *
 * A number is the sum, modulo 2^32, of two earlier ones, DEGREE and DEGREE - SEPARATION
 * before it, without its lowest bit (the additive generators of D. Knuth, The Art of
 * Computer Programming, volume 2, 3.2.2). A seed fills the state by the multiplier
 * 16807 of Park and Miller; the first 10 * DEGREE numbers are left out. A state
 * of less than 32 bytes is a linear congruential generator. The first word of a
 * state says which of five sizes it has, and where its generator stands, as
 * BSD's does.
 *
 * The functions are weak: a program's own take their place.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#define WEAK            __attribute__((weak))
#define TYPES           5

/* A state's words after the first one: how many there are, and how many lie
 * between the two that are added. */
static const struct {
    unsigned bytes;             /* of the smallest state */
    int degree, separation;
} types[TYPES] = { { 8, 0, 0 }, { 32, 7, 3 }, { 64, 15, 1 }, { 128, 31, 3 },
                   { 256, 63, 1 } };

static int32_t first[32];       /* the state until initstate() */
static int32_t *state = first + 1;
static int type = 3, front, rear;
static int begun;

static long next(void)
{
    uint32_t sum;

    if (type == 0) {
        state[0] = ((uint32_t)state[0] * 1103515245u + 12345) & 0x7fffffff;
        return state[0];
    }
    sum = (uint32_t)state[front] + (uint32_t)state[rear];
    state[front] = sum;
    front = front + 1 < types[type].degree ? front + 1 : 0;
    rear = rear + 1 < types[type].degree ? rear + 1 : 0;
    return sum >> 1;
}

static void seed_state(unsigned seed)
{
    begun = 1;
    state[0] = seed ? seed : 1;
    if (type == 0) {
        return;
    }
    for (int i = 1; i < types[type].degree; i++) {
        /* 16807 * x modulo 2^31 - 1, without overflow (L. Schrage, 1979) */
        int32_t high = state[i - 1] / 127773, low = state[i - 1] % 127773;
        int32_t value = 16807 * low - 2836 * high;

        state[i] = value < 0 ? value + 0x7fffffff : value;
    }
    front = types[type].separation;
    rear = 0;
    for (int i = 0; i < 10 * types[type].degree; i++) {
        next();
    }
}

/* Seeds the first state as a program finds it. */
static void random_begin(void)
{
    if (!begun) {
        seed_state(1);
    }
}

/* Notes in the state's first word where its generator stands. */
static void keep(void)
{
    state[-1] = type ? TYPES * rear + type : 0;
}

/* Returns a number from 0 to 2^31 - 1. */
WEAK long random(void)
{
    random_begin();
    return next();
}

WEAK void srandom(unsigned seed)
{
    seed_state(seed);
}

/* Makes a generator in `bytes` bytes, 8 at least, and uses it from now on. Returns the
 * state before, or NULL with EINVAL. */
WEAK char *initstate(unsigned seed, char *bytes_of_state, size_t bytes)
{
    int32_t *old = state;

    if (bytes < types[0].bytes) {
        errno = EINVAL;
        return NULL;
    }
    random_begin();
    keep();
    type = TYPES - 1;
    while (bytes < types[type].bytes) {
        type--;
    }
    state = (int32_t *)bytes_of_state + 1;
    seed_state(seed);
    keep();
    return (char *)(old - 1);
}

/* Uses a state that initstate() has made, from where it stood. Returns the state
 * before, or NULL with EINVAL if it is no state. */
WEAK char *setstate(char *bytes_of_state)
{
    int32_t *old = state, *new = (int32_t *)bytes_of_state;
    int kind, at;

    random_begin();
    keep();                     /* `new` may be the same */
    kind = new[0] % TYPES;
    at = new[0] / TYPES;
    if (new[0] < 0 || (kind ? at >= types[kind].degree : at != 0)) {
        errno = EINVAL;
        return NULL;
    }
    type = kind;
    state = new + 1;
    if (type) {
        rear = at;
        front = (at + types[type].separation) % types[type].degree;
    }
    return (char *)(old - 1);
}
