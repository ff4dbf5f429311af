/*
 * Processes that share memory, for tests of the debugger. Node 1 locks a lock, and
 * calls stop_here() when node 2 waits for the lock and node 0 at the barrier. After
 * the barrier node 1 reads and writes what node 2 has written.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "shm.h"
#include "udm.h"

enum { LONG = 200000 };         /* cycles */

static struct {
    struct shm_lock lock;
    struct shm_barrier barrier;
    int value;
} *shared;

/* A place for breakpoints. */
static void __attribute__((noinline)) stop_here(void)
{
    asm volatile ("" : : : "memory");
}

static void wait(uint32_t cycles)
{
    uint64_t until = udm_cycles() + cycles;

    while (udm_cycles() < until) {
    }
}

/* The process's copy is older than the last write of node 2: the accesses fault.
 * Not a leaf routine: from these GDB comes back by itself. */
static int __attribute__((noinline)) doubled(void)
{
    int value = shared->value;

    wait(0);
    shared->value = 2 * value;
    return value;
}

static void locks(void)
{
    shm_lock(&shared->lock);
    shared->value += 10;
    wait(2 * LONG);
    stop_here();
    shm_unlock(&shared->lock);
    shm_barrier(&shared->barrier, 3);
    wait(doubled());
}

static void waits(void)
{
    wait(LONG);
    shm_lock(&shared->lock);
    shared->value += 100;
    shm_unlock(&shared->lock);
    shm_barrier(&shared->barrier, 3);
}

int main(void)
{
    shared = shm_malloc(sizeof(*shared));
    shared->value = 1;
    shm_create(locks);
    shm_create(waits);
    shm_barrier(&shared->barrier, 3);
    shm_wait_for_end(2);
    printf("sharing: %d\n", shared->value);
    return shared->value != 222;
}
