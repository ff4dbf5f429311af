/*
 * Arithmetic on blocks of the matrix. A block is an array of rows without gaps
 * between them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef BLOCK_H
#define BLOCK_H

/* Factors the n x n block `a` in place: U, and L below its diagonal. L has
 * ones on its diagonal, which are not stored. */
void block_factor(double *a, unsigned n);

/* a := a U^-1, with the U of the factored n x n block `diagonal`. */
void block_below(double *a, unsigned rows, const double *diagonal, unsigned n);

/* a := L^-1 a, with the L of the factored n x n block `diagonal`. */
void block_right(double *a, unsigned columns, const double *diagonal,
                 unsigned n);

/* c := c - a b. `c` has rows x columns elements, `a` rows x depth. */
void block_update(double *c, const double *a, const double *b, unsigned rows,
                  unsigned columns, unsigned depth);

#endif
