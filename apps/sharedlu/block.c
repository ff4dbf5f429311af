/*
 * Arithmetic on square blocks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "sharedlu.h"

/* to -= factor * from, from column `first` on. */
static void subtract_row(double *to, double factor, const double *from,
                         int first, int edge)
{
    for (int j = first; j < edge; j++) {
        to[j] -= factor * from[j];
    }
}

void block_factor(double *a, int edge)
{
    for (int k = 0; k < edge; k++) {
        for (int i = k + 1; i < edge; i++) {
            a[i * edge + k] /= a[k * edge + k];
            subtract_row(a + i * edge, a[i * edge + k], a + k * edge, k + 1,
                         edge);
        }
    }
}

void block_lower(double *a, const double *diagonal, int edge)
{
    for (int i = 0; i < edge; i++) {
        for (int k = 0; k < edge; k++) {
            a[i * edge + k] /= diagonal[k * edge + k];
            subtract_row(a + i * edge, a[i * edge + k], diagonal + k * edge,
                         k + 1, edge);
        }
    }
}

void block_upper(double *a, const double *diagonal, int edge)
{
    for (int k = 0; k < edge; k++) {
        for (int i = k + 1; i < edge; i++) {
            subtract_row(a + i * edge, diagonal[i * edge + k], a + k * edge, 0,
                         edge);
        }
    }
}

void block_subtract(double *a, const double *lower, const double *upper,
                    int edge)
{
    for (int i = 0; i < edge; i++) {
        for (int k = 0; k < edge; k++) {
            subtract_row(a + i * edge, lower[i * edge + k], upper + k * edge, 0,
                         edge);
        }
    }
}
