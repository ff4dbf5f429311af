/*
 * A job that runs beside one that floods a node: passes a message around all
 * nodes, again and again, and fills a growing heap on each node.
 *
 *   bystander ROUNDS PAGES CYCLE    each round touches a page, up to PAGES;
 *                                   node 0 prints its report at that cycle
 *
 * The report says how many messages came, how many errors there were, and what
 * node 0 has of frames and slots. The exit status is 1 if there were errors.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"
#include "wait.h"

#define HEAP 0x20000000         /* above malloc()'s memory */

static uint32_t rounds, pages;
static volatile uint32_t seen;
static volatile uint32_t wrong;

static uint32_t *page(uint32_t number)
{
    return (uint32_t *)(HEAP + number * GLAZE_PAGE);
}

static uint32_t stamp(uint32_t number)
{
    return (number + 1) * 0x9e3779b9 ^ udm_node();
}

static void pass(void)
{
    wrong += udm_arg(0) != seen;
    seen++;
    udm_dispose();
}

static void touch(uint32_t number)
{
    if (number < pages) {
        wrong += *page(number) != 0;
        for (uint32_t i = 0; i < GLAZE_PAGE / 4; i++) {
            page(number)[i] = stamp(number) + i;
        }
    }
}

static void check_pages(void)
{
    for (uint32_t number = 0; number < pages && number < rounds; number++) {
        for (uint32_t i = 0; i < GLAZE_PAGE / 4; i++) {
            wrong += page(number)[i] != stamp(number) + i;
        }
    }
}

static void run(void)
{
    uint32_t next = (udm_node() + 1) % udm_nodes();

    for (uint32_t i = 0; i < rounds; i++) {
        touch(i);
        if (udm_node() == 0) {
            udm_inject(next, pass, i);
        }
        wait_for_count(&seen, i + 1);
        if (udm_node() != 0) {
            udm_inject(next, pass, i);
        }
    }
}

static void report(void)
{
    struct glaze_count count;

    glaze_count(&count);
    printf("bystander: seen %lu, wrong %lu, frames free %lu of %lu, slots "
           "used %lu, jobs' own pages %lu\n", (unsigned long)seen,
           (unsigned long)wrong, (unsigned long)count.frames_free,
           (unsigned long)count.frames,
           (unsigned long)(count.slots - count.slots_free),
           (unsigned long)count.process_pages);
}

int main(int argc, char **argv)
{
    uint64_t end;

    if (argc != 4) {
        fprintf(stderr, "bystander: three arguments: rounds, pages, cycle\n");
        return 2;
    }
    rounds = strtoul(argv[1], NULL, 0);
    pages = strtoul(argv[2], NULL, 0);
    end = strtoull(argv[3], NULL, 0);
    if (glaze_map(HEAP, pages * GLAZE_PAGE) < 0) {
        fprintf(stderr, "bystander: no heap\n");
        return 2;
    }
    run();
    check_pages();
    while (udm_cycles() < end) {
        glaze_yield();
    }
    if (udm_node() == 0) {
        report();
    }
    return wrong != 0;
}
