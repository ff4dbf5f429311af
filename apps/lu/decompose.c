/*
 * The decomposition: right-looking, by blocks, without pivots, after Woo,
 * Singh and Hennessy (SPLASH-2's LU). See lu.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "block.h"
#include "crl.h"
#include "lu.h"

/* Factors diagonal block k on the node that owns it. */
static void diagonal(unsigned k)
{
    if (matrix_is_mine(k, k)) {
        double *block = matrix_write(k, k);

        block_factor(block, matrix_edge(k));
        rgn_end_write(block);
    }
}

/* Whether this node owns a block of column k below the diagonal, or of row k
 * to the right of it. */
static bool has_perimeter(unsigned k)
{
    for (unsigned i = k + 1; i < matrix_blocks(); i++) {
        if (matrix_is_mine(i, k) || matrix_is_mine(k, i)) {
            return true;
        }
    }
    return false;
}

/* Makes this node's blocks of column k those of L, and of row k those of U. */
static void perimeter(unsigned k)
{
    const double *factored;

    if (!has_perimeter(k)) {
        return;
    }
    factored = matrix_read(k, k);
    for (unsigned i = k + 1; i < matrix_blocks(); i++) {
        if (matrix_is_mine(i, k)) {
            double *block = matrix_write(i, k);

            block_below(block, matrix_edge(i), factored, matrix_edge(k));
            rgn_end_write(block);
        }
        if (matrix_is_mine(k, i)) {
            double *block = matrix_write(k, i);

            block_right(block, matrix_edge(i), factored, matrix_edge(k));
            rgn_end_write(block);
        }
    }
    rgn_end_read((void *)factored);
}

/* Subtracts the product of column k and row k from this node's blocks of row
 * i to the right of the diagonal. */
static void row(unsigned i, unsigned k)
{
    const double *left = matrix_read(i, k);

    for (unsigned j = k + 1; j < matrix_blocks(); j++) {
        if (matrix_is_mine(i, j)) {
            const double *above = matrix_read(k, j);
            double *block = matrix_write(i, j);

            block_update(block, left, above, matrix_edge(i), matrix_edge(j),
                         matrix_edge(k));
            rgn_end_write(block);
            rgn_end_read((void *)above);
        }
    }
    rgn_end_read((void *)left);
}

static bool has_row(unsigned i, unsigned k)
{
    for (unsigned j = k + 1; j < matrix_blocks(); j++) {
        if (matrix_is_mine(i, j)) {
            return true;
        }
    }
    return false;
}

static void interior(unsigned k)
{
    for (unsigned i = k + 1; i < matrix_blocks(); i++) {
        if (has_row(i, k)) {
            row(i, k);
        }
    }
}

void decompose(void)
{
    for (unsigned k = 0; k < matrix_blocks(); k++) {
        diagonal(k);
        rgn_barrier();
        perimeter(k);
        rgn_barrier();
        interior(k);
        rgn_barrier();
    }
}
