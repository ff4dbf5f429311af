/*
 * LU decomposition in blocks on shared memory: main() and the processes. See
 * README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <math.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sharedlu.h"
#include "shm-options.h"
#include "shm-report.h"

#define PROCESSES_MAX 1024

MAIN_ENV

struct shared {
    BARDEC(barrier)
    LOCKDEC(number_lock)
    int number;                         /* of the next process */
    struct shm_statistics costs[PROCESSES_MAX];
    unsigned start, end;                /* times, in microseconds */
};

/* Set before CREATE, so each process has them. */
static struct shared *shared;
static double **blocks;                 /* block (i, j) at i * edges + j */
static bool report;                     /* print what sharing has cost */
static int size = 512, edge = 16, edges, processes, columns;

/* The processes form a grid with columns columns; blocks go around in it. */
static int owner(int i, int j)
{
    int rows = processes / columns;

    return i % rows * columns + j % columns;
}

static double *block(int i, int j)
{
    return blocks[i * edges + j];
}

/* The element before the decomposition: random, and large on the diagonal. */
static double element(int row, int column)
{
    uint32_t x = row * size + column;

    x = (x ^ x >> 16) * 0x7feb352d;
    x = (x ^ x >> 15) * 0x846ca68b;
    return (int32_t)(x ^ x >> 16) / 4294967296.0 + (row == column ? size : 0);
}

static void fill(int me)
{
    for (int i = 0; i < edges; i++) {
        for (int j = 0; j < edges; j++) {
            for (int k = 0; k < edge * edge && owner(i, j) == me; k++) {
                block(i, j)[k] = element(i * edge + k / edge,
                                         j * edge + k % edge);
            }
        }
    }
}

static void decompose(int me)
{
    for (int k = 0; k < edges; k++) {
        if (owner(k, k) == me) {
            block_factor(block(k, k), edge);
        }
        BARRIER(shared->barrier, processes)
        for (int i = k + 1; i < edges; i++) {
            if (owner(i, k) == me) {
                block_lower(block(i, k), block(k, k), edge);
            }
            if (owner(k, i) == me) {
                block_upper(block(k, i), block(k, k), edge);
            }
        }
        BARRIER(shared->barrier, processes)
        for (int i = k + 1; i < edges; i++) {
            for (int j = k + 1; j < edges; j++) {
                if (owner(i, j) == me) {
                    block_subtract(block(i, j), block(i, k), block(k, j), edge);
                }
            }
        }
    }
    BARRIER(shared->barrier, processes)
}

static void work(void)
{
    struct shm_statistics costs;
    int me;

    LOCK(shared->number_lock)
    me = shared->number++;
    UNLOCK(shared->number_lock)
    BARRIER(shared->barrier, processes)         /* then writers become homes */
    fill(me);
    BARRIER(shared->barrier, processes)
    if (me == 0) {
        CLOCK(shared->start)
    }
    shm_statistics(&costs);
    decompose(me);
    if (me == 0) {
        CLOCK(shared->end)
    }
    shm_report_since(&costs);
    shared->costs[me] = costs;
}

/* Memory for all blocks: those of one process are together, and no page has
 * blocks of two processes. */
static void allocate(void)
{
    blocks = (double **)G_MALLOC(edges * edges * sizeof(*blocks))
    for (int p = 0; blocks && p < processes; p++) {
        double *place;
        int number = 0;

        for (int i = 0; i < edges * edges; i++) {
            number += owner(i / edges, i % edges) == p;
        }
        place = (double *)G_MALLOC((number * edge * edge + 512) * sizeof(double))
        if (!place) {
            blocks = NULL;
            break;
        }
        place = (double *)(((uintptr_t)place + 4095) & ~(uintptr_t)4095);
        for (int i = 0; i < edges * edges; i++) {
            if (owner(i / edges, i % edges) == p) {
                blocks[i] = place;
                place += edge * edge;
            }
        }
    }
    if (!blocks) {
        fprintf(stderr, "sharedlu: too little shared memory for %d x %d "
                "elements\n", size, size);
        exit(2);
    }
}

static double result(int row, int column)
{
    return block(row / edge, column / edge)[row % edge * edge + column % edge];
}

/* The greatest difference of L (U x) and A x, for a vector x of ones. */
static double residual(void)
{
    double *ux = malloc(size * sizeof(double)), worst = 0;

    for (int i = 0; i < size; i++) {
        ux[i] = 0;
        for (int j = i; j < size; j++) {
            ux[i] += result(i, j);
        }
    }
    for (int i = 0; i < size; i++) {
        double sum = ux[i];

        for (int j = 0; j < i; j++) {
            sum += result(i, j) * ux[j];
        }
        for (int j = 0; j < size; j++) {
            sum -= element(i, j);
        }
        worst = fmax(worst, fabs(sum));
    }
    free(ux);
    return worst;
}

static void read_options(int argc, char **argv)
{
    const struct shm_option options[] = {
        { 'n', "SIZE", 1, 4096, &size },
        { 'b', "BLOCK", 1, 4096, &edge },
        { 'p', "PROCESSES", 1, PROCESSES_MAX, &processes },
        { 0, NULL, 0, 0, NULL }
    };

    processes = shm_nodes();
    shm_options_read("sharedlu", options, &report, argc, argv);
    if (size % edge != 0) {
        shm_options_wrong("sharedlu", "SIZE must be a multiple of BLOCK");
    }
    edges = size / edge;
    for (columns = (int)sqrt(processes); processes % columns != 0; columns--) {
    }
    columns = processes / columns;
}

int main(int argc, char **argv)
{
    double worst, sum = 0;

    MAIN_INITENV(, 40000000)
    read_options(argc, argv);
    shared = (struct shared *)G_MALLOC(sizeof(*shared))
    allocate();
    BARINIT(shared->barrier)
    LOCKINIT(shared->number_lock)
    shared->number = 0;
    for (int i = 1; i < processes; i++) {
        CREATE(work)
    }
    work();
    WAIT_FOR_END(processes - 1)
    printf("sharedlu: %d x %d elements in blocks of %d x %d, %d processes\n",
           size, size, edge, edge, processes);
    printf("sharedlu: %u us\n", shared->end - shared->start);
    for (int i = 0; i < size; i++) {
        sum += result(i, size - 1 - i);
    }
    if (report) {
        shm_report_print("sharedlu", shared->costs, processes);
    }
    worst = residual();
    printf("sharedlu: sum %.12f: %s\n", sum, worst < 1e-9 * size ? "right" : "WRONG");
    if (worst >= 1e-9 * size) {
        exit(1);
    }
    MAIN_END
}
