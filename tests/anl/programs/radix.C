/*
 * Radix sort of random keys. Each process counts the digits of its keys, waits,
 * finds the places of its keys from all counts, and moves its keys there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common.h"

MAIN_ENV

#define DIGIT_BITS 8
#define DIGITS (1 << DIGIT_BITS)
#define PASSES (32 / DIGIT_BITS)

struct shared {
    int counts[PROCESSES_MAX][DIGITS];
    BARDEC(barrier)
};

/* Private, and set before CREATE: pointers to shared memory. */
static struct start *start;
static struct shared *shared;
static unsigned *keys[2];
static int size;

void sort()
{
    int me = take_number(start), first, last, pass, i, p, d, place;
    int places[DIGITS];

    first = size * me / P;
    last = size * (me + 1) / P;
    for (pass = 0; pass < PASSES; pass++) {
        unsigned *from = keys[pass % 2], *to = keys[1 - pass % 2];
        int shift = pass * DIGIT_BITS, *mine = shared->counts[me];

        for (d = 0; d < DIGITS; d++) {
            mine[d] = 0;
        }
        for (i = first; i < last; i++) {
            mine[from[i] >> shift & (DIGITS - 1)]++;
        }
        BARRIER(shared->barrier, P)
        place = 0;
        for (d = 0; d < DIGITS; d++) {
            for (p = 0; p < P; p++) {
                if (p == me) {
                    places[d] = place;
                }
                place += shared->counts[p][d];
            }
        }
        for (i = first; i < last; i++) {
            to[places[from[i] >> shift & (DIGITS - 1)]++] = from[i];
        }
        BARRIER(shared->barrier, P)
    }
}

int main(argc, argv)
    int argc;
    char **argv;
{
    unsigned before = 0, after = 0;
    int i;

    size = options(argc, argv, 2048);
    MAIN_INITENV(,4000000)
    start = start_init();
    shared = (struct shared *) G_MALLOC(sizeof(struct shared));
    for (i = 0; i < 2; i++) {
        keys[i] = (unsigned *) G_MALLOC(size * sizeof(unsigned))
    }
    BARINIT(shared->barrier)
    for (i = 0; i < size; i++) {
        before += keys[0][i] = random_number(i);
    }
    for (i = 1; i < P; i++) {
        CREATE(sort)
    }
    sort();
    WAIT_FOR_END(P - 1)
    for (i = 0; i < size; i++) {
        after += keys[PASSES % 2][i];
        check(i == 0 || keys[PASSES % 2][i - 1] <= keys[PASSES % 2][i], "order");
    }
    check(before == after, "sum of all keys");
    printf("radix: %d keys, sum %08x, middle %08x\n", size, after, keys[PASSES % 2][size / 2]);
    MAIN_END
}
