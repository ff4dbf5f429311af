/*
 * shm-history: what a node pays for a lock that another one had, in cycles: first with
 * few intervals in the logs, and then with HISTORY more, which both have seen. Prints
 * both as lines "shm ROW: CYCLES". Machine: 2 nodes, --shm-visits off.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>

#include "shm.h"
#include "udm.h"

#define HISTORY 300             /* intervals; half a log has room for more */
#define ROUNDS  10
#define TURN    100000          /* cycles, longer than a hand-over and a write */
#define START   2000000         /* both nodes have a process */
#define LATER   12000000        /* node 0 has made the history */

static volatile uint32_t *shared;
static struct shm_lock lock;

static void wait_until(uint32_t cycle)
{
    while (udm_cycles() < cycle) {
    }
}

/* The nodes lock in turn, and write a word each time. They meet at the clock alone: a
 * barrier would empty the logs. */
static void hand_over(const char *row, uint32_t from)
{
    uint32_t sum = 0;

    for (uint32_t k = shm_node(); k < ROUNDS; k += 2) {
        uint32_t start;

        wait_until(from + k * TURN);
        start = (uint32_t)udm_cycles();
        shm_lock(&lock);
        sum += (uint32_t)udm_cycles() - start;
        ++*shared;
        shm_unlock(&lock);
    }
    if (shm_node() == 1) {
        printf("shm %s: %lu\n", row, (unsigned long)sum / (ROUNDS / 2));
    }
}

/* In each half, the first turns have faults that the others have not. */
static void work(void)
{
    hand_over("first", START);
    hand_over("short_log", START + ROUNDS * TURN);
    wait_until(START + 2 * ROUNDS * TURN);
    for (int k = 0; k < HISTORY && shm_node() == 0; k++) {
        shm_lock(&lock);
        ++*shared;
        shm_unlock(&lock);
    }
    hand_over("again", LATER);
    hand_over("long_log", LATER + ROUNDS * TURN);
}

int main(void)
{
    shm_init();
    shared = shm_malloc(4096);
    shm_create(work);
    work();
    shm_wait_for_end(2);
    printf("shm intervals: %lu\n", (unsigned long)*shared);
    return 0;
}
