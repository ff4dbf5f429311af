/*
 * Shows whether a node that never idles (it runs beside the app null) cleans
 * its free page frames: many short times in buffered mode, and many pages that
 * are taken and given back.
 *
 *   clean TIMES
 *
 * Prints how many of the free frames are clean, at the beginning and after each
 * part. The exit status is 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP    0x20000000
#define PAGES   64
#define BURST   10              /* messages that buffered_once() sends */

static volatile uint32_t got;

static void handler(void)
{
    udm_dispose();
    got++;
}

static void report(const char *when)
{
    struct glaze_count count;

    glaze_count(&count);
    printf("%s: clean %lu, of %lu free\n", when,
           (unsigned long)count.frames_clean,
           (unsigned long)count.frames_free);
}

/* Enters buffered mode, and sends messages to this node. */
static void buffered_once(void)
{
    uint32_t want = got + BURST;

    udm_beginatom();
    glaze_divert();
    for (unsigned i = 0; i < BURST; i++) {
        udm_inject(udm_node(), handler);
    }
    udm_endatom();
    while (got < want) {
    }
}

static void take_and_give_back(void)
{
    glaze_map(HEAP, PAGES * GLAZE_PAGE);
    for (unsigned k = 0; k < PAGES; k++) {
        *(volatile uint32_t *)(HEAP + k * GLAZE_PAGE) = k;
    }
    glaze_unmap(HEAP, PAGES * GLAZE_PAGE);
}

int main(int argc, char **argv)
{
    unsigned times = argc > 1 ? atoi(argv[1]) : 100;

    report("begin");
    for (unsigned i = 0; i < times; i++) {
        buffered_once();
    }
    report("buffered");
    for (unsigned i = 0; i < times; i++) {
        take_and_give_back();
    }
    report("touched");
    return 0;
}
