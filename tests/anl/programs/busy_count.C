/*
 * Busy flags, second kind (boxes that wait for several contributions): each
 * process adds a part to every box under the box's lock and counts it there. The
 * box's owner spins on the count without the lock, and then reads the parts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common.h"

MAIN_ENV

#define BOXES_MAX 64

struct box {
    LOCKDEC(lock)
    int sum, parts[PROCESSES_MAX];
    volatile int arrived;
};

static struct start *start;
static struct box *boxes;
static int number;                      /* of boxes */

void work()
{
    int me = take_number(start), i, p, box, sum = 0;

    for (i = 0; i < number; i++) {
        box = (i + me * 3) % number;
        LOCK(boxes[box].lock)
        boxes[box].parts[me] = box * 100 + me;
        boxes[box].sum += box * 100 + me;
        boxes[box].arrived++;
        UNLOCK(boxes[box].lock)
    }
    for (box = me; box < number; box += P) {
        while (boxes[box].arrived != P) {
        }
        for (p = 0, sum = 0; p < P; p++) {
            sum += boxes[box].parts[p];
        }
        check(sum == P * box * 100 + P * (P - 1) / 2, "the parts of a box");
        check(sum == boxes[box].sum, "the sum of a box");
    }
}

int main(argc, argv)
    int argc;
    char **argv;
{
    int i, sum = 0;

    number = options(argc, argv, 16);
    check(number <= BOXES_MAX, "-n takes at most 64");
    MAIN_INITENV(,4000000)
    start = start_init();
    boxes = (struct box *) G_MALLOC(BOXES_MAX * sizeof(struct box))
    for (i = 0; i < number; i++) {
        LOCKINIT(boxes[i].lock)
    }
    for (i = 1; i < P; i++) {
        CREATE(work)
    }
    work();
    WAIT_FOR_END(P - 1)
    for (i = 0; i < number; i++) {
        sum += boxes[i].sum - P * (P - 1) / 2;
    }
    printf("busy_count: %d boxes, sum %d\n", number, sum / P);
    MAIN_END
}
