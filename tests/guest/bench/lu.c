/*
 * fp: LU decomposition of a matrix of 64 by 64 doubles, in place and without
 * pivoting, since its diagonal dominates. Each repetition uses a different
 * matrix.
 */
#include <string.h>

#include "bench.h"

#define SIZE 64

const char bench_name[] = "fp";
const uint32_t bench_reps = 100;
const uint32_t bench_instructions = 840966;

static double a[SIZE][SIZE];

/* Fills the matrix with small integers in a pattern, and large ones on the
 * diagonal, which doubles represent exactly. */
static void fill(uint32_t rep)
{
    for (uint32_t i = 0; i < SIZE; i++) {
        for (uint32_t j = 0; j < SIZE; j++) {
            a[i][j] = (double)(int)((i + j + rep) & 7) - 3.0;
        }
        a[i][i] = 256.0 + (double)(int)i;
    }
}

static void decompose(void)
{
    for (int k = 0; k < SIZE; k++) {
        for (int i = k + 1; i < SIZE; i++) {
            double factor = a[i][k] / a[k][k];

            a[i][k] = factor;
            for (int j = k + 1; j < SIZE; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
}

/* A checksum of all bits of the diagonal, which depends on all other
 * elements. */
static uint32_t checksum(void)
{
    uint32_t sum = 0;

    for (int i = 0; i < SIZE; i++) {
        uint32_t halves[2];

        memcpy(halves, &a[i][i], sizeof(halves));
        sum = (sum << 1 | sum >> 31) ^ halves[0] ^ halves[1];
    }
    return sum;
}

uint32_t bench_run(uint32_t reps)
{
    uint32_t sum = 0;

    for (uint32_t rep = 0; rep < reps; rep++) {
        fill(rep);
        decompose();
        sum ^= checksum();
    }
    return sum;
}
