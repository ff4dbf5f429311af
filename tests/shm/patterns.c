/*
 * shm-patterns PATTERN [NUMBER]: what programs for shared memory do to pages that
 * several processes write. Each pattern prints the cycles that it has taken on node 0,
 * from one barrier to another, and the faults and visits of all nodes in that time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shm.h"
#include "udm.h"

#define PAGES           64
#define PAGE_INTS       1024
#define STORES          65536
#define MASK_PAGES      16

static int (*page)[PAGE_INTS], (*initialised)[PAGE_INTS];
static int (*own)[PAGE_INTS], (*many)[PAGE_INTS];        /* many_first_reads(), only_faults() */
static struct {
    unsigned faults, visits, wrong;
} *sum;
static struct shm_barrier barrier;
static struct shm_lock lock;
static int count, number;
static void (*pattern)(void);

static void check(int got, int want)
{
    if (got != want) {
        shm_lock(&lock);
        sum->wrong++;
        shm_unlock(&lock);
    }
}

/* The last process becomes the home of all pages. */
static void settle(void)
{
    shm_barrier(&barrier, count);
    if (shm_node() == count - 1) {
        for (int k = 0; k < PAGES; k++) {
            page[k][0] = 0;
        }
    }
    shm_barrier(&barrier, count);
}

/* Returns the place of a store in an order that has no pattern, among the ints of
 * process `me`: those that are `me` modulo the number of processes. */
static int *place(uint32_t *state, int me)
{
    *state = *state * 1664525 + 1013904223;
    return &page[0][(*state >> 8) % (PAGES * PAGE_INTS / count) * count + me];
}

/* Processes write their ints, spread over all pages: those whose bit is set in
 * `number`. */
static void scatter(void)
{
    uint32_t state = 12345;
    int me = shm_node();

    for (int k = 1; number >> me & 1 && k <= STORES / count; k++) {
        *place(&state, me) = k;
    }
    shm_barrier(&barrier, count);
    if (number >> me & 1) {             /* the last stores are there */
        state = 12345;
        for (int k = 1; k < STORES / count; k++) {
            place(&state, me);
        }
        check(*place(&state, me), STORES / count);
    }
}

/* The last process, which is the home, writes all pages in turn, and the others read
 * each of them once meanwhile. */
static void read_written(void)
{
    if (shm_node() == count - 1) {
        for (int k = 0; k < STORES; k++) {
            page[k % PAGES][1 + k / PAGES % (PAGE_INTS - 1)] = k;
        }
    } else {
        for (int k = 0; k < PAGES; k++) {
            check(page[k][0], 0);
        }
    }
}

/* Bytes of a word, as one mask of four bits says, are written by one process, and the
 * others by another one. `round` decides on the values, some of whose bytes are as
 * before. */
static uint8_t byte_of(unsigned word, unsigned at, unsigned round)
{
    uint32_t hash = (word * 4 + at) * 0x9e3779b9 ^ round * 0x85ebca6b;

    hash ^= hash >> 15;
    return hash % 3 ? hash >> 8 : 0;
}

static void masks(void)
{
    uint8_t (*bytes)[4] = (void *)page;

    for (unsigned round = 1; round <= 3; round++) {
        for (unsigned k = 0; k < MASK_PAGES * PAGE_INTS && shm_node() < 2; k++) {
            unsigned mask = (k + k / PAGE_INTS) % 16, density = 1 + k / PAGE_INTS % 8;

            for (unsigned at = 0; at < 4 && k / 16 % density == 0; at++) {
                if ((mask >> at & 1) == (unsigned)shm_node()) {
                    bytes[k][at] = byte_of(k, at, round);
                }
            }
        }
        shm_barrier(&barrier, count);
        for (unsigned k = 0; k < MASK_PAGES * PAGE_INTS; k++) {
            unsigned density = 1 + k / PAGE_INTS % 8;
            unsigned last = k / 16 % density == 0 ? round : 0;

            for (unsigned at = 0; at < 4; at++) {
                check(bytes[k][at], last ? byte_of(k, at, round) : 0);
            }
        }
        shm_barrier(&barrier, count);
    }
}

/* Node 0, which is not the home, writes the first `number` words of each page twice,
 * and shows them after each time. */
static void first_words(void)
{
    for (int round = 1; round <= 2; round++) {
        for (int k = 0; k < PAGES && shm_node() == 0; k++) {
            for (int word = 0; word < number; word++) {
                page[k][word] = -round;
            }
        }
        shm_barrier(&barrier, count);
    }
    for (int k = 0; k < PAGES; k++) {
        check(page[k][number - 1], -2);
        check(page[k][number], 0);
    }
}

/* All processes read what node 0 has initialised, each from another page on. With
 * `number`, each then writes some of these pages, as their home: without a twin. */
static void read_initialised(void)
{
    struct shm_statistics before, after;
    int me = shm_node();

    for (int k = 0; k < PAGES; k++) {
        int at = (k + me * PAGES / count) % PAGES;

        check(initialised[at][1], at + 1);
    }
    shm_barrier(&barrier, count);
    shm_statistics(&before);
    for (int round = 1; number && round <= 3; round++) {
        for (int k = me; k < PAGES; k += count) {
            initialised[k][round] = -k;
        }
        shm_barrier(&barrier, count);
        for (int k = 0; k < PAGES; k++) {
            check(initialised[k][round], -k);
        }
        shm_barrier(&barrier, count);
    }
    shm_statistics(&after);
    check(after.twins - before.twins, 0);
}

static void wait_until(uint32_t start, uint32_t cycles)
{
    while (udm_cycles32() - start < cycles) {
    }
}

/*
 * Node 0 writes data of which node 2 has a copy, then a page that nobody else has seen:
 * a flag. Node 1 is the first one that reads it. Node 2 finds the flag after that, and
 * so the data. Nobody calls the library, and no visit comes.
 */
static void first_reader_of_a_flag(void)
{
    uint32_t start = udm_cycles32();
    int *flag = initialised[0], *data = initialised[1];

    if (shm_node() == 2) {
        check(data[1], 2);
    } else if (shm_node() == 0) {
        wait_until(start, 200000);
        data[0] = 1;
        flag[0] = 1;
    } else if (shm_node() == 1) {
        wait_until(start, 400000);
        check(flag[0], 1);
    }
    wait_until(start, 600000);
    if (shm_node() == 2) {
        check(flag[0], 1);
        check(data[0], 1);
    }
}

/* Node 1 becomes the home of many pages, and then reads all that node 0 has
 * initialised: together more than it has memory. */
static void many_first_reads(void)
{
    for (int k = 0; k < number && shm_node() == 1; k++) {
        own[k][0] = k;
    }
    for (int k = 0; k < number && shm_node() == 1; k++) {
        check(many[k][1], k + 1);
    }
    for (int k = 0; k < number && shm_node() == 1; k++) {
        check(own[k][0], k);
    }
}

/* Node 1 reads pages that node 0 has initialised, and does nothing else: each alarm
 * comes in a fault, but for a few. */
static void only_faults(void)
{
    for (int k = 0; k < number && shm_node() == 1; k++) {
        check(many[k][1], k + 1);
    }
}

static void work(void)
{
    struct shm_statistics before, after;
    uint32_t start, cycles;

    settle();
    shm_statistics(&before);
    start = udm_cycles32();
    pattern();
    shm_barrier(&barrier, count);
    cycles = udm_cycles32() - start;
    shm_statistics(&after);
    shm_lock(&lock);
    sum->faults += after.read_faults - before.read_faults +
                   after.write_faults - before.write_faults;
    sum->visits += after.visits - before.visits;
    shm_unlock(&lock);
    shm_barrier(&barrier, count);
    if (shm_node() == 0) {
        printf("%lu cycles, %u faults, %u visits, %u wrong\n",
               (unsigned long)cycles, sum->faults, sum->visits, sum->wrong);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } patterns[] = { { "scatter", scatter }, { "read-written", read_written },
                   { "masks", masks }, { "first-words", first_words },
                   { "read-initialised", read_initialised },
                   { "first-reader", first_reader_of_a_flag },
                   { "many-first-reads", many_first_reads },
                   { "only-faults", only_faults } };

    count = shm_nodes();
    number = argc > 2 ? atoi(argv[2]) : 0;
    for (unsigned k = 0; k < sizeof(patterns) / sizeof(*patterns); k++) {
        if (argc > 1 && !strcmp(argv[1], patterns[k].name)) {
            pattern = patterns[k].run;
        }
    }
    if (!pattern) {
        return 2;
    }
    page = shm_malloc(PAGES * sizeof(*page));
    initialised = shm_malloc(PAGES * sizeof(*initialised));
    for (int k = 0; k < PAGES; k++) {
        initialised[k][1] = k + 1;
    }
    if (pattern == many_first_reads || pattern == only_faults) {
        own = shm_malloc(number * sizeof(*own));
        many = shm_malloc(number * sizeof(*many));
        for (int k = 0; k < number; k++) {
            many[k][1] = k + 1;
        }
    }
    sum = shm_malloc(sizeof(*sum));
    for (int k = 1; k < count; k++) {
        shm_create(work);
    }
    work();
    shm_wait_for_end(count - 1);
    return sum->wrong != 0;
}
