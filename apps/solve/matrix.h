/*
 * Sparse lower triangular matrices: from a file, or made up.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdint.h>

/*
 * Entry k below the diagonal is value[k], in row row[k] and column column[k].
 * The entries of row i are first[i] to first[i + 1] - 1. Those of column j are
 * below[start[j]] to below[start[j + 1] - 1], which are numbers of entries.
 */
struct matrix {
    uint32_t rows, entries;
    double *diagonal, *value;
    uint32_t *row, *column, *first;
    uint32_t *start, *below;
};

/*
 * Makes up a matrix that is as sparse as the factor of a power grid: a row
 * depends on few rows before it, more of them near than far.
 */
void matrix_make(struct matrix *matrix, uint32_t rows, uint32_t entries);

/*
 * Reads a file in the coordinate format of Matrix Market. Returns NULL, or what
 * is wrong with the file.
 */
const char *matrix_read(struct matrix *matrix, const char *file);

#endif
