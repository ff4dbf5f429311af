/*
 * LU decomposition of a matrix in blocks, a CRL region each: what the files of
 * this program share. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef LU_H
#define LU_H

#include <stdbool.h>
#include <stdint.h>

struct matrix {
    unsigned size;              /* rows, and columns */
    unsigned edge;              /* rows of a block, and columns; those of the
                                   last row and column of blocks may have
                                   fewer */
    uint32_t seed;
};

/* ---- The matrix (matrix.c) ----------------------------------------------- */

/* Element (row, column) before the decomposition. */
double matrix_element(const struct matrix *matrix, unsigned row,
                      unsigned column);

/*
 * Creates this node's blocks, and fills them. All nodes call this function
 * once. The functions below are about this matrix.
 */
void matrix_make(const struct matrix *matrix);

/* Tells all nodes which blocks this node has created. All nodes call it. */
void matrix_exchange(void);

unsigned matrix_blocks(void);   /* in a row of blocks */
unsigned matrix_edge(unsigned i);   /* rows or columns of block i */

/* Whether this node owns block (i, j): only the owner writes it. */
bool matrix_is_mine(unsigned i, unsigned j);

/* Map block (i, j) if this node has not mapped it yet, start to read or write
 * it, and return its data. */
const double *matrix_read(unsigned i, unsigned j);
double *matrix_write(unsigned i, unsigned j);

/* ---- The decomposition (decompose.c) ------------------------------------ */

/* Replaces the matrix by L and U. All nodes call it. */
void decompose(void);

/* ---- The result (result.c) ---------------------------------------------- */

/*
 * Compares L (U x) with A x, for a vector x of ones, and prints the largest
 * difference of an element. Writes L and U to `file`, if it is not NULL:
 * doubles, most significant byte first, row by row. Returns false, with an
 * error printed, if the difference is too large or the file cannot be written.
 * One node calls this function.
 */
bool result_check(const struct matrix *matrix, const char *file);

#endif
