/*
 * mbcf-asleep sleeper UNTIL | worker ROUNDS: jobs that sleep beside one that pages, on a
 * node with very little memory.
 *
 * Node 0's sleeper writes to pages of node 1's, which sleeps up to the cycle UNTIL. So
 * those pages come for commands, and their process does not run. Node 1's worker
 * touches more pages than there is room for, ROUNDS times, and prints the cycle then.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "mbcf.h"
#include "udm-collective.h"

#define HEAP    (GLAZE_PROGRAM + 0x10000000)
#define WORKED  40              /* pages */
#define WRITTEN 12

static uint8_t memory[WRITTEN * GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));
static volatile uint32_t woken;

static void sleeper(uint64_t until)
{
    static const uint32_t one = 1;

    mbcf_open();
    udm_barrier();
    if (udm_node() == 1) {
        mbcf_sleep_while(&woken, 0);
        return;
    }
    for (unsigned k = 0; k < WRITTEN; k++) {
        if (mbcf_write_now(1, (uintptr_t)&memory[k * GLAZE_PAGE], &one, sizeof(one)) !=
            MBCF_DONE) {
            puts("FAIL a write");
        }
    }
    while (udm_cycles() < until) {
        glaze_yield();
    }
    mbcf_send(MBCF_WRITE, 1, (uintptr_t)&woken, &one, sizeof(one), MBCF_WAKES, NULL);
}

static void worker(uint32_t rounds)
{
    if (udm_node() == 1) {
        glaze_map(HEAP, WORKED * GLAZE_PAGE);
        for (uint32_t k = 0; k < rounds * WORKED; k++) {
            *(volatile uint8_t *)(HEAP + k % WORKED * GLAZE_PAGE) += 1;
        }
        printf("worker: done at %llu\n", (unsigned long long)udm_cycles());
    }
}

int main(int argc, char **argv)
{
    uint32_t number = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

    if (argc == 3 && !strcmp(argv[1], "sleeper")) {
        sleeper(number);
    } else if (argc == 3) {
        worker(number);
    }
    return argc != 3;
}
