/*
 * Queens on a board, by tasks in queues: one queue for each process, each under
 * a lock of an array of locks. A task is a beginning of the board. It makes tasks
 * with one more row, and a process without tasks steals from the others. Counts
 * are kept under a lock that is taken while a queue's lock is held.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common.h"

MAIN_ENV

#define TASKS_MAX 512
#define DEPTH 3                         /* rows that tasks place */

struct task {
    int row;
    unsigned columns, falling, rising;  /* bits of attacked squares */
};

struct queue {
    int number;
    struct task tasks[TASKS_MAX];
};

struct shared {
    struct queue queues[PROCESSES_MAX];
    ALOCKDEC(locks, PROCESSES_MAX)
    LOCKDEC(count_lock)
    int open;                           /* tasks that are not done */
    int solutions, done[PROCESSES_MAX];
};

static struct start *start;
static struct shared *shared;
static int size, me;

static void push(task)
    struct task *task;
{
    struct queue *queue = &shared->queues[me];

    ALOCK(shared->locks, me)
    check(queue->number < TASKS_MAX, "room in the queue");
    queue->tasks[queue->number++] = *task;
    LOCK(shared->count_lock)
    shared->open++;
    UNLOCK(shared->count_lock)
    AULOCK(shared->locks, me)
}

/* Takes a task of this process, or steals one. Returns whether there was one. */
static int take(task)
    struct task *task;
{
    int i, found = 0;

    for (i = 0; i < P && !found; i++) {
        int whose = (me + i) % P;
        struct queue *queue = &shared->queues[whose];

        ALOCK(shared->locks, whose)
        if (queue->number > 0) {
            *task = queue->tasks[--queue->number];
            found = 1;
        }
        AULOCK(shared->locks, whose)
    }
    return found;
}

/* Solutions from a beginning of the board. Makes tasks of the first rows. */
static int place(task)
    struct task *task;
{
    unsigned free = ~(task->columns | task->falling | task->rising) & ((1 << size) - 1), bit;
    int found = 0;

    if (task->row == size) {
        return 1;
    }
    for (; free; free &= free - 1) {
        struct task next;

        bit = free & -free;
        next.row = task->row + 1;
        next.columns = task->columns | bit;
        next.falling = (task->falling | bit) << 1;
        next.rising = (task->rising | bit) >> 1;
        if (next.row <= DEPTH) {
            push(&next);
        } else {
            found += place(&next);
        }
    }
    return found;
}

void work()
{
    struct task task;
    int open, found;

    me = take_number(start);
    do {
        if (take(&task)) {
            found = place(&task);
            LOCK(shared->count_lock)
            shared->solutions += found;
            shared->done[me]++;
            shared->open--;
            UNLOCK(shared->count_lock)
        }
        LOCK(shared->count_lock)
        open = shared->open;
        UNLOCK(shared->count_lock)
    } while (open);
}

int main(argc, argv)
    int argc;
    char **argv;
{
    struct task all;
    int i, done = 0;

    size = options(argc, argv, 8);
    MAIN_INITENV(,4000000)
    start = start_init();
    shared = (struct shared *) G_MALLOC(sizeof(struct shared))
    ALOCKINIT(shared->locks, PROCESSES_MAX)
    LOCKINIT(shared->count_lock)
    all.row = 0;
    all.columns = all.falling = all.rising = 0;
    push(&all);
    for (i = 1; i < P; i++) {
        CREATE(work)
    }
    work();
    WAIT_FOR_END(P - 1)
    for (i = 0; i < P; i++) {
        done += shared->done[i];
    }
    printf("tasks: %d queens, %d solutions, %d tasks\n", size, shared->solutions, done);
    MAIN_END
}
