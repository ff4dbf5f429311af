/*
 * Pages that are mapped over the network, for tests of the debugger. Node 0 sends to
 * node 1 in each mode, and calls stop_here() after each of them, when all of it is
 * still on its way: words of the lower half of a page by single stores, words of the
 * upper half merged, and another page by command. Node 1 waits for the last word of
 * each.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "shrimp.h"
#include "udm.h"

enum { WORDS = 1024, HALF = WORDS / 2, SOME = 8 };

static struct {
    volatile uint32_t words[WORDS], page[WORDS];
} out __attribute__((aligned(4096))), in __attribute__((aligned(4096)));

/* A place for breakpoints. */
static void __attribute__((noinline)) stop_here(void)
{
    asm volatile ("" : : : "memory");
}

static void maps(uint32_t first, uint32_t words, uint32_t mode)
{
    volatile uint32_t *from = &out.words[first];

    if (shrimp_map(from, 4 * words, 1, 1, 4 * first, mode) < 0) {
        printf("the mapping of word %lu fails\n", (unsigned long)first);
    }
}

static void single(void)
{
    for (uint32_t k = 0; k < SOME; k++) {
        out.words[k] = 10 + k;
    }
    stop_here();
}

static void blocked(void)
{
    for (uint32_t k = 0; k < SOME; k++) {
        out.words[HALF + k] = 20 + k;
    }
    stop_here();
}

static void deliberate(void)
{
    for (uint32_t k = 0; k < WORDS; k++) {
        out.page[k] = k + 1;
    }
    shrimp_send(out.page, sizeof(out.page));
    stop_here();
}

int main(void)
{
    if (udm_node() == 1) {
        shrimp_export(1, &in, sizeof(in));
        shrimp_wait(&in.words[SOME - 1], 10 + SOME - 1);
        shrimp_wait(&in.words[HALF + SOME - 1], 20 + SOME - 1);
        shrimp_wait(&in.page[WORDS - 1], WORDS);
        stop_here();
    } else if (udm_node() == 0) {
        maps(0, HALF, SHRIMP_SINGLE);
        maps(HALF, HALF, SHRIMP_BLOCKED);
        maps(WORDS, WORDS, SHRIMP_DELIBERATE);
        single();
        blocked();
        deliberate();
        shrimp_wait_sent(out.page);
        shrimp_fence();
    }
    return 0;
}
