/*
 * What a page costs on its way: node 0 goes through more pages than it has
 * frames, again and again, and nothing else runs anywhere.
 *
 *   cost PAGES
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP    0x20000000      /* beyond malloc()'s */

static uint32_t transfers(void)
{
    struct glaze_count count;

    glaze_count(&count);
    return count.outs + count.ins;
}

static void touch(uint32_t pages)
{
    for (uint32_t k = 0; k < pages; k++) {
        ++*(volatile uint32_t *)(HEAP + k * GLAZE_PAGE);
    }
}

int main(int argc, char **argv)
{
    uint32_t pages = argc > 1 ? strtoul(argv[1], NULL, 0) : 150;
    uint32_t before, start, cycles;

    if (udm_node()) {
        return 0;
    }
    glaze_map(HEAP, pages * GLAZE_PAGE);
    touch(pages);
    before = transfers();
    start = udm_cycles32();
    touch(pages);
    cycles = udm_cycles32() - start;
    printf("cost: %lu cycles a page\n",
           (unsigned long)(cycles / (transfers() - before)));
    return 0;
}
