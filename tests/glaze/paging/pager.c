/*
 * A program that pages all the time, to see what that costs others.
 *
 *   pager PAGES UNTIL [NODE HOW]
 *
 * Each process works on its pages in turn, until the cycle UNTIL. With NODE, that of
 * this node does something else. HOW: `computes` until then; `ends` at once; or has
 * tables for TABLES units of 256 KiB as well, which `spread` over its addresses. Each
 * process prints how many pages it has touched.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP    0x20000000
#define UNITS   0x30000000
#define TABLES  1400

int main(int argc, char **argv)
{
    uint32_t pages, step = 0;
    uint64_t until;

    if (argc < 3) {
        return 2;
    }
    pages = strtoul(argv[1], NULL, 0);
    until = strtoull(argv[2], NULL, 0);
    if (argc > 4 && udm_node() == strtoul(argv[3], NULL, 0)) {
        if (!strcmp(argv[4], "spread")) {
            for (uint32_t k = 0; k < TABLES; k++) {
                glaze_map(UNITS + (k << 18), GLAZE_PAGE);
            }
        } else {
            pages = 1;
            until = strcmp(argv[4], "ends") ? until : 0;
        }
    }
    glaze_map(HEAP, pages * GLAZE_PAGE);
    for (; udm_cycles() < until; step++) {
        ++*(volatile uint32_t *)(HEAP + step % pages * GLAZE_PAGE);
    }
    printf("pager: node %lu %lu pages\n", (unsigned long)udm_node(),
           (unsigned long)step);
    return 0;
}
