/*
 * The matrix: its blocks, who owns them, and its elements. See lu.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "crl.h"
#include "lu.h"

static unsigned size, edge, blocks;
static unsigned grid_rows, grid_columns;    /* of nodes */
static rid_t *ids;              /* of all blocks, row by row */
static double **mapped;         /* the blocks that this node has mapped */

/* A hash of 32 bits: Wellons, "Prospecting for Hash Functions", 2018. */
static uint32_t hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352d;
    x = (x ^ x >> 15) * 0x846ca68b;
    return x ^ x >> 16;
}

/*
 * Random numbers from -1/2 to 1/2, and a diagonal that dominates: so the
 * decomposition needs no pivots.
 */
double matrix_element(const struct options *options, unsigned row,
                      unsigned column)
{
    uint32_t random = hash(row * options->size + column + options->seed);
    double element = (double)(int32_t)random / 4294967296.0;

    return row == column ? element + options->size : element;
}

static void *allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);

    if (!memory) {
        fprintf(stderr, "lu: the list of %lu blocks needs more memory\n",
                (unsigned long)count);
        exit(1);
    }
    return memory;
}

/* The grid of nodes that is closest to a square, with more columns than rows. */
static void make_grid(void)
{
    grid_rows = 1;
    for (unsigned rows = 1; rows * rows <= crl_num_nodes; rows++) {
        if (crl_num_nodes % rows == 0) {
            grid_rows = rows;
        }
    }
    grid_columns = crl_num_nodes / grid_rows;
}

unsigned matrix_blocks(void)
{
    return blocks;
}

unsigned matrix_edge(unsigned i)
{
    return i == blocks - 1 ? size - i * edge : edge;
}

static unsigned owner(unsigned i, unsigned j)
{
    return i % grid_rows * grid_columns + j % grid_columns;
}

bool matrix_is_mine(unsigned i, unsigned j)
{
    return owner(i, j) == crl_self_addr;
}

static void fill(const struct options *options, unsigned i, unsigned j)
{
    double *block = matrix_write(i, j);
    unsigned rows = matrix_edge(i), columns = matrix_edge(j);

    for (unsigned row = 0; row < rows; row++) {
        for (unsigned column = 0; column < columns; column++) {
            block[row * columns + column] =
                matrix_element(options, i * edge + row, j * edge + column);
        }
    }
    rgn_end_write(block);
}

void matrix_make(const struct options *options)
{
    size = options->size;
    edge = options->edge;
    blocks = (size + edge - 1) / edge;
    make_grid();
    ids = allocate(blocks * blocks, sizeof(*ids));
    mapped = allocate(blocks * blocks, sizeof(*mapped));
    for (unsigned i = 0; i < blocks; i++) {
        for (unsigned j = 0; j < blocks; j++) {
            if (matrix_is_mine(i, j)) {
                ids[i * blocks + j] = rgn_create(matrix_edge(i) *
                                                 matrix_edge(j) *
                                                 sizeof(double));
                fill(options, i, j);
            }
        }
    }
}

/* Each node in turn broadcasts the identifiers of its blocks, row by row. */
void matrix_exchange(void)
{
    rid_t *list = allocate(blocks * blocks, sizeof(*list));

    for (unsigned node = 0; node < crl_num_nodes; node++) {
        unsigned count = 0;

        for (unsigned k = 0; k < blocks * blocks; k++) {
            if (owner(k / blocks, k % blocks) == node) {
                list[count++] = ids[k];
            }
        }
        if (count == 0) {
            continue;
        }
        if (node == crl_self_addr) {
            rgn_bcast_send(count * sizeof(*list), list);
            continue;
        }
        rgn_bcast_recv(count * sizeof(*list), list);
        count = 0;
        for (unsigned k = 0; k < blocks * blocks; k++) {
            if (owner(k / blocks, k % blocks) == node) {
                ids[k] = list[count++];
            }
        }
    }
    free(list);
}

double *matrix_block(unsigned i, unsigned j)
{
    double **block = &mapped[i * blocks + j];

    if (!*block) {
        *block = rgn_map(ids[i * blocks + j]);
    }
    return *block;
}

const double *matrix_read(unsigned i, unsigned j)
{
    double *block = matrix_block(i, j);

    rgn_start_read(block);
    return block;
}

double *matrix_write(unsigned i, unsigned j)
{
    double *block = matrix_block(i, j);

    rgn_start_write(block);
    return block;
}
