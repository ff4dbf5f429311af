/*
 * A program that lends time while it waits for pages, and takes all of it back.
 *
 *   lends PAGES UNTIL JOBS FROM
 *
 * In its own slots, each of which is followed by those of JOBS - 1 others, it touches
 * one page after the other until the cycle UNTIL. If it runs in a slot of another job,
 * it computes as long as it may, unless the slot has not reached its cycle FROM: then
 * it touches another page. It prints how many pages it has touched.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

#define HEAP    0x20000000

int main(int argc, char **argv)
{
    uint32_t slot = glaze_info(GLAZE_I_TIMESLICE), job = glaze_info(GLAZE_I_JOB);
    uint32_t pages, jobs, from, step = 0;
    uint64_t until, t;

    if (argc != 5) {
        return 2;
    }
    pages = strtoul(argv[1], NULL, 0);
    until = strtoull(argv[2], NULL, 0);
    jobs = strtoul(argv[3], NULL, 0);
    from = strtoul(argv[4], NULL, 0);
    glaze_map(HEAP, pages * GLAZE_PAGE);
    do {
        ++*(volatile uint32_t *)(HEAP + step++ % pages * GLAZE_PAGE);
        do {
            t = udm_cycles();
        } while (t < until && t / slot % jobs != job - 1 && t % slot >= from);
    } while (t < until);
    printf("lends: %lu pages\n", (unsigned long)step);
    return 0;
}
