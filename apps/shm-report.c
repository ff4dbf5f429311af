/*
 * What sharing memory has cost: prints the statistics of the library shm.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include "shm-report.h"

void shm_report_since(struct shm_statistics *then)
{
    struct shm_statistics now;

    shm_statistics(&now);
#define SINCE(counter) then->counter = now.counter - then->counter
    SINCE(read_faults);
    SINCE(write_faults);
    SINCE(fetches);
    SINCE(twins);
    SINCE(differences);
    SINCE(difference_bytes);
    SINCE(notices);
    SINCE(collections);
    SINCE(locks);
    SINCE(barriers);
    SINCE(flags);
    SINCE(visits);
    SINCE(fault_cycles);
    SINCE(lock_cycles);
    SINCE(barrier_cycles);
    SINCE(flag_cycles);
    SINCE(visit_cycles);
#undef SINCE
}

void shm_report_print(const char *app, const struct shm_statistics *of,
                      int processes)
{
    printf("%s: process, read faults, write faults, fetches, twins, "
           "differences, their bytes, notices, visits, Mcycles waiting for "
           "pages, locks, barriers, in visits\n", app);
    for (int p = 0; p < processes; p++) {
        printf("%s: %2d %6u %6u %6u %6u %6u %9llu %7u %6u %8.2f "
               "%8.2f %8.2f %8.2f\n",
               app, p, of[p].read_faults, of[p].write_faults, of[p].fetches,
               of[p].twins, of[p].differences, of[p].difference_bytes,
               of[p].notices, of[p].visits, of[p].fault_cycles / 1e6,
               of[p].lock_cycles / 1e6, of[p].barrier_cycles / 1e6,
               of[p].visit_cycles / 1e6);
    }
}
