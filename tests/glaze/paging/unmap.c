/*
 * A program that unmaps pages while they come from backing store: one thread
 * touches page after page with fault upcalls enabled. The other unmaps the page
 * for which the first one waits, and maps it again.
 *
 *   unmap TIMES [again]     again: the second thread also touches the page
 *
 * Each node prints a line at the end, and exits with status 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm-thread.h"
#include "udm.h"

#define HEAP            0x20000000
#define PAGES           24
#define TURNS_MAX       30000  /* most turns of the second thread */

static volatile uint32_t awaited;       /* the page that is being touched */
static volatile uint32_t unmapped, times, turns;

static volatile uint32_t *page(uint32_t number)
{
    return (volatile uint32_t *)(HEAP + number * GLAZE_PAGE);
}

static bool goes_on(void)
{
    return unmapped < times && turns < TURNS_MAX;
}

static void *touch(void *unused)
{
    for (uint32_t n = 0; goes_on(); n++) {
        awaited = (uint32_t)page(n % PAGES);
        (void)*page(n % PAGES);
        awaited = 0;
        if (n % PAGES == PAGES - 1) {
            udm_thread_yield();
            glaze_yield();
        }
    }
    return unused;
}

int main(int argc, char **argv)
{
    bool again = argc > 2;

    times = argc > 1 ? strtoul(argv[1], NULL, 0) : 10;
    glaze_map(HEAP, PAGES * GLAZE_PAGE);
    for (uint32_t n = 0; n < PAGES; n++) {
        *page(n) = n;
    }
    udm_thread_switch_on_fault(true);
    udm_thread_create(touch, NULL, UDM_NORMAL);
    while (goes_on()) {
        uint32_t target = awaited;

        udm_thread_yield();
        turns++;
        if (target && target == awaited) {
            if (glaze_unmap(target, GLAZE_PAGE) ||
                glaze_map(target, GLAZE_PAGE)) {
                glaze_abort(2, "no map", 6);
            }
            if (again) {
                *(volatile uint32_t *)target = 1;
            }
            unmapped++;
        }
    }
    udm_thread_switch_on_fault(false);
    printf("unmap: node %lu done\n", (unsigned long)udm_node());
    return 0;
}
