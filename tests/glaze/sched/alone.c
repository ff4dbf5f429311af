/*
 * Reads the clock in a loop, from one cycle of it to another, and prints the
 * longest time between two readings: what has interrupted the loop. It is 11
 * or so if nothing has. test_sched.py runs it.
 *
 *      alone FROM TO
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "udm.h"

static uint32_t longest(uint64_t to)
{
    uint64_t then = udm_cycles(), now;
    uint32_t most = 0;

    do {
        now = udm_cycles();
        if (now - then > most) {
            most = now - then;
        }
        then = now;
    } while (now < to);
    return most;
}

int main(int argc, char **argv)
{
    uint64_t from = argc > 2 ? strtoull(argv[1], NULL, 0) : 0;
    uint64_t to = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;

    longest(from);              /* now its code is cached */
    printf("alone: job %lu node %lu: %lu\n",
           (unsigned long)glaze_info(GLAZE_I_GID), (unsigned long)udm_node(),
           (unsigned long)longest(to));
    return 0;
}
