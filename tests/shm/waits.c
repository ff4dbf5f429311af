/*
 * shm-waits [thread]: how a process waits for a lock. Node 0 holds the lock for
 * HELD cycles. Node 1 prints how many of these its job was charged for there. With
 * `thread`, another thread is ready on node 1: it prints after how many cycles that
 * one ran.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>

#include "glaze-calls.h"
#include "shm.h"
#include "udm-thread.h"
#include "udm.h"

#define HELD    3000000

static struct shm_lock lock;
static struct shm_barrier barrier, held;
static uint64_t start, ran;
static int with_thread;

static uint64_t charged(void)
{
    struct glaze_measure measure;

    glaze_measure(&measure, false);
    return measure.counter[FUGU_METER_CYCLES];
}

static void *run(void *unused)
{
    ran = udm_cycles();
    return unused;
}

static void waits(void)
{
    udm_thread_t *other = NULL;
    uint64_t before;

    shm_barrier(&barrier, 2);
    shm_barrier(&held, 2);
    if (with_thread) {
        other = udm_thread_create(run, NULL, UDM_NORMAL);
    }
    before = charged();
    start = udm_cycles();
    shm_lock(&lock);
    printf("charged %u\n", (unsigned)(charged() - before));
    shm_unlock(&lock);
    if (other) {
        udm_thread_join(other);
        printf("ran after %u\n", (unsigned)(ran - start));
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    with_thread = argc > 1;
    shm_create(waits);
    shm_barrier(&barrier, 2);
    shm_lock(&lock);
    shm_barrier(&held, 2);
    start = udm_cycles();
    while (udm_cycles() - start < HELD) {
    }
    shm_unlock(&lock);
    shm_wait_for_end(1);
    return 0;
}
