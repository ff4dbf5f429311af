/*
 * Flags in plain shared memory: a process reads one until another process has
 * written it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>

#include "cases.h"

/* Spins on plain memory; what was written before must be seen. */
static void busy_work(void)
{
    int me = self();

    for (int round = 1; round <= 3; round++) {
        if (me == 0) {
            for (int k = 0; k < 4096; k += 100) {
                s->data[k] = round;
            }
            s->busy = round;
        } else {
            while (s->busy != round) {
            }
            for (int k = 0; k < 4096; k += 100) {
                expect(s->data[k], round);
            }
        }
        shm_barrier(&barrier, count);
    }
}

void case_busy(void)
{
    all(busy_work);
}

/* No process calls anything: each answers the first one's flag by its own. */
static void busy_exchange_work(void)
{
    volatile int *by = s->by;
    int me = self();

    shm_barrier(&barrier, count);
    for (int round = 1; round <= 4; round++) {
        if (me == 0) {
            s->data[2048] = round;      /* on another page */
            s->busy = round;
            for (int k = 1; k < count; k++) {
                while (by[k] != round) {
                }
            }
        } else {
            while (s->busy != round) {
            }
            expect(s->data[2048], round);
            by[me] = round;
        }
    }
}

void case_busy_exchange(void)
{
    all(busy_exchange_work);
}

/* The same, while each process locks a lock that no other one asks for. */
static void busy_locks_work(void)
{
    static struct shm_lock own[MOST];
    int me = self();

    for (int round = 1; round <= 3; round++) {
        if (me == 0) {
            s->data[0] = round;
            s->busy = round;
        }
        for (bool seen = false; !seen;) {
            shm_lock(&own[me]);
            seen = s->busy == round;
            shm_unlock(&own[me]);
        }
        expect(s->data[0], round);
        shm_barrier(&barrier, count);
    }
}

void case_busy_locks(void)
{
    all(busy_locks_work);
}
