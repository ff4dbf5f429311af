/*
 * Heat in a square plate, by Jacobi's method: rows at the edges of a part are
 * mapped to the neighbours. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "shrimp.h"
#include "udm-collective.h"

enum {
    SIZE = 64,                  /* default: points in a row and in a column,
                                   without the border */
    ITERATIONS = 20,            /* default */
    MOST = GLAZE_PAGE / sizeof(double) - 3,     /* a row and a flag: a page */
};

/* A row that a neighbour has or gets. */
struct edge {
    double point[MOST + 2];
    volatile uint32_t done;     /* iterations; stored behind all points */
    uint32_t unused;
} __attribute__((aligned(4096)));

_Static_assert(sizeof(struct edge) == GLAZE_PAGE, "an edge is a page");

enum side { ABOVE, BELOW };

/*
 * A part of the plate: rows 1 to `rows`, and the row on each side of them,
 * which belongs to a neighbour or to the border. There are two grids, because
 * an iteration reads the one and writes the other.
 */
struct part {
    uint32_t rows, width;       /* width: points in a row, with the border */
    double **row[2];
};

/* This node's part: rows 1 and `rows` are `mine`, rows around it `theirs`. */
static struct edge mine[2][2], theirs[2][2];    /* [grid][side] */
static struct part here;

static uint32_t size = SIZE, iterations = ITERATIONS;

/* ---- The method, on any part of the plate ------------------------------- */

static void *allocate(size_t count, size_t bytes)
{
    void *found = calloc(count, bytes);

    if (!found) {
        fprintf(stderr, "edges: the grid needs more memory\n");
        exit(1);
    }
    return found;
}

/* Makes a part, cold but for the border above it if `top`. */
static struct part part_make(uint32_t rows, bool has_edges, bool top)
{
    struct part part = { .rows = rows, .width = size + 2 };

    for (unsigned i = 0; i < 2; i++) {
        double **row = allocate(rows + 2, sizeof(*row));

        for (uint32_t y = 0; y < rows + 2; y++) {
            bool inner = !has_edges || (y > 1 && y < rows);

            row[y] = inner ? allocate(part.width, sizeof(double)) : NULL;
        }
        if (has_edges) {
            row[0] = theirs[i][ABOVE].point;
            row[1] = mine[i][ABOVE].point;
            row[rows] = mine[i][BELOW].point;
            row[rows + 1] = theirs[i][BELOW].point;
        }
        for (uint32_t x = 0; top && x < part.width; x++) {
            row[0][x] = 100.0;
        }
        part.row[i] = row;
    }
    return part;
}

/* Computes a row in iteration i, which reads grid i % 2 and writes the other. */
static void compute(const struct part *part, uint32_t i, uint32_t y)
{
    double *const *from = part->row[i % 2];
    const double *above = from[y - 1], *same = from[y], *below = from[y + 1];
    double *to = part->row[(i + 1) % 2][y];

    for (uint32_t x = 1; x < part->width - 1; x++) {
        to[x] = (above[x] + below[x] + same[x - 1] + same[x + 1]) * 0.25;
    }
}

/* Returns the sum of the bits of all points: it does not depend on the order. */
static int64_t checksum(const struct part *part)
{
    uint64_t sum = 0;

    for (uint32_t y = 1; y <= part->rows; y++) {
        for (uint32_t x = 1; x < part->width - 1; x++) {
            uint64_t bits;

            memcpy(&bits, &part->row[iterations % 2][y][x], sizeof(bits));
            sum += bits;
        }
    }
    return sum;
}

/* ---- Neighbours ----------------------------------------------------------- */

/* Maps the edge on one side to the neighbour there: it is that one's on the
 * other side. */
static void map_side(enum side side, uint32_t neighbour)
{
    for (uint32_t i = 0; i < 2; i++) {
        size_t offset = ((char *)&theirs[i][!side] - (char *)theirs);

        if (shrimp_map(&mine[i][side], sizeof(struct edge), neighbour, 1,
                       offset, SHRIMP_BLOCKED) < 0) {
            fprintf(stderr, "edges: node %lu: cannot map to node %lu\n",
                    (unsigned long)udm_node(), (unsigned long)neighbour);
            exit(1);
        }
    }
}

/*
 * Iteration i. The rows at the edges come first: the stores are on their way
 * while the others are computed. What a neighbour sends in the next iteration
 * goes to the rows that these two have read.
 */
static void iterate(uint32_t i, bool above, bool below)
{
    if (i && above) {
        shrimp_wait(&theirs[i % 2][ABOVE].done, i);
    }
    if (i && below) {
        shrimp_wait(&theirs[i % 2][BELOW].done, i);
    }
    asm volatile ("" : : : "memory");   /* the rows have changed */
    compute(&here, i, 1);
    compute(&here, i, here.rows);
    asm volatile ("" : : : "memory");
    mine[(i + 1) % 2][ABOVE].done = i + 1;
    mine[(i + 1) % 2][BELOW].done = i + 1;
    for (uint32_t y = 2; y < here.rows; y++) {
        compute(&here, i, y);
    }
}

/* ---- All nodes together, and one node alone ----------------------------- */

/* Returns the checksum of the plate on node 0. */
static int64_t together(uint64_t *cycles)
{
    uint32_t node = udm_node(), nodes = udm_nodes();
    bool above = node > 0, below = node < nodes - 1;
    uint64_t start;

    here = part_make(size * (node + 1) / nodes - size * node / nodes, true,
                     !above);
    shrimp_export(1, theirs, sizeof(theirs));
    if (above) {
        map_side(ABOVE, node - 1);
    }
    if (below) {
        map_side(BELOW, node + 1);
    }
    udm_barrier();
    start = udm_cycles();
    for (uint32_t i = 0; i < iterations; i++) {
        iterate(i, above, below);
    }
    udm_barrier();
    *cycles = udm_cycles() - start;
    return udm_reduce_int(0, UDM_SUM, checksum(&here));
}

static int64_t alone(uint64_t *cycles)
{
    struct part whole = part_make(size, false, true);
    uint64_t start = udm_cycles();

    for (uint32_t i = 0; i < iterations; i++) {
        for (uint32_t y = 1; y <= whole.rows; y++) {
            compute(&whole, i, y);
        }
    }
    *cycles = udm_cycles() - start;
    return checksum(&whole);
}

int main(int argc, char **argv)
{
    const struct argument numbers[] = {
        { "SIZE", "points in a row and in a column", 2, MOST, &size },
        { "ITERATIONS", "iterations", 1, 1000000, &iterations },
        { 0 },
    };
    struct arguments arguments = { .app = "edges", .numbers = numbers };
    uint64_t cycles, cycles_alone;
    int64_t sum, sum_alone;

    arguments_read(&arguments, argc, argv);
    if (size < 2 * udm_nodes()) {
        arguments_wrong(&arguments, "each node needs two rows or more");
    }
    sum = together(&cycles);
    if (udm_node() != 0) {
        return 0;
    }
    sum_alone = alone(&cycles_alone);
    printf("edges: %lu x %lu points, %lu iterations, %lu nodes\n",
           (unsigned long)size, (unsigned long)size, (unsigned long)iterations,
           (unsigned long)udm_nodes());
    printf("edges: %.0f cycles, on one node %.0f: speed-up %.2f\n",
           (double)cycles, (double)cycles_alone,
           (double)cycles_alone / cycles);
    printf("edges: checksum %08lx%08lx: %s\n", (unsigned long)(sum >> 32),
           (unsigned long)sum, sum == sum_alone ? "right" : "wrong");
    return sum != sum_alone;
}
