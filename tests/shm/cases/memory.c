/*
 * What a new process finds in its memory, what shm_malloc() returns, and nodes with
 * little memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

/* Memory of the creator: globals, heap, main's variables; output. */
static int global = 7, changed;
static char *heap;

static void fork_work(void *argument)
{
    int *local = argument;
    int me = self();

    expect(global, 7);
    expect(changed, 42);
    expect(strcmp(heap, "from the heap"), 0);
    expect(*local, 99);
    expect(heap[5000], 'x');
    global = *local = me;
    heap = malloc(100000);
    expect(heap != NULL, 1);
    memset(heap, me, 100000);
    shm_barrier(&barrier, count);
    expect(global, me);
    printf("process %d\n", me);
}

void case_forks(void)
{
    int local = 99;

    changed = 42;
    heap = calloc(1, 6000);
    strcpy(heap, "from the heap");
    heap[5000] = 'x';
    for (int round = 0; round < 2; round++) {
        for (int k = 1; k < count; k++) {
            shm_create_with(fork_work, &local);
        }
        shm_barrier(&barrier, count);
        expect(local, 99);
        expect(global, 7);
        shm_wait_for_end(count);
        expect(s->next, (count - 1) * (round + 1));
    }
}

void case_memory(void)
{
    char *small = shm_malloc(100), *other = shm_malloc(10);
    char *large = shm_malloc(10000);

    expect((uintptr_t)small % 16, 0);
    expect(other - small >= 100, 1);
    expect((uintptr_t)large % 4096, 0);
    memset(large, 1, 10000);
    shm_free(large);
    expect(shm_malloc(10000) == large, 1);
    expect(shm_malloc(0x30000000) == NULL, 1);
    expect(shm_malloc(0) != NULL, 1);
    shm_free(NULL);
}

/*
 * Each process takes blocks, fills them, finds what it has written, marks them and
 * frees them. The others get the same blocks. The locks make differences of other
 * pages come in between.
 */
#define REUSE_ROUNDS    60

static void reuse_work(void)
{
    int me = self();

    shm_barrier(&barrier, count);
    for (int round = 0; round < REUSE_ROUNDS; round++) {
        int words = round % 3 ? 64 : 1024;
        int *block = shm_malloc(words * sizeof(*block));

        for (int k = 0; k < words; k++) {
            block[k] = me * 1000000 + round * 2000 + k;
        }
        shm_lock(&lock);
        s->sum++;
        shm_unlock(&lock);
        for (int k = 0; k < words; k++) {
            expect(block[k], me * 1000000 + round * 2000 + k);
        }
        for (int k = 0; k < words; k++) {
            block[k] = -me;
        }
        shm_free(block);
        pause_for((me * 3700 + round * 1300) % 5000);
    }
}

void case_reuse(void)
{
    all(reuse_work);
    expect(s->sum, REUSE_ROUNDS * count);
}

/*
 * More pages than a node has memory for, with --ram 4M: copies of the first
 * part go while pages of the second part are fetched to be written.
 */
#define MANY_READ       500
#define MANY_WRITTEN    230
#define MANY            (MANY_READ + MANY_WRITTEN)

static int (*many)[1024];

static void pressure_work(void)
{
    for (int k = 0; k < MANY_READ; k++) {
        expect(many[k][1023], k);
    }
    for (int k = MANY_READ; k < MANY; k++) {
        many[k][7] = -k;
    }
    for (int k = 0; k < MANY; k++) {
        expect(many[k][1023], k);
        expect(many[k][7], k < MANY_READ ? 0 : -k);
    }
}

void case_pressure(void)
{
    many = shm_malloc(MANY * sizeof(*many));
    for (int k = 0; k < MANY; k++) {
        many[k][1023] = k;
    }
    shm_create(pressure_work);
    shm_wait_for_end(1);
    for (int k = 0; k < MANY; k++) {
        expect(many[k][1023], k);
        expect(many[k][7], k < MANY_READ ? 0 : -k);
    }
}
