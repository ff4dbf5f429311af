/*
 * int: counts the ways to place nine queens on a board of 9 by 9 so that none
 * attacks another: 352. Recursive, with bits for columns and diagonals.
 */
#include "bench.h"

#define SIZE 9

const char bench_name[] = "int";
const uint32_t bench_reps = 400;
const uint32_t bench_instructions = 230422;

static uint32_t place(uint32_t columns, uint32_t left, uint32_t right)
{
    uint32_t free = ~(columns | left | right) & ((1u << SIZE) - 1);
    uint32_t count = 0;

    if (columns == (1u << SIZE) - 1) {
        return 1;
    }
    while (free) {
        uint32_t queen = free & -free;

        free ^= queen;
        count += place(columns | queen, (left | queen) << 1,
                       (right | queen) >> 1);
    }
    return count;
}

uint32_t bench_run(uint32_t reps)
{
    uint32_t sum = 0;

    while (reps--) {
        sum += place(0, 0, 0);
    }
    return sum;
}
