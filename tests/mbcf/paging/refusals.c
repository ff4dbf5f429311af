/*
 * The status of a silent command that is refused goes to a page that is out. A later command
 * to the same target, with a status in memory, says that those before it are done or refused:
 * by then the refusal's status must be there. test_mbcf_paging.py runs it.
 *
 * Node 0 has more pages than frames. In each of ROUNDS rounds, node 1 refuses a silent WRITE
 * of node 0 to an address that is not mapped. Node 0 sends the later command STEP cycles
 * later than in the round before. All other nodes read pages of node 0, so that its kernel
 * has more to do than one chore has time for.
 *
 *      mbcf-refusals PAGES ROUNDS STEP
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "mbcf.h"
#include "udm-collective.h"
#include "udm.h"

#define HEAP            0x20000000
#define NOWHERE         0x30000000

static uint32_t pages;
static uint32_t word_of_1;

static volatile uint32_t *status_of(uint32_t page)
{
    return (volatile uint32_t *)(HEAP + page % pages * GLAZE_PAGE);
}

/* Touches all pages but one, so that this one goes out. */
static void touch_others(uint32_t page)
{
    for (uint32_t k = 1; k < pages; k++) {
        ++status_of(page + k)[1];
    }
}

static bool round_is_right(uint32_t k, uint32_t cycles)
{
    volatile uint32_t *late = status_of(k * 7), known = MBCF_PENDING;
    uint32_t word = k, start, found;

    *late = MBCF_PENDING;
    touch_others(k * 7);
    mbcf_write(1, NOWHERE, &word, sizeof(word), MBCF_ON_FAILURE, late);
    for (start = udm_cycles32(); udm_cycles32() - start < cycles; ) {
    }
    mbcf_write(1, (uintptr_t)&word_of_1, &word, sizeof(word), MBCF_STATUS, &known);
    if (mbcf_await(&known) != MBCF_DONE) {
        return false;
    }
    found = *late;
    if (found != MBCF_BAD_ADDRESS) {
        printf("round %lu, %lu cycles: status %lu\n", (unsigned long)k, (unsigned long)cycles,
               (unsigned long)found);
    }
    return found == MBCF_BAD_ADDRESS;
}

static volatile uint32_t stops;

/* Keeps node 0's kernel at work: long READs of pages that are out. */
static void read_pages(void)
{
    static uint32_t page[4][GLAZE_PAGE / sizeof(uint32_t)];
    volatile uint32_t status[4];

    for (uint32_t k = 0; !stops; k++) {
        volatile uint32_t *mine = &status[k % 4];

        if (k >= 4) {
            mbcf_await(mine);
        }
        *mine = MBCF_PENDING;
        mbcf_read(0, page[k % 4], HEAP + (k * 13 + udm_node()) % pages * GLAZE_PAGE, GLAZE_PAGE,
                  MBCF_STATUS, mine);
    }
}

int main(int argc, char **argv)
{
    uint32_t rounds = strtoul(argv[2], NULL, 10), step = strtoul(argv[3], NULL, 10);
    uint32_t wrong = 0;

    pages = strtoul(argv[1], NULL, 10);
    mbcf_open();
    if (udm_node() == 0) {
        glaze_map(HEAP, pages * GLAZE_PAGE);
        touch_others(0);
    }
    udm_barrier();
    if (udm_node() == 0) {
        for (uint32_t k = 0; k < rounds; k++) {
            wrong += !round_is_right(k, k * step);
        }
        for (uint32_t node = 2; node < udm_nodes(); node++) {
            mbcf_write_now(node, (uintptr_t)&stops, &(uint32_t){ 1 }, sizeof(stops));
        }
        printf("refusals: %lu of %lu wrong\n", (unsigned long)wrong, (unsigned long)rounds);
    } else if (udm_node() > 1) {
        read_pages();
    }
    udm_barrier();
    return argc != 4 || wrong;
}
