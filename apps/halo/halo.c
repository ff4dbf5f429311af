/*
 * Heat in a square plate, with rows that go from memory to memory. See
 * README.md.
 *
 * Jacobi's method: each point becomes the mean of its four neighbours, again and
 * again. The rows are divided among the nodes. A node writes its first and last
 * row into the memory of its neighbours, computes those rows that need none of
 * them, and then waits until its writes are done (the elastic memory barrier)
 * and all nodes have got so far.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "mbcf.h"
#include "udm-collective.h"

enum { SIDE_MOST = 1022, ROWS = 1 };    /* ROWS: a colour */
enum side { ABOVE, BELOW };

static uint32_t size = 64, iterations = 20;

/*
 * A part of the plate: rows 1 to `rows`, and a row on each side, which belongs
 * to a neighbour or to the border. An iteration reads one grid and writes the
 * other.
 */
struct part {
    uint32_t rows, width;
    double *grid[2];
};

static struct part mine;

/* Where a neighbour on each side keeps this node's row, for each grid. The
 * neighbours write these addresses here. */
static volatile uint32_t theirs[2][2];

static double *row(const struct part *part, uint32_t i, uint32_t y)
{
    return part->grid[i % 2] + y * part->width;
}

static struct part part_make(uint32_t rows, bool top)
{
    struct part part = { .rows = rows, .width = size + 2 };

    for (unsigned i = 0; i < 2; i++) {
        part.grid[i] = calloc((rows + 2) * part.width, sizeof(double));
        if (!part.grid[i]) {
            fprintf(stderr, "halo: the grid needs more memory\n");
            exit(1);
        }
        for (uint32_t x = 0; top && x < part.width; x++) {
            part.grid[i][x] = 100.0;    /* the upper border is hot */
        }
    }
    return part;
}

/* Computes some rows: iteration i reads grid i % 2 and writes the other one. */
static void compute(const struct part *part, uint32_t i, uint32_t from,
                    uint32_t to)
{
    for (uint32_t y = from; y <= to; y++) {
        const double *above = row(part, i, y - 1), *here = row(part, i, y);
        const double *below = row(part, i, y + 1);
        double *next = row(part, i + 1, y);

        for (uint32_t x = 1; x < part->width - 1; x++) {
            next[x] = (above[x] + below[x] + here[x - 1] + here[x + 1]) * 0.25;
        }
    }
}

/* Returns the sum of all points' bits, which does not depend on their order. */
static int64_t checksum(const struct part *part)
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

/* ---- Neighbours ---------------------------------------------------------- */

static bool has(enum side side)
{
    return side == ABOVE ? udm_node() > 0 : udm_node() < udm_nodes() - 1;
}

static uint32_t neighbour(enum side side)
{
    return side == ABOVE ? udm_node() - 1 : udm_node() + 1;
}

/* Tells the neighbours where their rows go in this node's grids. */
static void introduce(void)
{
    for (enum side side = ABOVE; side <= BELOW; side++) {
        for (uint32_t i = 0; has(side) && i < 2; i++) {
            uint32_t to = (uintptr_t)row(&mine, i,
                                         side == ABOVE ? 0 : mine.rows + 1);

            mbcf_write_now(neighbour(side), (uintptr_t)&theirs[!side][i], &to,
                           sizeof(to));
        }
    }
    udm_barrier();
}

/* Writes this node's outer rows into the neighbours' memory: sends, no more. */
static void write_rows(uint32_t i)
{
    for (enum side side = ABOVE; side <= BELOW; side++) {
        if (has(side)) {
            mbcf_write(neighbour(side), theirs[side][i % 2],
                       row(&mine, i, side == ABOVE ? 1 : mine.rows),
                       mine.width * sizeof(double), MBCF_COLOUR(ROWS), NULL);
        }
    }
}

static int64_t together(uint64_t *cycles)
{
    uint32_t node = udm_node(), nodes = udm_nodes();
    uint64_t start;

    mine = part_make(size * (node + 1) / nodes - size * node / nodes,
                     node == 0);
    introduce();
    start = udm_cycles();
    for (uint32_t i = 0; i < iterations; i++) {
        write_rows(i);
        compute(&mine, i, 2, mine.rows - 1);
        mbcf_barrier(ROWS);     /* this node's rows have arrived */
        udm_barrier();          /* and those of the others */
        compute(&mine, i, 1, 1);
        if (mine.rows > 1) {
            compute(&mine, i, mine.rows, mine.rows);
        }
    }
    udm_barrier();
    *cycles = udm_cycles() - start;
    return udm_reduce_int(0, UDM_SUM, checksum(&mine));
}

static int64_t alone(uint64_t *cycles)
{
    struct part whole = part_make(size, true);
    uint64_t start = udm_cycles();

    for (uint32_t i = 0; i < iterations; i++) {
        compute(&whole, i, 1, size);
    }
    *cycles = udm_cycles() - start;
    return checksum(&whole);
}

int main(int argc, char **argv)
{
    const struct argument numbers[] = {
        { "SIZE", "points in a row and in a column", 1, SIDE_MOST, &size },
        { "ITERATIONS", "how often all points change", 1, 1000000,
          &iterations },
        { 0 },
    };
    struct arguments arguments = { .app = "halo", .numbers = numbers };
    uint64_t cycles, cycles_alone;
    int64_t sum, right;

    arguments_read(&arguments, argc, argv);
    if (size < udm_nodes()) {
        arguments_wrong(&arguments, "SIZE must be the number of nodes or more");
    }
    mbcf_open();
    udm_barrier();              /* all nodes are tasks: commands may come */
    sum = together(&cycles);
    if (udm_node() > 0) {
        return 0;
    }
    right = alone(&cycles_alone);
    printf("halo: %.0f cycles, on one node %.0f: speed-up %.2f\n",
           (double)cycles, (double)cycles_alone,
           (double)cycles_alone / cycles);
    printf("halo: checksum %08lx%08lx: %s\n", (unsigned long)(sum >> 32),
           (unsigned long)sum, sum == right ? "right" : "wrong");
    return sum != right;
}
