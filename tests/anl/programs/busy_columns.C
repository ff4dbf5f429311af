/*
 * Busy flags, fifth kind (columns of a sparse matrix): a process spins on the head
 * of its own queue, without its lock, until another process has put a column
 * there. A column is put into its owner's queue by the process that completes the
 * last column that it needs. A column's value comes from those that it needs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common.h"

MAIN_ENV

#define COLUMNS_MAX 256

struct column {
    LOCKDEC(lock)
    int missing;                        /* columns that must come before */
    unsigned value;
    struct column *next;
};

struct queue {
    LOCKDEC(lock)
    struct column *volatile head;
    char pad[64];
};

struct shared {
    struct queue queues[PROCESSES_MAX];
    struct column columns[COLUMNS_MAX];
};

static struct start *start;
static struct shared *shared;
static int columns;

static int needs(column, before)
    int column, before;
{
    return before < column && random_number(column * COLUMNS_MAX + before) % 4 == 0;
}

static unsigned value_of(column, values)
    int column;
    unsigned (*values)();
{
    unsigned value = column + 1;
    int i;

    for (i = 0; i < column; i++) {
        if (needs(column, i)) {
            value = value * 3 + values(i);
        }
    }
    return value;
}

static unsigned shared_value(column)
    int column;
{
    return shared->columns[column].value;
}

static void put(column)
    int column;
{
    struct queue *queue = &shared->queues[column % P];

    LOCK(queue->lock)
    shared->columns[column].next = queue->head;
    queue->head = &shared->columns[column];
    UNLOCK(queue->lock)
}

static void completed(column)
    int column;
{
    int i, missing;

    for (i = column + 1; i < columns; i++) {
        if (needs(i, column)) {
            LOCK(shared->columns[i].lock)
            missing = --shared->columns[i].missing;
            UNLOCK(shared->columns[i].lock)
            if (missing == 0) {
                put(i);
            }
        }
    }
}

void work()
{
    int me = take_number(start), left, column;
    struct queue *queue = &shared->queues[me];

    for (left = (columns - me + P - 1) / P; left > 0; left--) {
        while (!queue->head) {
        }
        LOCK(queue->lock)
        column = queue->head - shared->columns;
        queue->head = queue->head->next;
        UNLOCK(queue->lock)
        shared->columns[column].value = value_of(column, shared_value);
        completed(column);
    }
}

static unsigned right[COLUMNS_MAX];

static unsigned right_value(column)
    int column;
{
    return right[column];
}

int main(argc, argv)
    int argc;
    char **argv;
{
    int i, j;

    columns = options(argc, argv, 24);
    check(columns <= COLUMNS_MAX, "-n takes at most 256");
    MAIN_INITENV(,4000000)
    start = start_init();
    shared = (struct shared *) G_MALLOC(sizeof(struct shared))
    for (i = 0; i < P; i++) {
        LOCKINIT(shared->queues[i].lock)
    }
    for (i = 0; i < columns; i++) {
        LOCKINIT(shared->columns[i].lock)
        for (j = 0; j < i; j++) {
            shared->columns[i].missing += needs(i, j);
        }
        if (shared->columns[i].missing == 0) {
            put(i);
        }
    }
    for (i = 1; i < P; i++) {
        CREATE(work)
    }
    work();
    WAIT_FOR_END(P - 1)
    for (i = 0; i < columns; i++) {
        right[i] = value_of(i, right_value);
        check(shared->columns[i].value == right[i], "a column");
    }
    printf("busy_columns: %d columns, last %08x\n", columns, right[columns - 1]);
    MAIN_END
}
