/*
 * Conditions of SPLASH-3: a bounded queue, whose consumers wait for items and whose
 * producer waits for room; then a condition that all processes wait for at once.
 *
 * Usage: conditions -pPROCESSES
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

MAIN_ENV

#define ROOM            3
#define ITEMS           60

struct shared {
    LOCKDEC(lock)
    CONDVARDEC(item)
    CONDVARDEC(room)
    CONDVARDEC(open)
    BARDEC(barrier)
    int next;
    int queue[ROOM];
    int first, count, ended;
    int sum, items, is_open, through;
} *shared;

int processes;

void produce()
{
    int i;

    for (i = 1; i <= ITEMS; i++) {
        LOCK(shared->lock)
        while (shared->count == ROOM) {
            CONDVARWAIT(shared->room, shared->lock)
        }
        shared->queue[(shared->first + shared->count++) % ROOM] = i;
        CONDVARSIGNAL(shared->item)
        UNLOCK(shared->lock)
    }
    LOCK(shared->lock)
    shared->ended = 1;
    CONDVARBCAST(shared->item)
    UNLOCK(shared->lock)
}

void consume()
{
    LOCK(shared->lock)
    for (;;) {
        while (shared->count == 0 && !shared->ended) {
            CONDVARWAIT(shared->item, shared->lock)
        }
        if (shared->count == 0) {
            break;
        }
        shared->sum += shared->queue[shared->first];
        shared->items++;
        shared->first = (shared->first + 1) % ROOM;
        shared->count--;
        CONDVARSIGNAL(shared->room)
    }
    UNLOCK(shared->lock)
}

void work()
{
    int me;

    LOCK(shared->lock)
    me = shared->next++;
    UNLOCK(shared->lock)
    if (processes > 1) {
        if (me == 0) {
            produce();
        } else {
            consume();
        }
    }
    BARRIER(shared->barrier, processes)
    LOCK(shared->lock)
    if (me == processes - 1) {
        shared->is_open = 1;
        UNLOCK(shared->lock)
        CONDVARBCAST(shared->open)      /* without the lock */
        LOCK(shared->lock)
    }
    while (!shared->is_open) {
        CONDVARWAIT(shared->open, shared->lock)
    }
    RELEASE_FENCE()
    shared->through++;
    ACQUIRE_FENCE()
    FULL_FENCE();
    UNLOCK(shared->lock)
}

int main(int argc, char **argv)
{
    int i;

    processes = atoi(argv[1] + 2);
    MAIN_INITENV()
    shared = (struct shared *) G_MALLOC(sizeof(struct shared))
    LOCKINIT(shared->lock)
    CONDVARINIT(shared->item)
    CONDVARINIT(shared->room)
    CONDVARINIT(shared->open)
    BARINIT(shared->barrier, processes)
    for (i = 1; i < processes; i++) {
        CREATE(work)
    }
    work();
    WAIT_FOR_END(processes - 1)
    printf("conditions: %d items, sum %d, %d through\n", shared->items,
           shared->sum, shared->through);
    MAIN_END
}
