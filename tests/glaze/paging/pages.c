/*
 * A program that needs memory and does nothing unusual: fills pages, checks all
 * of them again and again, and passes a message to the next node in each round.
 *
 *   pages PAGES ROUNDS
 *
 * Each node prints how many messages it has seen, and how many errors. The exit
 * status is 1 if there were errors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP    0x20000000      /* above malloc()'s memory */
#define STEP    37              /* distance of the words used, in words */

static volatile uint32_t seen, wrong;

static volatile uint32_t *page(uint32_t number)
{
    return (volatile uint32_t *)(HEAP + number * GLAZE_PAGE);
}

static uint32_t stamp(uint32_t number, uint32_t word)
{
    return number * 0x9e3779b1 ^ word ^ udm_node();
}

static void pass(void)
{
    wrong += udm_arg(0) != seen;
    wrong += udm_source() != (udm_node() + udm_nodes() - 1) % udm_nodes();
    seen++;
    udm_dispose();
}

static void fill(uint32_t pages)
{
    for (uint32_t number = 0; number < pages; number++) {
        for (uint32_t i = 0; i < GLAZE_PAGE / 4; i += STEP) {
            wrong += page(number)[i] != 0;
            page(number)[i] = stamp(number, i);
        }
    }
}

static void check(uint32_t pages)
{
    for (uint32_t number = 0; number < pages; number++) {
        for (uint32_t i = 0; i < GLAZE_PAGE / 4; i += STEP) {
            wrong += page(number)[i] != stamp(number, i);
        }
    }
}

int main(int argc, char **argv)
{
    uint32_t pages = argc > 1 ? strtoul(argv[1], NULL, 0) : 40;
    uint32_t rounds = argc > 2 ? strtoul(argv[2], NULL, 0) : 20;

    if (glaze_map(HEAP, pages * GLAZE_PAGE)) {
        glaze_abort(2, "no map", 6);
    }
    fill(pages);
    for (uint32_t round = 0; round < rounds; round++) {
        udm_inject((udm_node() + 1) % udm_nodes(), pass, round);
        check(pages);
        while (seen <= round) {
        }
        glaze_yield();
    }
    printf("pages: node %lu seen %lu wrong %lu\n", (unsigned long)udm_node(),
           (unsigned long)seen, (unsigned long)wrong);
    return wrong != 0;
}
