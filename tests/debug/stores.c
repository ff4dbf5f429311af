/*
 * Stores to memory in ways that hide who did it, for tests of the debugger:
 * through a view, by the kernel, and into pages that have been in backing store
 * since.
 *
 *   stores VALUE CYCLES     stores VALUE through the view, then spins
 *
 * It calls look() when the view and the kernel have stored, and again when all
 * pages have come back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

enum { PAGES = 160, WORDS = GLAZE_PAGE / sizeof(uint32_t) };

static uint32_t page[PAGES][WORDS] __attribute__((aligned(GLAZE_PAGE)));
static struct glaze_count counted;

/* A place for breakpoints. */
static void __attribute__((noinline)) look(void)
{
    asm volatile ("" : : : "memory");
}

static void __attribute__((noinline)) by_view(uint32_t value)
{
    ((volatile uint32_t *)GLAZE_VIEWS)[1] = value;
}

static void view(uint32_t rights)
{
    struct glaze_view one = { GLAZE_VIEWS | rights, (uintptr_t)page[0] };

    if (glaze_view(&one, 1)) {
        abort();
    }
}

static void spin(uint64_t cycles)
{
    uint64_t until = udm_cycles() + cycles;

    while (udm_cycles() < until) {
    }
}

static void __attribute__((noinline)) fill(void)
{
    for (uint32_t i = 0; i < PAGES; i++) {
        page[i][7] = i + 1;
    }
}

static uint32_t __attribute__((noinline)) sum(void)
{
    uint32_t all = 0;

    for (uint32_t i = 0; i < PAGES; i++) {
        all += page[i][7];
    }
    return all;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    page[0][1] = 1;
    view(GLAZE_VIEW_WRITE);
    by_view(strtoul(argv[1], NULL, 10));
    glaze_count(&counted);
    spin(strtoul(argv[2], NULL, 10));
    look();
    view(GLAZE_VIEW_NONE);
    fill();
    printf("%u\n", (unsigned)sum());
    printf("%u\n", (unsigned)sum());
    look();
    return 0;
}
