/*
 * A program that has many pages and computes: it needs no page any more.
 *
 *   computes PAGES UNTIL
 *
 * Each node touches its pages, computes until the cycle UNTIL, and says then that it
 * has ended.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP    0x20000000

int main(int argc, char **argv)
{
    uint32_t pages = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
    uint64_t until = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;

    glaze_map(HEAP, pages * GLAZE_PAGE);
    for (uint32_t k = 0; k < pages; k++) {
        *(volatile uint8_t *)(HEAP + k * GLAZE_PAGE) = 1;
    }
    while (udm_cycles() < until) {
    }
    printf("computes: node %u ends\n", udm_node());
    return argc != 3;
}
