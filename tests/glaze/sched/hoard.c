/*
 * Takes the page frames of one node, until some are left, and keeps them until
 * a time. test_sched.py runs it.
 *
 *      hoard NODE FREE UNTIL
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP    0x20000000      /* above malloc()'s memory */

static volatile uint32_t *page(uint32_t number)
{
    return (volatile uint32_t *)(HEAP + number * GLAZE_PAGE);
}

static uint32_t frames_free(void)
{
    struct glaze_count count;

    glaze_count(&count);
    return count.frames_free;
}

static uint32_t take(uint32_t leave)
{
    uint32_t pages = 0;

    while (frames_free() > leave &&
           glaze_map((uint32_t)page(pages), GLAZE_PAGE) == 0) {
        *page(pages) = pages;
        pages++;
    }
    return pages;
}

int main(int argc, char **argv)
{
    uint32_t number[3] = { 0 }, pages = 0, wrong = 0;

    for (int i = 1; i < argc && i <= 3; i++) {
        number[i - 1] = strtoul(argv[i], NULL, 0);
    }
    printf("hoard: begin\n");   /* the console's memory is in use now */
    if (udm_node() == number[0]) {
        pages = take(number[1]);
    }
    while (udm_cycles() < number[2]) {
    }
    for (uint32_t i = 0; i < pages; i++) {
        wrong += *page(i) != i;
    }
    printf("hoard: kept %s, wrong %lu\n", pages ? "pages" : "none",
           (unsigned long)wrong);
    return wrong != 0;
}
