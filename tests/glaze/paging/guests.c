/*
 * A program that counts how often it gets a page and runs in a slot of another job.
 *
 *   guests PAGES UNTIL JOBS [yields]
 *
 * Node 0 touches a page after the other until the cycle UNTIL, and computes for some
 * 6,000 cycles each time. JOBS have slots. If it `yields`, it does so in each slot of
 * another job in which it runs, and counts how often it has the processor again within
 * 20,000 cycles. If there are more PAGES than it can touch, each one is a fresh one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP    0x20000000
#define TURNS   1000
#define AT_ONCE 20000

static uint32_t step, others, at_once;

/* Returns whether a slot of another job has this time. */
static int is_others(uint64_t t, uint32_t jobs)
{
    return t / glaze_info(GLAZE_I_TIMESLICE) % jobs != glaze_info(GLAZE_I_JOB) - 1;
}

static void compute(void)
{
    for (volatile unsigned k = 0; k < TURNS; k++) {
    }
}

static void yield(uint64_t t)
{
    glaze_yield();
    at_once += udm_cycles() - t < AT_ONCE;
}

int main(int argc, char **argv)
{
    uint32_t pages, jobs;
    uint64_t until, t;

    if (argc < 4) {
        return 2;
    }
    pages = strtoul(argv[1], NULL, 0);
    until = strtoull(argv[2], NULL, 0);
    jobs = strtoul(argv[3], NULL, 0);
    if (udm_node()) {
        return 0;
    }
    glaze_map(HEAP, pages * GLAZE_PAGE);
    do {
        ++*(volatile uint32_t *)(HEAP + step++ % pages * GLAZE_PAGE);
        compute();
        t = udm_cycles();
        if (is_others(t, jobs)) {
            others++;
            if (argc > 4) {
                yield(t);
            }
        }
    } while (t < until);
    printf("guests: %lu pages, %lu in others' slots, %lu yields at once\n",
           (unsigned long)step, (unsigned long)others, (unsigned long)at_once);
    return 0;
}
