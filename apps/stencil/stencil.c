/*
 * Heat in a square plate, by Jacobi's method. See README.md.
 *
 * Each point of the grid becomes the mean of its four neighbours, again and
 * again; the border stays as it is. The rows are divided among the nodes. In
 * each iteration, a node needs the row above its first one and the row below
 * its last one. The nodes that have these rows send them in messages with
 * bodies, and the handlers store them where they belong in the grid.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "udm-collective.h"

enum {
    SIZE = 64,                  /* default: points in a row and in a column,
                                   without the border */
    MOST = FUGU_BODY_MAX / sizeof(double) - 2,  /* a row fits into a body */
    ITERATIONS = 20,            /* default */
};

/*
 * A part of the plate: rows 1 to `rows`, and the row on each side of them,
 * which belongs to a neighbour or to the border. There are two grids, because
 * an iteration reads the one and writes the other.
 */
struct part {
    uint32_t rows, width;       /* width: points in a row, with the border */
    double *grid[2];
};

static double *row(const struct part *part, uint32_t i, uint32_t y)
{
    return part->grid[i % 2] + y * part->width;
}

/* ---- The method, on any part of the plate ------------------------------- */

/* Makes a part of `rows` rows: cold, but for a hot border above if `top`. */
static struct part part_make(uint32_t rows, uint32_t size, bool top)
{
    struct part part = { .rows = rows, .width = size + 2 };

    for (unsigned i = 0; i < 2; i++) {
        part.grid[i] = calloc((rows + 2) * part.width, sizeof(double));
        if (!part.grid[i]) {
            fprintf(stderr, "stencil: the grid needs more memory\n");
            exit(1);
        }
        for (uint32_t x = 0; top && x < part.width; x++) {
            part.grid[i][x] = 100.0;
        }
    }
    return part;
}

/* Iteration i, from 0, reads grid i % 2 and writes the other one. */
static void iterate(const struct part *part, uint32_t i)
{
    for (uint32_t y = 1; y <= part->rows; y++) {
        const double *above = row(part, i, y - 1), *here = row(part, i, y);
        const double *below = row(part, i, y + 1);
        double *to = row(part, i + 1, y);

        for (uint32_t x = 1; x < part->width - 1; x++) {
            to[x] = (above[x] + below[x] + here[x - 1] + here[x + 1]) * 0.25;
        }
    }
}

/*
 * Returns the sum of the bits of all points after `iterations` iterations. It
 * does not depend on the order, so the sums of all nodes add up to that of the
 * whole plate, if each point has the same bits.
 */
static int64_t checksum(const struct part *part, uint32_t iterations)
{
    uint64_t sum = 0;

    for (uint32_t y = 1; y <= part->rows; y++) {
        for (uint32_t x = 1; x < part->width - 1; x++) {
            uint64_t bits;

            memcpy(&bits, &row(part, iterations, y)[x], sizeof(bits));
            sum += bits;
        }
    }
    return sum;
}

/* ---- Rows of the neighbours --------------------------------------------- */

enum side { ABOVE, BELOW };

static struct part mine;        /* this node's part */
static volatile uint32_t arrived[2];    /* rows from the node on each side */

/*
 * Handler: a row of a neighbour. Arguments: on which side of this node's rows
 * it belongs, and the number of the iteration that will read it.
 *
 * The neighbour may be one iteration ahead, but not two, because it needs this
 * node's rows. If it is one ahead, the row goes to the grid that this node
 * writes now, and there to a row that this node neither reads nor writes.
 */
static void neighbours_row(void)
{
    enum side side = udm_arg(0);

    udm_storeback(row(&mine, udm_arg(1), side == ABOVE ? 0 : mine.rows + 1), 0,
                  udm_body_length());
    udm_dispose();
    arrived[side]++;
}

/* Sends rows that iteration i will read, and waits for those that it needs. */
static void exchange(uint32_t i)
{
    uint32_t node = udm_node(), bytes = mine.width * sizeof(double);
    bool above = node > 0, below = node < udm_nodes() - 1;

    if (above) {
        udm_inject_body(node - 1, neighbours_row, row(&mine, i, 1), bytes,
                        BELOW, i);
    }
    if (below) {
        udm_inject_body(node + 1, neighbours_row, row(&mine, i, mine.rows),
                        bytes, ABOVE, i);
    }
    while ((above && arrived[ABOVE] <= i) || (below && arrived[BELOW] <= i)) {
        /* the handler stores rows and counts them */
    }
    asm volatile ("" : : : "memory");   /* the handler has changed the grid */
}

/* ---- All nodes together, and one node alone ----------------------------- */

/* Returns the checksum of the plate on node 0. */
static int64_t together(uint32_t size, uint32_t iterations, uint64_t *cycles)
{
    uint32_t node = udm_node(), nodes = udm_nodes();
    uint64_t start;

    mine = part_make(size * (node + 1) / nodes - size * node / nodes, size,
                     node == 0);
    udm_barrier();              /* all nodes have made their parts: from now on
                                   rows may come */
    start = udm_cycles();
    for (uint32_t i = 0; i < iterations; i++) {
        exchange(i);
        iterate(&mine, i);
    }
    udm_barrier();
    *cycles = udm_cycles() - start;
    return udm_reduce_int(0, UDM_SUM, checksum(&mine, iterations));
}

static int64_t alone(uint32_t size, uint32_t iterations, uint64_t *cycles)
{
    struct part whole = part_make(size, size, true);
    uint64_t start = udm_cycles();

    for (uint32_t i = 0; i < iterations; i++) {
        iterate(&whole, i);
    }
    *cycles = udm_cycles() - start;
    return checksum(&whole, iterations);
}

/* Returns argument k as a number of at most `most`, or 0 if it is wrong. */
static uint32_t number(int argc, char **argv, int k, uint32_t usual,
                       uint32_t most)
{
    char *end;
    unsigned long value = k < argc ? strtoul(argv[k], &end, 10) : usual;

    return (k < argc && *end) || value > most ? 0 : value;
}

int main(int argc, char **argv)
{
    uint32_t size = number(argc, argv, 1, SIZE, MOST);
    uint32_t iterations = number(argc, argv, 2, ITERATIONS, 1000000);
    uint64_t cycles, cycles_alone;
    int64_t sum, sum_alone;

    if (argc > 3 || size < udm_nodes() || iterations < 1) {
        if (udm_node() == 0) {
            fprintf(stderr, "stencil: the arguments are the size, from the "
                    "number of nodes to %d, and a number of iterations\n",
                    MOST);
        }
        return 2;
    }
    sum = together(size, iterations, &cycles);
    if (udm_node() != 0) {
        return 0;
    }
    sum_alone = alone(size, iterations, &cycles_alone);
    printf("stencil: %lu x %lu points, %lu iterations, %lu nodes\n",
           (unsigned long)size, (unsigned long)size, (unsigned long)iterations,
           (unsigned long)udm_nodes());
    printf("stencil: %.0f cycles, on one node %.0f: speed-up %.2f\n",
           (double)cycles, (double)cycles_alone,
           (double)cycles_alone / cycles);
    printf("stencil: checksum %08lx%08lx: %s\n", (unsigned long)(sum >> 32),
           (unsigned long)sum, sum == sum_alone ? "right" : "wrong");
    return sum != sum_alone;
}
