/*
 * The cost of moving a page: node 0 touches more pages than it has frames,
 * twice. Other nodes idle or, up to a time, compute; nothing else runs.
 *
 *   cost PAGES [UNTIL]
 *
 * Prints the cycles per page that was moved. The exit status is 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP    0x20000000      /* above malloc()'s memory */

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
    uint32_t until = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
    uint32_t before, start, cycles;

    if (udm_node()) {
        while (udm_cycles32() < until) {
        }
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
