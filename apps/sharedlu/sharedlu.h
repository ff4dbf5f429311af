/*
 * Arithmetic on square blocks of doubles, row by row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef SHAREDLU_H
#define SHAREDLU_H

/* Replaces a block by L and U, with ones on the diagonal of L. */
void block_factor(double *a, int edge);

/* Below a factored block on the diagonal: a becomes L, with L U = a. */
void block_lower(double *a, const double *diagonal, int edge);

/* To the right of a factored block on the diagonal: a becomes U, with L U = a. */
void block_upper(double *a, const double *diagonal, int edge);

/* a becomes a - lower * upper. */
void block_subtract(double *a, const double *lower, const double *upper,
                    int edge);

#endif /* SHAREDLU_H */
