/*
 * Arithmetic on blocks of the matrix. See block.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "block.h"

/*
 * With this pass, GCC loads and multiplies as early as possible in tile(), and
 * runs out of FPU registers: 22 cycles for each product instead of 17.
 */
#pragma GCC optimize("no-schedule-insns")

enum {
    HIGH = 2, WIDE = 5,         /* a tile: its elements stay in FPU registers */
};

/*
 * c := c - a b for a tile, c of HIGH x WIDE elements. `columns` is the distance
 * between the rows of b and of c, `stride` between those of a.
 *
 * Each element of a and b is loaded once: 7 loads for 10 products.
 */
static inline void tile(double *c, const double *a, const double *b,
                 unsigned columns, unsigned stride, unsigned depth)
{
    double *d = c + columns;
    double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3], c4 = c[4];
    double d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3], d4 = d[4];

    for (const double *end = a + depth; a < end; a++, b += columns) {
        double x = a[0], y = a[stride], z;

        z = b[0], c0 -= x * z, d0 -= y * z;
        z = b[1], c1 -= x * z, d1 -= y * z;
        z = b[2], c2 -= x * z, d2 -= y * z;
        z = b[3], c3 -= x * z, d3 -= y * z;
        z = b[4], c4 -= x * z, d4 -= y * z;
    }
    c[0] = c0, c[1] = c1, c[2] = c2, c[3] = c3, c[4] = c4;
    d[0] = d0, d[1] = d1, d[2] = d2, d[3] = d3, d[4] = d4;
}

/* The same for a c that is no whole tile. */
static void edge(double *c, const double *a, const double *b, unsigned high,
                 unsigned wide, unsigned columns, unsigned stride,
                 unsigned depth)
{
    for (unsigned i = 0; i < high; i++) {
        for (unsigned j = 0; j < wide; j++) {
            double sum = c[i * columns + j];

            for (unsigned k = 0; k < depth; k++) {
                sum -= a[i * stride + k] * b[k * columns + j];
            }
            c[i * columns + j] = sum;
        }
    }
}

/* The same for any c, of high x wide elements. */
static void subtract(double *c, const double *a, const double *b, unsigned high,
                     unsigned wide, unsigned columns, unsigned stride,
                     unsigned depth)
{
    for (unsigned i = 0; i < high; i += HIGH) {
        for (unsigned j = 0; j < wide; j += WIDE) {
            unsigned rows = high - i, width = wide - j;

            if (rows >= HIGH && width >= WIDE) {
                tile(c + j, a, b + j, columns, stride, depth);
            } else {
                edge(c + j, a, b + j, rows < HIGH ? rows : HIGH,
                     width < WIDE ? width : WIDE, columns, stride, depth);
            }
        }
        c += HIGH * columns;
        a += HIGH * stride;
    }
}

void block_factor(double *a, unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        const double *pivot = a + k * n;
        double inverse = 1.0 / pivot[k];

        for (unsigned i = k + 1; i < n; i++) {
            double *row = a + i * n, factor = row[k] * inverse;

            row[k] = factor;
            for (unsigned j = k + 1; j < n; j++) {
                row[j] -= factor * pivot[j];
            }
        }
    }
}

/*
 * One row of the last step of block_below(), for a tile's width: x := x u^-1.
 * `inverse` has the inverses of u's diagonal, `n` is the distance between the
 * rows of u.
 */
static inline void divide_row(double *x, const double *u, unsigned n,
                              const double *inverse)
{
    const double *u1 = u + n, *u2 = u1 + n, *u3 = u2 + n;
    double a = x[0] * inverse[0];
    double b = (x[1] - a * u[1]) * inverse[1];
    double c = (x[2] - a * u[2] - b * u1[2]) * inverse[2];
    double d = (x[3] - a * u[3] - b * u1[3] - c * u2[3]) * inverse[3];

    x[0] = a, x[1] = b, x[2] = c, x[3] = d;
    x[4] = (x[4] - a * u[4] - b * u1[4] - c * u2[4] - d * u3[4]) * inverse[4];
}

/* The same for any width. */
static void divide_edge(double *x, const double *u, unsigned wide, unsigned n,
                        const double *inverse)
{
    for (unsigned j = 0; j < wide; j++) {
        double value = x[j];

        for (unsigned k = 0; k < j; k++) {
            value -= x[k] * u[k * n + j];
        }
        x[j] = value * inverse[j];
    }
}

/* The last step of block_below() for `wide` columns, at most WIDE. */
static void divide(double *x, const double *u, unsigned rows, unsigned wide,
                   unsigned n)
{
    double inverse[WIDE];

    for (unsigned j = 0; j < wide; j++) {
        inverse[j] = 1.0 / u[j * n + j];
    }
    for (unsigned i = 0; i < rows; i++, x += n) {
        if (wide == WIDE) {
            divide_row(x, u, n, inverse);
        } else {
            divide_edge(x, u, wide, n, inverse);
        }
    }
}

void block_below(double *a, unsigned rows, const double *diagonal, unsigned n)
{
    for (unsigned j = 0; j < n; j += WIDE) {
        unsigned wide = n - j < WIDE ? n - j : WIDE;

        subtract(a + j, a, diagonal + j, rows, wide, n, n, j);
        divide(a + j, diagonal + j * n + j, rows, wide, n);
    }
}

void block_right(double *a, unsigned columns, const double *diagonal,
                 unsigned n)
{
    for (unsigned i = 0; i < n; i += HIGH) {
        const double *l = diagonal + i * n;
        double *row = a + i * columns, *next = row + columns;

        if (i + 1 == n) {
            subtract(row, l, a, 1, columns, columns, n, i);
            break;
        }
        subtract(row, l, a, HIGH, columns, columns, n, i);
        for (unsigned j = 0; j < columns; j++) {
            next[j] -= l[n + i] * row[j];
        }
    }
}

void block_update(double *c, const double *a, const double *b, unsigned rows,
                  unsigned columns, unsigned depth)
{
    subtract(c, a, b, rows, columns, columns, depth, depth);
}
