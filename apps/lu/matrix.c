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

/* Block (i, j) belongs to node row_node[i] + column_node[j]. The tables spare
 * divisions and multiplications, which are loops on this processor. */
static unsigned *row_node, *column_node;

struct block {
    rid_t id;
    double *data;               /* NULL until this node maps it */
};

static struct block **rows;     /* of blocks */

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
double matrix_element(const struct matrix *matrix, unsigned row,
                      unsigned column)
{
    uint32_t random = hash(row * matrix->size + column + matrix->seed);
    double element = (double)(int32_t)random / 4294967296.0;

    return row == column ? element + matrix->size : element;
}

static void *allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);

    if (!memory) {
        fprintf(stderr, "lu: the list of %lu blocks needs more memory\n",
                (unsigned long)count);
        abort();                /* ends the job on all nodes */
    }
    return memory;
}

/* The nodes form the grid that is closest to a square, with more columns than
 * rows. */
static void make_grid(void)
{
    unsigned high = 1, wide;

    for (unsigned n = 1; n * n <= crl_num_nodes; n++) {
        if (crl_num_nodes % n == 0) {
            high = n;
        }
    }
    wide = crl_num_nodes / high;
    row_node = allocate(blocks, sizeof(*row_node));
    column_node = allocate(blocks, sizeof(*column_node));
    for (unsigned i = 0; i < blocks; i++) {
        row_node[i] = i % high * wide;
        column_node[i] = i % wide;
    }
}

unsigned matrix_blocks(void)
{
    return blocks;
}

unsigned matrix_edge(unsigned i)
{
    return i == blocks - 1 ? size - i * edge : edge;
}

bool matrix_is_mine(unsigned i, unsigned j)
{
    return row_node[i] + column_node[j] == crl_self_addr;
}

static void fill(const struct matrix *matrix, unsigned i, unsigned j)
{
    double *block = matrix_write(i, j), *element = block;

    for (unsigned row = 0; row < matrix_edge(i); row++) {
        for (unsigned column = 0; column < matrix_edge(j); column++) {
            *element++ =
                matrix_element(matrix, i * edge + row, j * edge + column);
        }
    }
    rgn_end_write(block);
}

void matrix_make(const struct matrix *matrix)
{
    size = matrix->size;
    edge = matrix->edge;
    blocks = (size + edge - 1) / edge;
    make_grid();
    rows = allocate(blocks, sizeof(*rows));
    for (unsigned i = 0; i < blocks; i++) {
        rows[i] = allocate(blocks, sizeof(*rows[i]));
        for (unsigned j = 0; j < blocks; j++) {
            if (matrix_is_mine(i, j)) {
                rows[i][j].id = rgn_create(matrix_edge(i) * matrix_edge(j) *
                                             sizeof(double));
                fill(matrix, i, j);
            }
        }
    }
}

/*
 * Copies the names of the blocks of a node to a list, row by row, or from it.
 * Returns how many there are.
 */
static unsigned copy_ids(unsigned node, rid_t *list, bool from)
{
    unsigned count = 0;

    for (unsigned i = 0; i < blocks; i++) {
        for (unsigned j = 0; j < blocks; j++) {
            if (row_node[i] + column_node[j] == node) {
                rid_t *id = &rows[i][j].id, *entry = &list[count++];

                *(from ? id : entry) = *(from ? entry : id);
            }
        }
    }
    return count;
}

/* Each node in turn broadcasts the names of its blocks. */
void matrix_exchange(void)
{
    rid_t *list = allocate(blocks * blocks, sizeof(*list));

    for (unsigned node = 0; node < crl_num_nodes; node++) {
        unsigned bytes = copy_ids(node, list, false) * sizeof(*list);

        if (bytes == 0) {
            continue;
        }
        if (node == crl_self_addr) {
            rgn_bcast_send(bytes, list);
        } else {
            rgn_bcast_recv(bytes, list);
            copy_ids(node, list, true);
        }
    }
    free(list);
}

static double *mapped(unsigned i, unsigned j)
{
    struct block *block = &rows[i][j];

    if (!block->data) {
        block->data = rgn_map(block->id);
    }
    return block->data;
}

const double *matrix_read(unsigned i, unsigned j)
{
    double *block = mapped(i, j);

    rgn_start_read(block);
    return block;
}

double *matrix_write(unsigned i, unsigned j)
{
    double *block = mapped(i, j);

    rgn_start_write(block);
    return block;
}
