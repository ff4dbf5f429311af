/*
 * shm-costs: cycles that accesses and calls take, as lines "shm ROW: CYCLES",
 * where nothing else goes on: with --shm-visits off, since a visit would count for the
 * call in which its alarm comes. Node 0 is the home of all pages; node 1 measures.
 *
 * shm-costs P: a barrier of P processes, on nodes 0 to P - 1. No other node has
 * a process. Once with nothing written, once after each process has written a
 * page that another one reads.
 *
 * shm-costs P LAST: the same, but all nodes have processes, and the barrier is of
 * those of the last P nodes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "shm.h"
#include "udm.h"

#define PAGES   16
#define ROUNDS  20
#define WORDS   1024            /* of a page */
#define LEFT    8000            /* cycles after which all have left a barrier */

static volatile uint32_t (*page)[WORDS];
static struct shm_lock lock, other;
static struct shm_barrier barrier;
static uint64_t start;

static void meet(void)
{
    shm_barrier(&barrier, shm_nodes());
}

static void begin(void)
{
    start = udm_cycles();
}

/* Adds the cycles since begin(). */
static void end(uint32_t *sum)
{
    *sum += udm_cycles() - start;
}

static void show(const char *row, uint32_t cycles)
{
    printf("shm %s: %lu\n", row, (unsigned long)cycles);
}

/* Node 0 writes all pages: nodes forget their copies. */
static void write_all(uint32_t value)
{
    meet();
    for (int k = 0; k < PAGES && shm_node() == 0; k++) {
        page[k][0] = value;
    }
    meet();
}

static void read_each(const char *row)
{
    uint32_t sum = 0;

    for (int k = 0; k < PAGES; k++) {
        begin();
        (void)page[k][0];
        end(&sum);
    }
    show(row, sum / PAGES);
}

/*
 * Writes `words` words of each page, one page in an interval: the fault, and
 * the release, which sends the difference.
 */
static void write_each(const char *fault, const char *release, int words)
{
    uint32_t faults = 0, releases = 0;

    for (int k = 0; k < PAGES; k++) {
        shm_lock(&lock);
        begin();
        page[k][1]++;
        end(&faults);
        for (int w = 2; w <= words; w++) {
            page[k][w]++;
        }
        begin();
        shm_unlock(&lock);
        end(&releases);
    }
    if (fault) {
        show(fault, faults / PAGES);
    }
    show(release, releases / PAGES);
}

static void measure(void)
{
    uint32_t lock_again = 0, unlock = 0;

    read_each("read_fault_first");
    write_each("write_fault_first", "release_first", 1);
    write_each("write_fault", "release_a_word", 1);
    write_each(NULL, "release_a_page", WORDS - 1);
    for (int k = 0; k < ROUNDS; k++) {
        begin();
        shm_lock(&lock);
        end(&lock_again);
        begin();
        shm_unlock(&lock);
        end(&unlock);
    }
    show("lock_again", lock_again / ROUNDS);
    show("unlock", unlock / ROUNDS);
}

/* Nodes 0 and 1 lock and unlock in turn. */
static void hand_over(void)
{
    uint32_t sum = 0;

    for (int k = 0; k < ROUNDS; k++) {
        meet();
        if (shm_node() == k % 2) {
            begin();
            while (udm_cycles() - start < LEFT) {
            }
            begin();
            shm_lock(&other);
            end(&sum);
            shm_unlock(&other);
        }
    }
    if (shm_node() == 1) {
        show("lock_from_another", sum / (ROUNDS / 2));
    }
}

static void barriers(void)
{
    uint32_t sum = 0;

    meet();
    for (int k = 0; k < ROUNDS; k++) {
        begin();
        meet();
        end(&sum);
    }
    if (shm_node() == 1) {
        show("barrier", sum / ROUNDS);
    }
}

static void work(void)
{
    write_all(1);
    if (shm_node() == 1) {
        measure();
    }
    write_all(2);
    if (shm_node() == 1) {
        read_each("read_fault");
    }
    hand_over();
    barriers();
}

/* ---- Barriers of some processes ---------------------------------------------- */

static int some;                /* processes */
static struct shm_flag done;
static bool last;               /* of the last nodes, not of the first ones */

static void some_rounds(const char *row, bool write)
{
    int next = shm_node() + 1 < shm_nodes() ? shm_node() + 1 : shm_node();
    uint32_t sum = 0;

    for (int k = 1; k <= ROUNDS; k++) {
        if (write) {
            page[shm_node()][0] = k;
        }
        begin();
        shm_barrier(&barrier, some);
        end(&sum);
        (void)page[next][0];
        shm_barrier(&barrier, some);
    }
    if (shm_node() == (last ? shm_nodes() : some) - 1) {
        show(row, sum / ROUNDS);
    }
}

static void some_work(void)
{
    if (last && shm_node() < shm_nodes() - some) {
        shm_flag_wait(&done);           /* the node is not free meanwhile */
        return;
    }
    shm_barrier(&barrier, some);
    some_rounds("barrier", false);
    some_rounds("barrier_and_write", true);
    shm_flag_set(&done);
}

static void measure_some(void)
{
    int processes = last ? shm_nodes() : some;

    page = shm_malloc(shm_nodes() * sizeof(*page));
    for (int k = 1; k < processes; k++) {
        shm_create(some_work);
    }
    some_work();
    shm_wait_for_end(processes);
}

int main(int argc, char **argv)
{
    shm_init();
    if (argc > 1) {
        some = atoi(argv[1]);
        last = argc > 2;
        measure_some();
        return 0;
    }
    page = shm_malloc(PAGES * sizeof(*page));
    for (int k = 1; k < shm_nodes(); k++) {
        shm_create(work);
    }
    work();
    shm_wait_for_end(shm_nodes());
    return 0;
}
