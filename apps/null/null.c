/*
 * Spins for a number of cycles, and never yields. Runs beside a program that is
 * measured, as in section 5 of the paper.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "udm.h"

#define CYCLES 1000000          /* default */

int main(int argc, char **argv)
{
    uint64_t start = udm_cycles();
    uint64_t cycles = CYCLES;

    if (argc > 1) {
        char *end;

        errno = 0;
        cycles = strtoull(argv[1], &end, 0);
        if (argc > 2 || errno || *end || argv[1][0] == '-') {
            fprintf(stderr, "null: its one argument is a number of cycles\n");
            return 2;
        }
    }
    while (udm_cycles() - start < cycles) {
        /* spin */
    }
    return 0;
}
