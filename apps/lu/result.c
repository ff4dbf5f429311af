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

#define TOLERANCE 1e-9          /* what is found: 1e-15 */

/* Copies the blocks (i, j) for all j to `rows`, where the elements stand row by
 * row. */
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
static double check_row(const struct matrix *matrix, unsigned row,
                        const double *lu, double *sums)
{
    double expected = 0.0, found = 0.0;

    sums[row] = 0.0;
    for (unsigned j = 0; j < matrix->size; j++) {
        expected += matrix_element(matrix, row, j);
        if (j < row) {
            found += lu[j] * sums[j];
        } else {
            sums[row] += lu[j];
        }
    }
    return fabs(found + sums[row] - expected) / fabs(expected);
}

/* Gathers and checks the matrix, and writes it to `file` unless that is NULL.
 * Returns false if it cannot be written. */
static bool gather_all(const struct matrix *matrix, FILE *file, double *worst)
{
    unsigned size = matrix->size, first = 0;
    double *rows = malloc((matrix->edge + 1) * size * sizeof(double));
    double *sums = rows + matrix->edge * size;
    bool written = true;

    if (!rows) {
        fputs("lu: a row of blocks needs more memory\n", stderr);
        abort();                /* ends the job on all nodes */
    }
    for (unsigned i = 0; i < matrix_blocks() && written; i++) {
        unsigned high = matrix_edge(i);

        gather(i, size, rows);
        for (unsigned row = 0; row < high; row++) {
            double error = check_row(matrix, first + row, rows + row * size,
                                     sums);

            *worst = error > *worst || isnan(error) ? error : *worst;
        }
        written = !file || fwrite(rows, size * sizeof(double), high, file) ==
                           high;
        first += high;
    }
    free(rows);
    return written;
}

bool result_check(const struct matrix *matrix, const char *name)
{
    FILE *file = name ? fopen(name, "wb") : NULL;
    double worst = 0.0;
    bool written = !name || file;

    written = written && gather_all(matrix, file, &worst);
    if (file && fclose(file)) {
        written = false;
    }
    if (!written) {
        fprintf(stderr, "lu: %s cannot be written: %s\n", name,
                strerror(errno));
        return false;
    }
    printf("lu: largest relative error %.1e\n", worst);
    if (!(worst < TOLERANCE)) {
        fputs("lu: the result is wrong\n", stderr);
        return false;
    }
    return true;
}
