/*
 * A program that needs frames of the kernel's while a neighbour takes each frame
 * that becomes free: for page tables, for views and for MBCF.
 *
 *   needs WHAT AFTER
 *
 * Each node begins at the cycle AFTER. It prints the result of each call, and the
 * cycles of the longest one. WHAT: heap, view or mbcf.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "glaze-mbcf.h"
#include "udm.h"

#define FAR     0x30000000      /* where no page table is */
#define BLOCKS  12
#define BYTES   200000

static char page[GLAZE_PAGE] __attribute__((aligned(GLAZE_PAGE)));
static unsigned long longest;
static uint64_t began;

static void begin(void)
{
    began = udm_cycles();
}

static void end(const char *call, long result)
{
    unsigned long cycles = udm_cycles() - began;

    longest = cycles > longest ? cycles : longest;
    printf("needs: node %lu %s %ld\n", (unsigned long)udm_node(), call, result);
}

static void heap(void)
{
    for (unsigned i = 0; i < BLOCKS; i++) {
        begin();
        end("malloc", malloc(BYTES) ? 0 : -1);
    }
}

static void view(void)
{
    struct glaze_view one = { GLAZE_VIEWS | GLAZE_VIEW_WRITE,
                              (uintptr_t)page };

    page[0] = 1;
    begin();
    end("map", glaze_map(FAR, GLAZE_PAGE));
    begin();
    end("view", glaze_view(&one, 1));
}

static void mbcf(void)
{
    struct mbcf_pattern pattern = {
        .page = (uintptr_t)page, .copies = 1,
        .copy = { { .task = 0, .page = (uintptr_t)page } },
    };

    begin();
    end("open", glaze_call(GLAZE_MBCF, MBCF_OPEN, 0, 0));
    begin();
    end("queue", glaze_call(GLAZE_MBCF, MBCF_QUEUE, 0, 0));
    begin();
    end("pattern", glaze_call(GLAZE_MBCF, MBCF_PATTERN, (uintptr_t)&pattern,
                              0));
}

int main(int argc, char **argv)
{
    uint64_t after = argc == 3 ? strtoull(argv[2], NULL, 0) : 0;

    if (argc != 3) {
        return 2;
    }
    while (udm_cycles() < after) {
        glaze_yield();
    }
    if (!strcmp(argv[1], "heap")) {
        heap();
    } else if (!strcmp(argv[1], "view")) {
        view();
    } else {
        mbcf();
    }
    printf("needs: node %lu longest %lu\n", (unsigned long)udm_node(), longest);
    return 0;
}
