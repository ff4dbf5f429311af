/*
 * Faults of shared memory, and the library's alarm, that interrupt code whose
 * registers are known.
 *
 * shared ROUNDS: in each round, the process on node 1 writes a page, and then
 * node 0's hold() reads and writes the page: both accesses fault.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "shm.h"
#include "spin.h"

static struct {
    struct shm_barrier barrier;
    volatile uint32_t page[1024] __attribute__((aligned(4096)));
} *shared;
static int rounds;

static void writes(void)
{
    for (int round = 1; round <= rounds; round++) {
        shared->page[2] = round;
        shm_barrier(&shared->barrier, 2);
        shm_barrier(&shared->barrier, 2);
    }
}

int main(int argc, char **argv)
{
    uint32_t seen = 0;

    shared = shm_malloc(sizeof(*shared));
    rounds = argc > 1 ? atoi(argv[1]) : 100;
    shm_create(writes);
    for (int round = 1; round <= rounds; round++) {
        volatile uint32_t counter = 0;

        shm_barrier(&shared->barrier, 2);
        hold(&counter, shared->page, round);
        seen += shared->page[2];
        shm_barrier(&shared->barrier, 2);
    }
    shm_wait_for_end(1);
    printf("shared: %lu\n", (unsigned long)seen);
    return 0;
}
