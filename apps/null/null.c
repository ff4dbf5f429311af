/*
 * Spins, and never yields. Runs beside a program that is measured, as in
 * section 5 of the paper.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "udm.h"

enum {
    CYCLES = 1000000,           /* default */
    LOOK = 10000,               /* cycles between two looks for other jobs */
    TURNS = 128,                /* of an empty loop, some 500 cycles */
};

/*
 * Spins for this many cycles, and up to TURNS turns more. It reads the clock
 * rarely: the simulator executes instructions five times as fast as reads of
 * the clock.
 */
static void spin(uint64_t cycles)
{
    uint64_t start = udm_cycles();

    while (udm_cycles() - start < cycles) {
        for (unsigned i = 0; i < TURNS; i++) {
            asm volatile ("");
        }
    }
}

/* Returns true if other processes of this node have not ended yet. */
static bool others(void)
{
    struct glaze_count count;

    glaze_count(&count);
    return count.processes > 1;
}

int main(int argc, char **argv)
{
    uint64_t cycles = CYCLES;

    if (argc == 2 && strcmp(argv[1], "while-others") == 0) {
        while (others()) {
            spin(LOOK);
        }
        return 0;
    }
    if (argc > 1) {
        char *end;

        errno = 0;
        cycles = strtoull(argv[1], &end, 0);
        if (argc > 2 || errno || *end || argv[1][0] == '-') {
            fprintf(stderr, "null: its one argument is a number of cycles, or "
                    "while-others\n");
            return 2;
        }
    }
    spin(cycles);
    return 0;
}
