/*
 * Busy flags, fourth kind (tasks that make tasks): a process without a task looks
 * at the heads of all queues and at the count of open tasks, all without locks,
 * until it sees a task or sees that no task is open. Each task of a number n makes
 * tasks for parts of n, so the sum of the tasks of number 1 is known.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common.h"

MAIN_ENV

#define TASKS_MAX 512

struct task {
    int size;
    struct task *next;
};

struct queue {
    LOCKDEC(lock)
    struct task *volatile head;
};

struct shared {
    struct queue queues[PROCESSES_MAX];
    LOCKDEC(lock)
    volatile int open;
    int used, ones;
    struct task tasks[TASKS_MAX];
};

static struct start *start;
static struct shared *shared;

static void push(queue, size)
    int queue, size;
{
    struct task *task;

    LOCK(shared->lock)
    check(shared->used < TASKS_MAX, "room for tasks");
    task = &shared->tasks[shared->used++];
    shared->open++;
    UNLOCK(shared->lock)
    task->size = size;
    LOCK(shared->queues[queue].lock)
    task->next = shared->queues[queue].head;
    shared->queues[queue].head = task;
    UNLOCK(shared->queues[queue].lock)
}

static struct task *pop(queue)
    struct queue *queue;
{
    struct task *task;

    if (!queue->head) {
        return NULL;
    }
    LOCK(queue->lock)
    task = queue->head;
    if (task) {
        queue->head = task->next;
    }
    UNLOCK(queue->lock)
    return task;
}

static void run(task, me)
    struct task *task;
    int me;
{
    int half = task->size / 2;

    if (task->size > 1) {
        push(me, half);
        push((me + 1) % P, task->size - half);
    }
    LOCK(shared->lock)
    shared->ones += task->size == 1;
    shared->open--;
    UNLOCK(shared->lock)
}

void work()
{
    int me = take_number(start), i;
    struct task *task;

    while (shared->open) {
        for (i = 0, task = NULL; i < P && !task; i++) {
            task = pop(&shared->queues[(me + i) % P]);
        }
        if (task) {
            run(task, me);
        }
    }
}

int main(argc, argv)
    int argc;
    char **argv;
{
    int size = options(argc, argv, 40), i;

    check(2 * size <= TASKS_MAX, "-n takes at most 256");
    MAIN_INITENV(,4000000)
    start = start_init();
    shared = (struct shared *) G_MALLOC(sizeof(struct shared))
    LOCKINIT(shared->lock)
    for (i = 0; i < P; i++) {
        LOCKINIT(shared->queues[i].lock)
    }
    push(0, size);
    for (i = 1; i < P; i++) {
        CREATE(work)
    }
    work();
    WAIT_FOR_END(P - 1)
    check(shared->used == 2 * size - 1, "the number of tasks");
    check(shared->ones == size, "the tasks of number 1");
    printf("busy_pending: %d tasks, %d of them last\n", shared->used, shared->ones);
    MAIN_END
}
