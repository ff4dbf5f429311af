/*
 * Random calls of maps over the network, most of them wrong, with stores to what is
 * mapped. Node 0 ends the job by a fault after a number of calls, while other nodes are
 * in any of theirs.
 *
 *      mapfuzz SEED CALLS
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "glaze-calls.h"
#include "random.h"
#include "shrimp.h"
#include "udm.h"

#define PAGE    GLAZE_PAGE

enum { PAGES = 12, NUMBERS = 4, JOBS = 6, WORDS = PAGES * PAGE / 4 };

static volatile uint32_t pool[WORDS] __attribute__((aligned(PAGE)));
static uint32_t state;

static uint32_t below(uint32_t most)
{
    return random_next(&state) % most;
}

static bool rarely(void)
{
    return below(12) == 0;
}

/* An address of the pool, at the start of a page as a rule, or any other one. */
static uint32_t address(void)
{
    if (rarely()) {
        return random_next(&state) << 4 | below(16);
    }
    return (uintptr_t)pool + below(PAGES) * PAGE + (below(3) ? 0 : 8 * below(512));
}

static uint32_t size(void)
{
    static const uint32_t sizes[] = { 8, 64, 2048, PAGE, 2 * PAGE, 3 * PAGE + 8 };

    return rarely() ? random_next(&state) : sizes[below(6)];
}

static void do_export(void)
{
    struct shrimp_export e = {
        .address = address(), .bytes = size(), .who = below(4), .job = below(JOBS),
        .key = { below(2), 0 },
    };

    shrimp_export_to(below(NUMBERS), &e);
}

/* Node 0 must go on: it does not wait for an export of its own job. */
static void do_map(void)
{
    struct shrimp_map m = {
        .address = address(), .bytes = size(), .node = below(udm_nodes() + rarely()),
        .job = udm_node() ? below(JOBS) : glaze_info(GLAZE_I_JOB) % JOBS + 1,
        .number = below(NUMBERS), .offset = below(2) ? 0 : 8 * below(1024),
        .mode = rarely() ? random_next(&state) : 1 + below(3),
        .key = { below(2), 0 },
    };

    shrimp_map_to(&m);
}

static void do_wait(void)
{
    if (udm_node() && rarely()) {
        glaze_call(GLAZE_SHRIMP, SHRIMP_WAIT, address(), 0);
    }
}

static void do_pages(void)
{
    uint32_t page = (uintptr_t)pool + below(PAGES) * PAGE;

    if (below(2)) {
        glaze_fresh(page, PAGE);
    } else {
        glaze_watch(page, PAGE);
    }
}

static void do_stores(void)
{
    uint32_t at = below(WORDS - 64);

    for (uint32_t i = 0; i < 64; i++) {
        pool[at + i] = 0xdead0000 | i;
    }
}

static void do_wild(void)
{
    if (rarely()) {
        glaze_call(GLAZE_SHRIMP, below(8), random_next(&state), random_next(&state));
    }
}

static void do_unmap(void)
{
    shrimp_unmap(below(rarely() ? 100 : 8));
}

static void do_unexport(void)
{
    shrimp_unexport(below(NUMBERS));
}

int main(int argc, char **argv)
{
    static void (*const calls[])(void) = {
        do_export, do_export, do_map, do_map, do_map, do_unmap, do_unexport,
        shrimp_fence, do_wait, do_pages, do_stores, do_stores, do_wild,
    };
    uint32_t count = argc > 2 ? atoi(argv[2]) : 200;

    state = atoi(argv[1]) * 1000 + udm_node() + 1;
    while (count-- || udm_node()) {
        calls[below(sizeof(calls) / sizeof(calls[0]))]();
    }
    *(volatile uint32_t *)4 = 0;
    return 0;
}
