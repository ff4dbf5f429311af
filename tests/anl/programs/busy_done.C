/*
 * Busy flags, first kind (a tree whose parents wait for their children): each cell
 * has a sum and the flag done beside it, in shared memory without a lock. A
 * process computes its cells from the leaves up. It spins on the flags of the two
 * children, which may be other processes' cells, and then reads their sums.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common.h"

MAIN_ENV

#define CELLS_MAX 256

struct cell {
    int sum;
    volatile int done;
};

static struct start *start;
static struct cell *cells;              /* the children of cell i are 2i and 2i + 1 */
static int leaves, rounds = 2;

void work()
{
    int me = take_number(start), round, i, child;

    for (round = 1; round <= rounds; round++) {
        for (i = 2 * leaves - 1; i >= 1; i--) {
            if (i * 7 % P != me) {
                continue;
            }
            cells[i].sum = i;
            for (child = 2 * i; i < leaves && child <= 2 * i + 1; child++) {
                while (cells[child].done != round) {
                }
                cells[i].sum += cells[child].sum;
            }
            cells[i].done = round;
        }
        BARRIER(start->barrier, P)
    }
}

int main(argc, argv)
    int argc;
    char **argv;
{
    int i, want = 0;

    leaves = options(argc, argv, 16);
    check(2 * leaves <= CELLS_MAX, "-n takes at most 128");
    MAIN_INITENV(,4000000)
    start = start_init();
    cells = (struct cell *) G_MALLOC(CELLS_MAX * sizeof(struct cell))
    for (i = 1; i < P; i++) {
        CREATE(work)
    }
    work();
    WAIT_FOR_END(P - 1)
    for (i = 1; i < 2 * leaves; i++) {
        want += i;
    }
    check(cells[1].sum == want, "the sum of all cells");
    printf("busy_done: %d leaves, sum %d\n", leaves, cells[1].sum);
    MAIN_END
}
