/*
 * A program that waits in the slots of the other job, and computes in its own.
 *
 *   rests UNTIL
 *
 * Beside one other job, which comes first. Until the cycle UNTIL, node 1 wakes node 0
 * by a command of MBCF when a slot of this job begins, and node 0 computes up to the
 * slot's end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "glaze-calls.h"
#include "mbcf.h"
#include "udm-collective.h"
#include "udm.h"

#define JOBS    2

static volatile uint32_t woken;

/* Returns the number of the slot at this time, of all jobs. */
static uint32_t slot(uint64_t t)
{
    return t / glaze_info(GLAZE_I_TIMESLICE);
}

static bool is_own(uint32_t number)
{
    return number % JOBS == glaze_info(GLAZE_I_JOB) - 1;
}

static void rest(uint64_t until)
{
    while (udm_cycles() < until) {
        uint32_t number = woken;

        while (slot(udm_cycles()) <= number) {
        }
        mbcf_sleep_while(&woken, number);
    }
}

static void wake(uint64_t until)
{
    uint32_t last = 0;

    while (udm_cycles() < until + JOBS * glaze_info(GLAZE_I_TIMESLICE)) {
        uint32_t number = slot(udm_cycles());

        if (number != last && is_own(number)) {
            last = number;
            mbcf_write(0, (uintptr_t)&woken, &number, sizeof(number), MBCF_WAKES, NULL);
        }
    }
}

int main(int argc, char **argv)
{
    uint64_t until = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;

    mbcf_open();
    udm_barrier();
    if (udm_node() == 0) {
        rest(until);
    } else if (udm_node() == 1) {
        wake(until);
    }
    return argc < 2;
}
