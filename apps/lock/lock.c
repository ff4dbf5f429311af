/*
 * A lock for all nodes, by COMP_SWAP and SWAP. See README.md.
 *
 * The lock is that of J. Mellor-Crummey and M. Scott, "Algorithms for Scalable
 * Synchronization on Shared-Memory Multiprocessors" (ACM TOCS 9(1), 1991): nodes
 * that wait form a queue. The lock itself holds the last of them. Each node waits
 * for a word of its own memory, which the node before it writes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "arguments.h"
#include "mbcf.h"
#include "udm-collective.h"

enum { HOME = 0, FREE = 0 };    /* nodes are counted from 1 in these words */

static volatile uint32_t last;          /* HOME's: the lock */
static volatile uint32_t counter;       /* HOME's: what the lock protects */

static volatile uint32_t follower;      /* the node after this one */
static volatile uint32_t must_wait;     /* the node before has the lock */

static uint32_t rounds = 20;

/* ---- Commands, with a wait ----------------------------------------------- */

static uint32_t old_value(const volatile uint32_t *status,
                          const volatile uint32_t *old)
{
    if (mbcf_await(status) != MBCF_DONE) {
        printf("lock: %s\n", mbcf_status_name(*status));
    }
    return *old;
}

static uint32_t swap(uint32_t node, volatile uint32_t *word, uint32_t value)
{
    volatile uint32_t status = MBCF_PENDING, old = 0;

    mbcf_swap(node, (uintptr_t)word, value, &old, MBCF_STATUS, &status);
    return old_value(&status, &old);
}

static uint32_t comp_swap(uint32_t node, volatile uint32_t *word,
                          uint32_t compare, uint32_t value)
{
    volatile uint32_t status = MBCF_PENDING, old = 0;

    mbcf_comp_swap(node, (uintptr_t)word, compare, value, &old, MBCF_STATUS,
                   &status);
    return old_value(&status, &old);
}

/* Stores a word and wakes the node, which may sleep until the word changes. */
static void tell(uint32_t node, volatile uint32_t *word, uint32_t value)
{
    mbcf_write(node, (uintptr_t)word, &value, sizeof(value), MBCF_WAKES, NULL);
}

/* ---- The lock ------------------------------------------------------------ */

static void lock(void)
{
    uint32_t me = udm_node() + 1, before;

    follower = FREE;
    must_wait = true;
    before = swap(HOME, &last, me);
    if (before != FREE) {
        tell(before - 1, &follower, me);
        mbcf_sleep_while(&must_wait, true);
    }
}

static void unlock(void)
{
    uint32_t me = udm_node() + 1;

    if (follower == FREE && comp_swap(HOME, &last, me, FREE) == me) {
        return;
    }
    mbcf_sleep_while(&follower, FREE);  /* it is in the queue, and will tell */
    tell(follower - 1, &must_wait, false);
}

/* Adds 1 to the counter in two steps, which nothing but the lock joins. */
static void add(void)
{
    uint32_t value;

    mbcf_read_now(HOME, &value, (uintptr_t)&counter, sizeof(value));
    value++;
    mbcf_write_now(HOME, (uintptr_t)&counter, &value, sizeof(value));
}

int main(int argc, char **argv)
{
    const struct argument numbers[] = {
        { "ROUNDS", "times that each node takes the lock", 1, 1000000,
          &rounds },
        { 0 },
    };
    struct arguments arguments = { .app = "lock", .numbers = numbers };
    uint64_t start;
    uint32_t right;

    arguments_read(&arguments, argc, argv);
    right = rounds * udm_nodes();
    mbcf_open();
    udm_barrier();              /* all nodes are tasks: commands may come */
    start = udm_cycles();
    for (uint32_t k = 0; k < rounds; k++) {
        lock();
        add();
        unlock();
    }
    udm_barrier();
    if (udm_node() != HOME) {
        return 0;
    }
    printf("lock: %.0f cycles for each time that it was held\n",
           (double)(udm_cycles() - start) / right);
    printf("lock: counter %lu: %s\n", (unsigned long)counter,
           counter == right ? "right" : "wrong");
    return counter != right;
}
