/*
 * The result: checked, and written to a file. See lu.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crl.h"
#include "lu.h"

static void fail(const char *file)
{
    fprintf(stderr, "lu: %s cannot be written: %s\n", file, strerror(errno));
    exit(1);
}

/* Copies row I of blocks to `rows`, whose elements then stand row by row. */
static void gather(unsigned i, unsigned size, double *rows)
{
    unsigned column = 0;

    for (unsigned j = 0; j < matrix_blocks(); j++) {
        const double *block = matrix_read(i, j);
        unsigned wide = matrix_edge(j);

        for (unsigned row = 0; row < matrix_edge(i); row++) {
            memcpy(&rows[row * size + column], &block[row * wide],
                   wide * sizeof(double));
        }
        rgn_end_read((void *)block);
        column += wide;
    }
}

/*
 * Checks row `row` of the matrix, whose part of L and U is `lu`. `sums` has the
 * sums of the rows of U, that is U x, of all rows above; this one is added.
 */
static double check_row(const struct options *options, unsigned row,
                        const double *lu, double *sums)
{
    double expected = 0.0, found = 0.0;

    sums[row] = 0.0;
    for (unsigned j = 0; j < options->size; j++) {
        expected += matrix_element(options, row, j);
        if (j < row) {
            found += lu[j] * sums[j];
        } else {
            sums[row] += lu[j];
        }
    }
    return fabs(found + sums[row] - expected) / fabs(expected);
}

double result_check(const struct options *options)
{
    unsigned size = options->size, first = 0;
    double *rows = malloc((options->edge + 1) * size * sizeof(double));
    double *sums = rows + options->edge * size, worst = 0.0;
    FILE *file = options->result ? fopen(options->result, "wb") : NULL;

    if (options->result && !file) {
        fail(options->result);
    }
    if (!rows) {
        fprintf(stderr, "lu: a row of blocks needs more memory\n");
        exit(1);
    }
    for (unsigned i = 0; i < matrix_blocks(); i++) {
        unsigned high = matrix_edge(i);

        gather(i, size, rows);
        for (unsigned row = 0; row < high; row++) {
            worst = fmax(worst, check_row(options, first + row,
                                          rows + row * size, sums));
        }
        if (file && fwrite(rows, sizeof(double), high * size, file) !=
                    high * size) {
            fail(options->result);
        }
        first += high;
    }
    if (file && fclose(file)) {
        fail(options->result);
    }
    free(rows);
    return worst;
}
