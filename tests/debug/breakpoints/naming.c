/*
 * A function whose name the kernel has as well (machine/print.h), a loop with a
 * local variable, and no threads: for breakpoints.
 *
 * Each node calls print() with 0 to 5 and exits with status 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "udm.h"

static volatile unsigned total;

static void __attribute__((noinline)) print(unsigned value)
{
    total += value;
}

int main(void)
{
    for (unsigned k = 0; k < 6; k++) {
        print(k + 10 * udm_node());
    }
    return 0;
}
