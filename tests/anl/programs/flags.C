/*
 * The edit distance of two words, with condition flags. Processes own rows of the
 * table in turn. A row's block waits for the flag of the block above it. A
 * second part hands numbers from process to process through one place each, with
 * EVENT and PAUSE. A third part counts behind a gate of the same two.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common.h"

MAIN_ENV

#define LENGTH_MAX 128
#define BLOCK 16
#define BLOCKS (LENGTH_MAX / BLOCK)
#define NUMBERS 5

struct shared {
    int table[LENGTH_MAX + 1][LENGTH_MAX + 1];
    PAUSEDEC(done[LENGTH_MAX + 1], BLOCKS)
    PAUSEDEC(empty, PROCESSES_MAX)
    PAUSEDEC(full, PROCESSES_MAX)
    int place[PROCESSES_MAX], sum, passed;
    PAUSEDEC(gate)
    PAUSEDEC(finished)
};

static struct start *start;
static struct shared *shared;
static int length;

static int letter(word, i)
    int word, i;
{
    return random_number(1000 * word + i) % 4;
}

static int least(a, b, c)
    int a, b, c;
{
    a = a < b ? a : b;
    return a < c ? a : c;
}

static void distance(table, i, j)
    int table[LENGTH_MAX + 1][LENGTH_MAX + 1];
    int i, j;
{
    table[i][j] = i == 0 ? j : j == 0 ? i :
        least(table[i - 1][j] + 1, table[i][j - 1] + 1,
              table[i - 1][j - 1] + (letter(0, i) != letter(1, j)));
}

/* Hands NUMBERS numbers from each process to the next, around. */
static void around(me)
    int me;
{
    int i, number, next = (me + 1) % P;

    for (i = 0; i < NUMBERS; i++) {
        if (me == 0) {
            PAUSE(shared->empty, next)
            shared->place[next] = i;
            EVENT(shared->full, next)
        }
        PAUSE(shared->full, me)
        number = shared->place[me];
        EVENT(shared->empty, me)
        if (me == 0) {
            shared->sum += number;
        } else {
            PAUSE(shared->empty, next)
            shared->place[next] = number + me;
            EVENT(shared->full, next)
        }
    }
}

/* EVENT waits while the gate is set, so one process at a time is between the two. */
static void through_gate()
{
    int i;

    for (i = 0; i < NUMBERS; i++) {
        EVENT(shared->gate)
        shared->passed++;
        PAUSE(shared->gate)
    }
}

void work()
{
    int me = take_number(start), i, j, block;

    for (i = me; i <= length; i += P) {
        for (block = 0; block * BLOCK <= length; block++) {
            if (i > 0) {
                WAITPAUSE(shared->done[i - 1], block)
            }
            for (j = block * BLOCK; j <= length && j < (block + 1) * BLOCK; j++) {
                distance(shared->table, i, j);
            }
            SETPAUSE(shared->done[i], block)
        }
    }
    BARRIER(start->barrier, P)
    for (i = me; i <= length; i += P) {
        for (block = 0; block * BLOCK <= length; block++) {
            CLEARPAUSE(shared->done[i], block)
        }
    }
    around(me);
    through_gate();
    if (me == 0) {
        SETPAUSE(shared->finished)
    }
    WAITPAUSE(shared->finished)
}

int main(argc, argv)
    int argc;
    char **argv;
{
    static int right[LENGTH_MAX + 1][LENGTH_MAX + 1];
    int i, j;

    length = options(argc, argv, 40);
    check(length < LENGTH_MAX, "-n takes less than 128");
    MAIN_INITENV(,4000000)
    start = start_init();
    shared = (struct shared *) G_MALLOC(sizeof(struct shared))
    for (i = 0; i <= LENGTH_MAX; i++) {
        PAUSEINIT(shared->done[i], BLOCKS)
    }
    PAUSEINIT(shared->full, PROCESSES_MAX)
    PAUSEINIT(shared->empty, PROCESSES_MAX)
    for (i = 0; i < PROCESSES_MAX; i++) {
        SETPAUSE(shared->empty, i)
    }
    PAUSEINIT(shared->gate)
    PAUSEINIT(shared->finished)
    for (i = 1; i < P; i++) {
        CREATE(work)
    }
    work();
    WAIT_FOR_END(P - 1)
    for (i = 0; i <= length; i++) {
        for (j = 0; j <= length; j++) {
            distance(right, i, j);
            check(right[i][j] == shared->table[i][j], "a cell of the table");
        }
    }
    check(shared->sum == NUMBERS * (NUMBERS - 1) / 2 + NUMBERS * (P * (P - 1) / 2), "numbers around");
    check(shared->passed == NUMBERS * P, "passages");
    printf("flags: distance %d of words of %d letters\n", shared->table[length][length], length);
    MAIN_END
}
