/*
 * A program that pages all the time, to see what that costs others.
 *
 *   pager PAGES UNTIL [NODE HOW]...
 *
 * Each process works on its pages in turn, until the cycle UNTIL. That of each NODE
 * does something else. HOW: `computes` until then; `ends` at once; or has tables for
 * TABLES units of 256 KiB as well, which `spread` over its addresses. Each process
 * prints how many pages it has touched.
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

/* Returns what this node does instead; NULL: it pages. */
static const char *how_here(int argc, char **argv)
{
    for (int i = 3; i + 1 < argc; i += 2) {
        if (udm_node() == strtoul(argv[i], NULL, 0)) {
            return argv[i + 1];
        }
    }
    return NULL;
}

static void spread_tables(void)
{
    for (uint32_t k = 0; k < TABLES; k++) {
        glaze_map(UNITS + (k << 18), GLAZE_PAGE);
    }
}

int main(int argc, char **argv)
{
    uint32_t pages, step = 0;
    const char *how = how_here(argc, argv);
    uint64_t until;

    if (argc < 3) {
        return 2;
    }
    pages = strtoul(argv[1], NULL, 0);
    until = strtoull(argv[2], NULL, 0);
    if (how && !strcmp(how, "spread")) {
        spread_tables();
    } else if (how) {
        pages = 1;
        until = strcmp(how, "ends") ? until : 0;
    }
    glaze_map(HEAP, pages * GLAZE_PAGE);
    for (; udm_cycles() < until; step++) {
        ++*(volatile uint32_t *)(HEAP + step % pages * GLAZE_PAGE);
    }
    printf("pager: node %lu %lu pages\n", (unsigned long)udm_node(),
           (unsigned long)step);
    return 0;
}
