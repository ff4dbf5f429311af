/*
 * A sparse triangular system of equations, one message for each entry. See
 * README.md.
 *
 * Row i of L x = b is solved when the products of its entries with the x of
 * earlier rows are known. The owner of column j computes the products of that
 * column when it knows x[j], and sends each one to the owner of its row. A
 * message only stores a product and counts; the owner of the row subtracts the
 * products in the order of the columns. So x has the same bits as if one node
 * had solved everything, and no handler uses the FPU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"
#include "rq.h"
#include "udm-collective.h"
#include "udm-measure.h"

enum {
    ROWS = 274, ENTRIES = 759,  /* default: those of bcspwr05 in the paper */
    TURNS = 5,                  /* solves; the last one counts */
};

enum way { INTERRUPTS, POLLING, INLINED, MEMORY, FETCH };

enum { PRODUCTS = 1 };          /* the queue of MEMORY and FETCH */

#define WAYS "interrupts, polling, inlined, memory or fetch"

static const char *const names[] = {
    [INTERRUPTS] = "interrupts",
    [POLLING] = "polling",
    [INLINED] = "inlined",
    [MEMORY] = "memory",
    [FETCH] = "fetch",
};

static const enum rq_back_end back_ends[] = {
    [INTERRUPTS] = RQ_BY_NI,
    [POLLING] = RQ_BY_NI,
    [INLINED] = RQ_BY_NI,
    [MEMORY] = RQ_BY_MEMORY,
    [FETCH] = RQ_BY_FETCH,
};

static struct matrix matrix;
static double *x;               /* of this node's rows */
static union product {
    double number;
    uint32_t word[2];
} *products;                    /* by entry */
static uint32_t *waits;         /* by row: products that it still needs */
static uint32_t *ready;         /* rows whose products are all there */
static volatile uint32_t ready_count;

/* The right side b, and the owner of each row: the processor cannot divide. */
static double *right_side;
static uint16_t *owner;

static void make_tables(void)
{
    for (uint32_t row = 0; row < matrix.rows; row++) {
        right_side[row] = 1 + row % 7;
        owner[row] = row % udm_nodes();
    }
}

/* ---- Products that come ---------------------------------------------------- */

/* Stores and counts. The caller keeps messages out. */
static inline void store(uint32_t entry, uint32_t high, uint32_t low)
{
    uint32_t row = matrix.row[entry];

    products[entry].word[0] = high;
    products[entry].word[1] = low;
    if (--waits[row] == 0) {
        ready[ready_count++] = row;
    }
}

/* Handler: arguments are the entry and the product. */
static void add(void)
{
    store(udm_arg(0), udm_arg(1), udm_arg(2));
    udm_dispose();
}

/* The same for an item of the queue in memory, whose first word is this. */
static void add_item(const struct rq_item *item)
{
    store(item->word[1], item->word[2], item->word[3]);
}

/* Takes one message if the program polls. Returns false if no message waits. */
static inline bool poll(enum way way)
{
    switch (way) {
    case POLLING:
        return rq_poll_am();
    case INLINED:
        return RQ_POLL_INLINED(add, store(udm_arg(0), udm_arg(1),
                                          udm_arg(2)));
    case MEMORY:
    case FETCH:
        return rq_poll_am_of(PRODUCTS);
    default:
        return false;
    }
}

/* ---- Rows ------------------------------------------------------------------ */

/* Keeps messages out of a few instructions, where they interrupt. */
static inline void enter(enum way way)
{
    if (way == INTERRUPTS) {
        udm_beginatom();
    }
}

static inline void leave(enum way way)
{
    if (way == INTERRUPTS) {
        udm_endatom();
    }
}

static inline void send(enum way way, uint32_t entry, union product product)
{
    uint32_t node = owner[matrix.row[entry]];

    if (node == udm_node()) {
        enter(way);
        store(entry, product.word[0], product.word[1]);
        leave(way);
        return;
    }
    if (way == MEMORY || way == FETCH) {
        rq_send_am_to(node, PRODUCTS, add_item, entry, product.word[0],
                      product.word[1]);
        return;
    }
    while (!udm_injectc(node, add, entry, product.word[0], product.word[1])) {
        poll(way);
    }
}

static inline double solved(uint32_t row)
{
    double sum = right_side[row];

    for (uint32_t k = matrix.first[row]; k < matrix.first[row + 1]; k++) {
        sum -= products[k].number;
    }
    return sum / matrix.diagonal[row];
}

static inline __attribute__((always_inline))
void solve(enum way way, uint32_t rows)
{
    while (rows > 0) {
        uint32_t row;

        while (poll(way)) {
        }
        if (ready_count == 0) {
            continue;
        }
        enter(way);
        row = ready[--ready_count];
        leave(way);
        x[row] = solved(row);
        rows--;
        for (uint32_t k = matrix.start[row]; k < matrix.start[row + 1]; k++) {
            uint32_t entry = matrix.below[k];

            send(way, entry,
                 (union product){ .number = matrix.value[entry] * x[row] });
        }
    }
}

/* The same code, made for each way. */
static void solve_in(enum way way, uint32_t rows)
{
    rq_begin();
    switch (way) {
    case INTERRUPTS:
        rq_end();
        solve(INTERRUPTS, rows);
        return;
    case POLLING:
        solve(POLLING, rows);
        break;
    case INLINED:
        solve(INLINED, rows);
        break;
    case MEMORY:
        solve(MEMORY, rows);
        break;
    case FETCH:
        solve(FETCH, rows);
        break;
    }
    rq_end();
}

/* Makes this node's rows unsolved. Returns their number. */
static uint32_t reset(void)
{
    uint32_t rows = 0;

    ready_count = 0;
    for (uint32_t row = udm_node(); row < matrix.rows; row += udm_nodes()) {
        waits[row] = matrix.first[row + 1] - matrix.first[row];
        rows++;
    }
    /* The last ones first: ready[] is a stack. */
    for (uint32_t k = rows; k-- > 0;) {
        uint32_t row = udm_node() + k * udm_nodes();

        if (waits[row] == 0) {
            ready[ready_count++] = row;
        }
    }
    return rows;
}

/* Returns the sum of the bits of all x, which no order of nodes changes. */
static int64_t checksum(const double *solution, uint32_t from, uint32_t step)
{
    uint64_t sum = 0;

    for (uint32_t row = from; row < matrix.rows; row += step) {
        uint64_t bits;

        memcpy(&bits, &solution[row], sizeof(bits));
        sum += bits * (2 * row + 1);
    }
    return sum;
}

/* Solves everything on this node. Returns the cycles of the last turn. */
static uint64_t alone(double *solution)
{
    uint64_t start = 0;

    for (unsigned turn = 0; turn < TURNS; turn++) {
        start = udm_cycles();
        for (uint32_t row = 0; row < matrix.rows; row++) {
            double sum = right_side[row];

            for (uint32_t k = matrix.first[row]; k < matrix.first[row + 1];
                 k++) {
                sum -= matrix.value[k] * solution[matrix.column[k]];
            }
            solution[row] = sum / matrix.diagonal[row];
        }
    }
    return udm_cycles() - start;
}

/* ---- The command line ------------------------------------------------------- */

static void __attribute__((noreturn)) wrong(const char *what, const char *why)
{
    if (udm_node() == 0) {
        fprintf(stderr, "solve: %s: %s\n", what, why);
    }
    exit(2);
}

static uint32_t number(const char *text, uint32_t least, uint32_t most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (*end || end == text || value < least || value > most) {
        wrong(text, "the arguments are " WAYS ", and then a file, or 2 to "
              "100000 rows and 0 to 1000000 entries");
    }
    return value;
}

static enum way read_command_line(int argc, char **argv)
{
    enum way way = INLINED;
    const char *why;

    if (argc > 1) {
        for (way = INTERRUPTS; way <= FETCH && strcmp(argv[1], names[way]);
             way++) {
        }
    }
    if (way > FETCH || argc > 4) {
        wrong(argc > 4 ? argv[4] : argv[1], "the arguments are " WAYS ", "
              "and then a file, or rows and entries");
    }
    if (argc == 3 && (argv[2][0] < '0' || argv[2][0] > '9')) {
        why = matrix_read(&matrix, argv[2]);
        if (why) {
            wrong(argv[2], why);
        }
    } else {
        matrix_make(&matrix, argc > 2 ? number(argv[2], 2, 100000) : ROWS,
                    argc > 3 ? number(argv[3], 0, 1000000) : ENTRIES);
    }
    return way;
}

int main(int argc, char **argv)
{
    enum way way = read_command_line(argc, argv);
    struct udm_measured measured;
    uint64_t cycles_alone;
    int64_t sum, sum_alone;

    x = calloc(matrix.rows, sizeof(*x));
    products = calloc(matrix.entries + 1, sizeof(*products));
    waits = calloc(matrix.rows, sizeof(*waits));
    ready = calloc(matrix.rows, sizeof(*ready));
    right_side = calloc(matrix.rows, sizeof(*right_side));
    owner = calloc(matrix.rows, sizeof(*owner));
    if (!x || !products || !waits || !ready || !right_side || !owner) {
        wrong("matrix", "it needs more memory (--ram)");
    }
    make_tables();
    rq_init(back_ends[way]);
    if (back_ends[way] != RQ_BY_NI) {
        rq_create(PRODUCTS, RQ_POLL);
    }
    for (unsigned turn = 0; turn < TURNS; turn++) {
        uint32_t rows = reset();

        udm_measure_begin();    /* all nodes are ready for messages */
        solve_in(way, rows);
        measured = udm_measure_end();
    }
    sum = udm_reduce_int(0, UDM_SUM, checksum(x, udm_node(), udm_nodes()));
    if (udm_node() != 0) {
        return 0;
    }
    cycles_alone = alone(x);
    sum_alone = checksum(x, 0, 1);
    printf("solve: %lu rows, %lu entries below the diagonal, %lu nodes, %s\n",
           (unsigned long)matrix.rows, (unsigned long)matrix.entries,
           (unsigned long)udm_nodes(), names[way]);
    printf("solve: %.0f cycles, without messages on one node %.0f: speed-up "
           "%.2f\n", (double)measured.cycles, (double)cycles_alone,
           (double)cycles_alone / measured.cycles);
    printf("solve: checksum %016llx: %s\n", (unsigned long long)sum,
           sum == sum_alone ? "right" : "wrong");
    udm_measure_print("solve", &measured);
    return sum != sum_alone;
}
