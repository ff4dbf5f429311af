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

struct options {
    unsigned size;              /* rows of the matrix, and columns */
    unsigned edge;              /* rows of a block, and columns; the last
                                   blocks of rows and columns may have fewer */
    uint32_t seed;
    const char *result;         /* file for L and U; NULL: none */
};

/* Returns what the command line says. Ends the job if that is wrong. */
struct options options_read(int argc, char **argv);

/* ---- The matrix (matrix.c) ----------------------------------------------- */

/* Element (row, column) before the decomposition. */
double matrix_element(const struct options *options, unsigned row,
                      unsigned column);

/* Creates this node's blocks, and fills them. All nodes call it. */
void matrix_make(const struct options *options);

/* Tells all nodes which blocks this node has created. All nodes call it. */
void matrix_exchange(void);

unsigned matrix_blocks(void);   /* in a row of blocks */
unsigned matrix_edge(unsigned i);   /* rows or columns of block i */

/* Whether this node owns block (i, j): only the owner writes it. */
bool matrix_is_mine(unsigned i, unsigned j);

/* Returns block (i, j), mapped. Reads it, or writes it if it is this node's,
 * between the functions below. */
double *matrix_block(unsigned i, unsigned j);

/* The same, and starts to read or to write it. */
const double *matrix_read(unsigned i, unsigned j);
double *matrix_write(unsigned i, unsigned j);

/* ---- The decomposition (decompose.c) -------------------------------------- */

/* Replaces the matrix by L and U. All nodes call it. */
void decompose(void);

/* ---- The result (result.c) ------------------------------------------------ */

/*
 * Writes L and U to options->result, if it is not NULL, and returns the largest
 * difference between an element of A x and one of L (U x), as a share of the
 * former; x is a vector of ones. One node calls it. Ends the job if the file
 * cannot be written.
 */
double result_check(const struct options *options);

#endif
