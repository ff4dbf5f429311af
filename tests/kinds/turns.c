/*
 * A job without messages beside others.
 *
 *      turns when TIMESLICE UNTIL      records in which slots it runs, up to slot
 *                                      UNTIL, and prints a line with x for these
 *      turns wait                      waits for ever, in a function `stuck`
 *      turns section                   computes for ever, in an atomic section
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm.h"

#define SLOTS_MAX 200

/* A slot counts if the job has run between its quarters. */
static void when(uint32_t timeslice, uint32_t until)
{
    static char seen[SLOTS_MAX + 1];
    uint64_t now;

    until = until < SLOTS_MAX ? until : SLOTS_MAX;
    memset(seen, '-', until);
    while ((now = udm_cycles()) < (uint64_t)until * timeslice) {
        uint32_t in = now % timeslice;

        if (in > timeslice / 4 && in < timeslice - timeslice / 4) {
            seen[now / timeslice] = 'x';
        }
    }
    printf("when: job %lu node %lu: %s\n",
           (unsigned long)glaze_info(GLAZE_I_GID), (unsigned long)udm_node(),
           seen);
}

static __attribute__((noinline)) void stuck(void)
{
    for (;;) {
        glaze_wait();
    }
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "when")) {
        when(strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0));
    } else if (argc == 2 && !strcmp(argv[1], "wait")) {
        stuck();
    } else if (argc == 2 && !strcmp(argv[1], "section")) {
        udm_beginatom();
        for (;;) {
            /* no call */
        }
    } else {
        return 2;
    }
    return 0;
}
