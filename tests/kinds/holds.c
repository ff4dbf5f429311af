/*
 * A job whose messages need pages that are out, and one that plays ping-pong beside it.
 *
 *      holds pages             node 0's messages load from pages of node 1, which has no
 *                              room for all of them
 *      holds asleep            the same 40 times, and node 1 waits for the end of that
 *      holds trips CYCLES      node 0 stores to node 1, which stores back, for so long
 *
 * The second one prints how many round trips there were, and the longest one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mm.h"
#include "udm-collective.h"

#define PAGE    4096
#define WORDS   (PAGE / 4)
#define PAGES   150
#define LAST    0xffffffff      /* in place of a trip's number */

static volatile uint32_t pages[PAGES * WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t memory[WORDS] __attribute__((aligned(PAGE)));

/* All nodes touch all pages, before one goes on. */
static void touch_pages(void)
{
    for (uint32_t k = 0; k < PAGES; k++) {
        pages[k * WORDS]++;
    }
    udm_barrier();
}

static void use_pages(void)
{
    struct mm_shared shared;

    if (udm_node() == 0) {
        mm_share(&shared, 0, pages, PAGE);
    }
    touch_pages();
    for (uint32_t k = 0; ; k++) {
        if (udm_node() == 0) {
            mm_send0(mm_at(&shared, 1, pages), MM_HANDLER_IP(load_pages));
        } else {
            pages[k % PAGES * WORDS]++;
        }
    }
}

static void wait_for_end(void)
{
    struct mm_shared shared, there;

    mm_share(&shared, 0, memory, PAGE);
    mm_share(&there, 0x10000000, pages, PAGE);
    touch_pages();
    for (uint32_t k = 0; udm_node() == 0 && k < 40; k++) {
        mm_send0(mm_at(&there, 1, pages), MM_HANDLER_IP(load_pages));
    }
    if (udm_node() == 0) {
        mm_send1(mm_at(&shared, 1, memory), MM_HANDLER_IP(mm_store), 1);
    } else {
        mm_wait(memory, 0);
    }
}

static void store(const struct mm_shared *all, uint32_t node, uint32_t value)
{
    mm_send1(mm_at(all, node, memory), MM_HANDLER_IP(mm_store), value);
}

static void trips(uint64_t cycles)
{
    uint64_t end = udm_cycles() + cycles, longest = 0;
    struct mm_shared all;
    uint32_t number = 0;

    mm_share(&all, 0, memory, PAGE);
    while (udm_node() == 0 && udm_cycles() < end) {
        uint64_t start = udm_cycles();

        store(&all, 1, ++number);
        while (memory[0] != number) {
        }
        longest = udm_cycles() - start > longest ? udm_cycles() - start : longest;
    }
    while (udm_node() == 1 && number != LAST) {
        uint32_t value = mm_wait(memory, number);

        number = value;
        if (number != LAST) {
            store(&all, 0, number);
        }
    }
    if (udm_node() == 0) {
        store(&all, 1, LAST);
        printf("%lu trips, the longest one %lu cycles\n", (unsigned long)number,
               (unsigned long)longest);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "pages") == 0) {
        use_pages();
    } else if (argc == 2 && strcmp(argv[1], "asleep") == 0) {
        wait_for_end();
    } else if (argc == 3 && strcmp(argv[1], "trips") == 0) {
        trips(strtoull(argv[2], NULL, 0));
    }
    return 2 * (argc < 2);
}
