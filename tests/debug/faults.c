/*
 * Accesses to shared pages from known call chains, for tests of backtraces.
 *
 * In each round, the process on node 1 writes all pages. Then the first process
 * descends a recursion, to another depth each time, and at its bottom reads a
 * page and writes another: both accesses fault. In some rounds it computes for
 * so long that the library's alarm comes. Each call has its depth as argument, so
 * that a test can check each number of a backtrace.
 *
 * faults ROUNDS: exits with status 0. faults stuck: the process on node 1 waits for
 * a page for ever, because node 0 handles no message.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shm.h"
#include "udm.h"

enum { DEPTHS = 17, PAGES = 4, LONG = 60000 };

static struct {
    struct shm_barrier barrier;
    int page[PAGES][1024] __attribute__((aligned(4096)));
} *shared;
static int rounds;

/* Keeps the depth in its register until the call has returned. */
#define KEEP(depth) asm volatile ("" : "+r" (depth))

static int __attribute__((noinline)) work(int depth)
{
    int sum = depth, round = shared->page[depth % PAGES][0];

    if (round % 4 == 0) {
        for (volatile int k = 0; k < LONG; k += 20) {
            sum += k;
        }
    }
    shared->page[(depth + 1) % PAGES][1] = sum;
    return round;
}

static int __attribute__((noinline)) main_down(int depth, int bottom)
{
    int round = depth < bottom ? main_down(depth + 1, bottom) : work(depth);

    KEEP(depth);
    return round;
}

static void writes(void)
{
    for (int round = 1; round <= rounds; round++) {
        for (int k = 0; k < PAGES; k++) {
            shared->page[k][0] = round;
        }
        shm_barrier(&shared->barrier, 2);
        shm_barrier(&shared->barrier, 2);
    }
}

static int __attribute__((noipa)) first_word(const int *page)
{
    return *page + 1;
}

static void waits_for_a_page(void)
{
    shm_barrier(&shared->barrier, 2);
    printf("%d\n", first_word(shared->page[0]));
}

static void stuck(void)
{
    shared->page[0][0] = 1;
    shm_create(waits_for_a_page);
    shm_barrier(&shared->barrier, 2);
    udm_beginatom();
    for (;;) {
    }
}

int main(int argc, char **argv)
{
    int wrong = 0;

    shared = shm_malloc(sizeof(*shared));
    if (argc > 1 && !strcmp(argv[1], "stuck")) {
        stuck();
    }
    rounds = argc > 1 ? atoi(argv[1]) : 100;
    shm_create(writes);
    for (int round = 1; round <= rounds; round++) {
        shm_barrier(&shared->barrier, 2);
        wrong += main_down(0, round * 7 % DEPTHS) != round;
        shm_barrier(&shared->barrier, 2);
    }
    shm_wait_for_end(1);
    printf("faults: %d wrong\n", wrong);
    return wrong != 0;
}
