/*
 * Sparse lower triangular matrices. See matrix.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

enum { ROWS_MOST = 1 << 20, ENTRIES_MOST = 1 << 22 };
enum { LINE_MOST = 1025 };      /* bytes of a line, by the format's definition */

static void *allocate(size_t count, size_t bytes)
{
    void *memory = calloc(count ? count : 1, bytes);

    if (!memory) {
        fprintf(stderr, "solve: the matrix needs more memory (--ram)\n");
        exit(1);
    }
    return memory;
}

static void allocate_all(struct matrix *matrix, uint32_t rows,
                         uint32_t entries)
{
    matrix->rows = rows;
    matrix->entries = entries;
    matrix->diagonal = allocate(rows, sizeof(double));
    matrix->value = allocate(entries, sizeof(double));
    matrix->row = allocate(entries, sizeof(uint32_t));
    matrix->column = allocate(entries, sizeof(uint32_t));
    matrix->first = allocate(rows + 1, sizeof(uint32_t));
    matrix->start = allocate(rows + 1, sizeof(uint32_t));
    matrix->below = allocate(entries, sizeof(uint32_t));
}

/*
 * Counting sort of the entries by key[], whose values are below `keys`: order[]
 * gets their numbers, and from[i] the first place of key i.
 */
static void sort(const uint32_t *key, uint32_t count, uint32_t keys,
                 uint32_t *from, uint32_t *order)
{
    for (uint32_t k = 0; k < count; k++) {
        from[key[k] + 1]++;
    }
    for (uint32_t i = 0; i < keys; i++) {
        from[i + 1] += from[i];
    }
    for (uint32_t k = 0; k < count; k++) {
        order[from[key[k]]++] = k;
    }
    for (uint32_t i = keys; i > 0; i--) {
        from[i] = from[i - 1];
    }
    from[0] = 0;
}

/* Sorts entries by rows, and lists them by columns. */
static void index_entries(struct matrix *m)
{
    uint32_t *order = allocate(m->entries, sizeof(*order));
    uint32_t *row = allocate(m->entries, sizeof(*row));
    uint32_t *column = allocate(m->entries, sizeof(*column));
    double *value = allocate(m->entries, sizeof(*value));

    sort(m->row, m->entries, m->rows, m->first, order);
    for (uint32_t k = 0; k < m->entries; k++) {
        row[k] = m->row[order[k]];
        column[k] = m->column[order[k]];
        value[k] = m->value[order[k]];
    }
    free(m->row);
    free(m->column);
    free(m->value);
    free(order);
    m->row = row;
    m->column = column;
    m->value = value;
    sort(m->column, m->entries, m->rows, m->start, m->below);
}

/* ---- Made up -------------------------------------------------------------- */

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (random_state >> 4) % limit;
}

/* The values of an entry and of the diagonal for a file without values. */
static double invented(void)
{
    return (int32_t)(random_below(2001) - 1000) / 1000.0;
}

static const double DIAGONAL = 4.0;

void matrix_make(struct matrix *matrix, uint32_t rows, uint32_t entries)
{
    allocate_all(matrix, rows, entries);
    for (uint32_t i = 0; i < rows; i++) {
        matrix->diagonal[i] = DIAGONAL;
    }
    for (uint32_t k = 0; k < entries; k++) {
        uint32_t row = 1 + random_below(rows - 1);
        uint32_t distance = random_below(row) >> random_below(3);

        matrix->row[k] = row;
        matrix->column[k] = row - 1 - distance;
        matrix->value[k] = invented();
    }
    index_entries(matrix);
}

/* ---- From a file ---------------------------------------------------------- */

/* Reads the next line that is no comment. Returns false at the end. */
static bool next_line(FILE *in, char *line)
{
    while (fgets(line, LINE_MOST, in)) {
        const char *c = line;

        while (isspace((unsigned char)*c)) {
            c++;
        }
        if (*c && *c != '%') {
            return true;
        }
    }
    return false;
}

static const char *read_entries(struct matrix *matrix, FILE *in, bool values,
                                bool symmetric, uint32_t lines)
{
    char line[LINE_MOST];
    uint32_t count = 0;

    for (uint32_t k = 0; k < lines; k++) {
        unsigned long row, column;
        double value = 0;

        if (!next_line(in, line)) {
            return "it has fewer entries than its second line says";
        }
        if (sscanf(line, values ? "%lu %lu %lf" : "%lu %lu", &row, &column,
                   &value) != (values ? 3 : 2)) {
            return "an entry is not a row, a column and, if it is not of "
                   "kind pattern, a number";
        }
        if (row < 1 || column < 1 || row > matrix->rows ||
            column > matrix->rows) {
            return "an entry lies outside of the matrix";
        }
        if (column > row && symmetric) {
            unsigned long swap = row;

            row = column;
            column = swap;
        }
        if (column > row) {
            return "an entry lies above the diagonal: it has to be lower "
                   "triangular or symmetric";
        }
        if (!values) {
            value = row == column ? DIAGONAL : invented();
        }
        if (!isfinite(value)) {
            return "a number is not finite";
        }
        if (row == column) {
            matrix->diagonal[row - 1] = value;
        } else {
            matrix->row[count] = row - 1;
            matrix->column[count] = column - 1;
            matrix->value[count++] = value;
        }
    }
    matrix->entries = count;
    for (uint32_t i = 0; i < matrix->rows; i++) {
        if (matrix->diagonal[i] == 0 && !values) {
            matrix->diagonal[i] = DIAGONAL;
        }
        if (matrix->diagonal[i] == 0) {
            return "a number on the diagonal is 0 or missing";
        }
    }
    return NULL;
}

static const char *read_open(struct matrix *matrix, FILE *in)
{
    char line[LINE_MOST], kind[16], symmetry[24];
    unsigned long rows, columns, entries;
    const char *wrong;
    bool values;

    if (!fgets(line, sizeof(line), in) ||
        sscanf(line, "%%%%MatrixMarket matrix coordinate %15s %23s", kind,
               symmetry) != 2) {
        return "its first line is not that of a Matrix Market file in "
               "coordinate format";
    }
    values = strcmp(kind, "pattern");
    if (values && strcmp(kind, "real") && strcmp(kind, "integer")) {
        return "its numbers are of another kind than real, integer or pattern";
    }
    if (strcmp(symmetry, "general") && strcmp(symmetry, "symmetric")) {
        return "it is neither general nor symmetric";
    }
    if (!next_line(in, line) ||
        sscanf(line, "%lu %lu %lu", &rows, &columns, &entries) != 3) {
        return "its second line is not rows, columns and entries";
    }
    if (rows != columns || rows < 2 || rows > ROWS_MOST ||
        entries > ENTRIES_MOST) {
        return "it is not square, or has fewer than 2 or too many rows or "
               "entries";
    }
    allocate_all(matrix, rows, entries);
    wrong = read_entries(matrix, in, values, !strcmp(symmetry, "symmetric"),
                         entries);
    if (!wrong) {
        index_entries(matrix);
    }
    return wrong;
}

const char *matrix_read(struct matrix *matrix, const char *file)
{
    FILE *in = fopen(file, "r");
    const char *wrong;

    if (!in) {
        return "it cannot be opened: name it with --input too";
    }
    wrong = read_open(matrix, in);
    fclose(in);
    return wrong;
}
