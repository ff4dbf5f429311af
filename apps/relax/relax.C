/*
 * Red-black relaxation on shared memory: main() and the processes. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "shm-options.h"
#include "shm-report.h"

#define PROCESSES_MAX 1024

MAIN_ENV

struct shared {
    BARDEC(barrier)
    LOCKDEC(number_lock)
    int number;                         /* of the next process */
    struct shm_statistics costs[PROCESSES_MAX];
    unsigned start, first, end;         /* times, in microseconds */
};

/* Set before CREATE, so each process has them. */
static struct shared *shared;
static double *grid;
static bool report;                     /* print what sharing has cost */
static int size = 1026;                 /* rows, the borders included */
static int iterations = 20;
static int processes;

/* All points of one colour in a row become the mean of their neighbours. */
static void relax_row(double *row, int first)
{
    for (int x = first; x < size - 1; x += 2) {
        row[x] = 0.25 * (row[x - size] + row[x + size] + row[x - 1] + row[x + 1]);
    }
}

static void relax_rows(int first, int end, int colour)
{
    for (int y = first; y < end; y++) {
        relax_row(grid + y * size, 1 + (y + colour) % 2);
    }
}

static void fill_rows(int first, int end)
{
    for (int y = first; y < end; y++) {
        for (int x = 0; x < size; x++) {
            grid[y * size + x] = y == 0 ? 100 : y * x % 7;
        }
    }
}

static void work(void)
{
    int me, first, end;
    struct shm_statistics costs;

    LOCK(shared->number_lock)
    me = shared->number++;
    UNLOCK(shared->number_lock)
    first = 1 + (size - 2) * me / processes;
    end = 1 + (size - 2) * (me + 1) / processes;
    BARRIER(shared->barrier, processes)         /* then writers become homes */
    fill_rows(me == 0 ? 0 : first, me == processes - 1 ? size : end);
    BARRIER(shared->barrier, processes)
    if (me == 0) {
        CLOCK(shared->start)
    }
    for (int i = 0; i < iterations; i++) {
        for (int colour = 0; colour < 2; colour++) {
            relax_rows(first, end, colour);
            BARRIER(shared->barrier, processes)
        }
        if (me == 0 && i == 0) {
            CLOCK(shared->first)
        }
        if (i == 0) {
            shm_statistics(&costs);
        }
    }
    if (me == 0) {
        CLOCK(shared->end)
    }
    shm_report_since(&costs);
    shared->costs[me] = costs;
}

static void read_options(int argc, char **argv)
{
    const struct shm_option options[] = {
        { 'n', "SIZE", 3, 4096, &size },
        { 'i', "ITERATIONS", 2, 1000000, &iterations },
        { 'p', "PROCESSES", 1, PROCESSES_MAX, &processes },
        { 0, NULL, 0, 0, NULL }
    };

    processes = shm_nodes();
    shm_options_read("relax", options, &report, argc, argv);
}

int main(int argc, char **argv)
{
    double sum = 0;

    MAIN_INITENV(, 40000000)
    read_options(argc, argv);
    shared = (struct shared *)G_MALLOC(sizeof(*shared))
    grid = (double *)G_MALLOC(size * size * sizeof(double))
    if (!shared || !grid) {
        fprintf(stderr, "relax: too little shared memory for %d x %d points\n",
                size, size);
        exit(2);
    }
    BARINIT(shared->barrier)
    LOCKINIT(shared->number_lock)
    shared->number = 0;
    for (int i = 1; i < processes; i++) {
        CREATE(work)
    }
    work();
    WAIT_FOR_END(processes - 1)
    printf("relax: %d x %d points, %d iterations, %d processes\n",
           size, size, iterations, processes);
    printf("relax: first iteration %u us, the others %u us\n",
           shared->first - shared->start, shared->end - shared->first);
    if (report) {
        shm_report_print("relax", shared->costs, processes);
    }
    for (int i = 0; i < size * size; i++) {
        sum += grid[i];
    }
    printf("relax: sum %.9f, middle %.9f\n", sum,
           grid[size / 2 * size + size / 2]);
    MAIN_END
}
