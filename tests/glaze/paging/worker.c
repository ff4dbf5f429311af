/*
 * A program that works on pages in turn, to see what others cost it.
 *
 *   worker PAGES STEPS FROM
 *
 * Node 0 begins at the cycle FROM. In each step it touches the next of its pages
 * and computes for some 6,000 cycles. It prints the cycles that all steps have
 * taken, and those of the longest one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP    0x20000000
#define TURNS   1000

int main(int argc, char **argv)
{
    uint64_t from, began, last, longest = 0;
    uint32_t pages, steps;

    if (argc != 4) {
        return 2;
    }
    pages = strtoul(argv[1], NULL, 0);
    steps = strtoul(argv[2], NULL, 0);
    from = strtoull(argv[3], NULL, 0);
    if (udm_node()) {
        return 0;
    }
    glaze_map(HEAP, pages * GLAZE_PAGE);
    while (udm_cycles() < from) {
    }
    began = last = udm_cycles();
    for (uint32_t step = 0; step < steps; step++) {
        uint64_t t;

        ++*(volatile uint32_t *)(HEAP + step % pages * GLAZE_PAGE);
        for (volatile unsigned k = 0; k < TURNS; k++) {
        }
        t = udm_cycles();
        longest = t - last > longest ? t - last : longest;
        last = t;
    }
    printf("worker: %.0f cycles, longest %.0f\n", (double)(last - began),
           (double)longest);
    return 0;
}
