/*
 * Busy flags, third kind (an image in tiles): a process looks at the queues of the
 * others without a lock, and locks a queue only where it has seen a tile. When a
 * frame has no tiles left, each process spins on the count of finished tiles, which
 * is kept under a lock. The first process then fills the queues again and gives the
 * next frame's number, on which the others spin.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "common.h"

MAIN_ENV

#define TILES_MAX 256
#define FRAMES 3

struct shared {
    ALOCKDEC(queue_locks, PROCESSES_MAX)
    volatile int next[PROCESSES_MAX];           /* the first tile that is left */
    LOCKDEC(count_lock)
    volatile int finished, frame;
    int image[TILES_MAX];
};

static struct start *start;
static struct shared *shared;
static int tiles;

static int first_of(queue)
    int queue;
{
    return tiles * queue / P;
}

/* Takes a tile of a queue; -1 if the queue has none. */
static int take(queue)
    int queue;
{
    int tile = -1;

    if (shared->next[queue] >= first_of(queue + 1)) {
        return -1;
    }
    ALOCK(shared->queue_locks, queue)
    if (shared->next[queue] < first_of(queue + 1)) {
        tile = shared->next[queue]++;
    }
    AULOCK(shared->queue_locks, queue)
    return tile;
}

static void fill()
{
    int i;

    shared->finished = 0;
    for (i = 0; i < P; i++) {
        shared->next[i] = first_of(i);
    }
}

void work()
{
    int me = take_number(start), frame, i, tile;

    for (frame = 1; frame <= FRAMES; frame++) {
        for (i = 0; i < P; i++) {
            while ((tile = take((me + i) % P)) >= 0) {
                shared->image[tile] = shared->image[tile] * 31 + frame * tile;
                LOCK(shared->count_lock)
                shared->finished++;
                UNLOCK(shared->count_lock)
            }
        }
        while (shared->frame == frame && shared->finished != tiles) {
        }
        BARRIER(start->barrier, P)
        if (me == 0) {
            fill();
            shared->frame = frame + 1;
        }
        while (shared->frame != frame + 1) {
        }
    }
}

int main(argc, argv)
    int argc;
    char **argv;
{
    int i, frame;

    tiles = options(argc, argv, 24);
    check(tiles <= TILES_MAX, "-n takes at most 256");
    MAIN_INITENV(,4000000)
    start = start_init();
    shared = (struct shared *) G_MALLOC(sizeof(struct shared))
    ALOCKINIT(shared->queue_locks, PROCESSES_MAX)
    LOCKINIT(shared->count_lock)
    shared->frame = 1;
    fill();
    for (i = 1; i < P; i++) {
        CREATE(work)
    }
    work();
    WAIT_FOR_END(P - 1)
    for (i = 0; i < tiles; i++) {
        int want = 0;

        for (frame = 1; frame <= FRAMES; frame++) {
            want = want * 31 + frame * i;
        }
        check(shared->image[i] == want, "a tile");
    }
    printf("busy_peek: %d tiles, %d frames\n", tiles, FRAMES);
    MAIN_END
}
