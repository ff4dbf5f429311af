/*
 * shm-create CASE ...: what a process finds in its private memory.
 *
 *   random SEED ROUNDS KEEP
 *       Each round creates as many processes as there are nodes. Between two of
 *       them, the first process changes its memory at random: a few pages or many,
 *       of data, bss and heap; it clears pages, and takes and frees blocks. A
 *       process compares all of its memory with what the first one has noted in
 *       shared memory, overwrites what it likes, and ends: at once, or when all
 *       have been created (KEEP 1).
 *   costs KILOBYTES [CHANGED]
 *       Prints the cycles that all CREATEs take, with so much data on the heap, of
 *       which CHANGED kilobytes are written again before the third one.
 *   few KILOBYTES
 *       Two processes, with so much data on the heap. Prints how many pages each
 *       node has in memory afterwards.
 *   leave
 *       The first process ends while copies are on their way to other nodes.
 *   message
 *       A message changes the memory of a node that waits for a process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "shm.h"
#include "udm.h"

#define MOST    64
#define WORDS   1024
#define BLOCKS  6

/* Private memory: pages, each with one word in all places. */
static uint32_t data[8][WORDS] __attribute__((aligned(4096))) = { { 0 }, { 1 } };
static uint32_t zeros[24][WORDS] __attribute__((aligned(4096)));
static char odd[5000];                  /* parts of pages */
static struct block {
    uint32_t *words, count, value;
} block[BLOCKS];
static int id;                          /* changed before each CREATE */

/* In shared memory: what the process `id` must find. */
static struct shared {
    int wrong, done;
    struct expected {
        uint32_t data[8], zeros[24], odd, block[BLOCKS], local;
    } by[MOST];
    uint32_t keep;
} *s;
static struct expected now;             /* what the first process has itself */

static struct shm_lock lock;
static struct shm_barrier all_created;
static int count;

static uint32_t seed;

static uint32_t random_below(uint32_t most)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % most;
}

static void wrong(const char *what, int k, uint32_t got, uint32_t want)
{
    shm_lock(&lock);
    if (s->wrong++ < 10) {
        printf("process %d on node %d: %s %d is %lx, want %lx\n", id,
               shm_node(), what, k, (unsigned long)got, (unsigned long)want);
    }
    shm_unlock(&lock);
}

static void expect(const char *what, int k, const uint32_t *words,
                   uint32_t words_count, uint32_t want)
{
    for (uint32_t w = 0; w < words_count; w++) {
        if (words[w] != want) {
            wrong(what, k, words[w], want);
            return;
        }
    }
}

static void fill(uint32_t *words, uint32_t words_count, uint32_t value)
{
    for (uint32_t w = 0; w < words_count; w++) {
        words[w] = value;
    }
}

/* ---- The first process changes its memory ---------------------------------------- */

static void new_block(struct block *b, uint32_t *value)
{
    free(b->words);
    b->count = random_below(3) ? random_below(6000) + 1 : 0;
    b->words = b->count ? malloc(b->count * 4) : NULL;
    *value = b->value = random_below(3) ? random_below(1 << 20) : 0;
    fill(b->words, b->count, b->value);
}

static void change_one(void)
{
    uint32_t value = random_below(4) ? random_below(1 << 20) : 0;
    uint32_t k = random_below(40);

    if (k < 8) {
        fill(data[k], WORDS, now.data[k] = value);
    } else if (k < 32) {
        fill(zeros[k - 8], WORDS, now.zeros[k - 8] = value);
    } else if (k < 34) {
        memset(odd, now.odd = value & 255, sizeof(odd));
    } else {
        new_block(&block[k - 34], &now.block[k - 34]);
    }
}

static void change(void)
{
    static const uint32_t most[] = { 1, 2, 4, 40 };

    for (uint32_t n = random_below(most[random_below(4)]); n; n--) {
        change_one();
    }
}

/* ---- Other processes -------------------------------------------------------------- */

static void check_all(const struct expected *e, const uint32_t *local)
{
    for (int k = 0; k < 8; k++) {
        expect("data", k, data[k], WORDS, e->data[k]);
    }
    for (int k = 0; k < 24; k++) {
        expect("zeros", k, zeros[k], WORDS, e->zeros[k]);
    }
    for (unsigned k = 0; k < sizeof(odd); k++) {
        if (odd[k] != (char)e->odd) {
            wrong("odd", k, odd[k], e->odd);
            break;
        }
    }
    for (int k = 0; k < BLOCKS; k++) {
        expect("block", k, block[k].words, block[k].count, e->block[k]);
    }
    expect("local", 0, local, 3000, e->local);
}

/* Changes this process's memory, which another one may get later. */
static void scribble(void)
{
    seed = id * 77 + 5;
    for (uint32_t n = random_below(40); n; n--) {
        change_one();
    }
    fill(calloc(1, 40000), random_below(10000), 0xbad);
}

static const uint32_t *local_words;     /* on the first process's stack */

static void slave(void)
{
    uint32_t own[2000];
    int me = id;

    check_all(&s->by[me], local_words);
    fill(own, 2000, me);
    if (me % 3) {
        scribble();
    }
    expect("own", 0, own, 2000, me);
    if (s->keep) {
        shm_barrier(&all_created, count);
    }
    shm_lock(&lock);
    s->done++;
    shm_unlock(&lock);
}

/* A stack of some depth below main(), with words that change. */
static void create_from(uint32_t depth)
{
    uint32_t local[3000];

    if (depth) {
        uint32_t gap[200];

        fill(gap, 200, depth);
        create_from(depth - 1);
        expect("gap", depth, gap, 200, depth);
        return;
    }
    now.local = random_below(1 << 20);
    fill(local, 3000, now.local);
    local_words = local;
    s->by[id] = now;
    shm_create(slave);
    expect("local after", 0, local, 3000, now.local);
}

static void random_creates(int rounds)
{
    now.data[1] = 0;
    fill(data[1], WORDS, 0);
    for (int round = 0; round < rounds; round++) {
        if (round == 1) {
            for (int n = 0; n < 60; n++) {
                change_one();
            }
        }
        for (id = 1; id < count; id++) {
            change();
            create_from(random_below(10));
        }
        if (s->keep) {
            shm_barrier(&all_created, count);
        }
        shm_wait_for_end(count - 1);
    }
    printf("%d processes, %d wrong\n", s->done, s->wrong);
}

/* ---- Costs ------------------------------------------------------------------------- */

static uint32_t *large;
static uint32_t large_words;

static void looks(void)
{
    shm_barrier(&all_created, count);
    expect("large", 0, large, large_words, 0x1234567);
}

static void make_large(uint32_t bytes)
{
    large_words = bytes / 4;
    large = malloc(bytes + 1);
    fill(large, large_words, 0x1234567);
}

static void costs(uint32_t bytes, uint32_t changed)
{
    uint64_t start, created;
    uint32_t first = 0;

    make_large(bytes);
    start = udm_cycles();
    for (id = 1; id < count; id++) {
        if (id == 3) {
            fill(large, changed / 4, 0x1234567);
        }
        shm_create(looks);
        first = id == 1 ? udm_cycles() - start : first;
    }
    created = udm_cycles() - start;
    shm_barrier(&all_created, count);
    printf("first: %lu cycles\nall: %llu cycles\nrun: %llu cycles\n",
           (unsigned long)first, (unsigned long long)created,
           (unsigned long long)(udm_cycles() - start));
    shm_wait_for_end(count - 1);
    printf("%d wrong\n", s->wrong);
}

/* ---- Copies that are not needed ------------------------------------------------------ */

static volatile uint32_t pages_there;

static void on_pages(void)
{
    uint32_t pages = udm_arg(0);

    udm_dispose();
    pages_there = pages;
}

static void on_count(void)
{
    uint32_t source = udm_source();
    struct glaze_count there;

    udm_dispose();
    glaze_count(&there);
    udm_inject(source, on_pages, there.process_pages);
}

static void few_looks(void)
{
    expect("large", 0, large, large_words, 0x1234567);
}

static void few(uint32_t bytes)
{
    make_large(bytes);
    for (id = 1; id < 3; id++) {
        shm_create(few_looks);
    }
    shm_wait_for_end(2);
    for (int k = 1; k < count; k++) {
        pages_there = 0;
        udm_inject(k, on_count);
        while (!pages_there) {
        }
        printf("node %d has %lu pages\n", k, (unsigned long)pages_there);
    }
    printf("%d wrong\n", s->wrong);
}

static void leave(void)
{
    make_large(2 << 20);
    for (id = 1; id < 3; id++) {
        shm_create(few_looks);
    }
}

/* ---- A message --------------------------------------------------------------------- */

static volatile uint32_t heard;

static void on_hello(void)
{
    udm_dispose();
    zeros[3][5] = 99;
}

static void on_heard(void)
{
    udm_dispose();
    heard++;
}

static void on_ask(void)
{
    uint32_t source = udm_source();

    udm_dispose();
    udm_inject(source, on_heard);
}

static void message_slave(void)
{
    expect("zeros", 3, zeros[3], WORDS, 0);
    expect("zeros", 2, zeros[2], WORDS, 7);
    shm_barrier(&all_created, count);
}

/* The last node gets its copy before the message comes. */
static void message(void)
{
    for (int k = 0; k < 24; k++) {
        fill(zeros[k], WORDS, k == 3 ? 0 : k + 5);
    }
    for (id = 1; id < count; id++) {
        if (id == count - 1) {
            udm_inject(id, on_hello);
            udm_inject(id, on_ask);
            while (!heard) {
            }
            heard = 0;
        }
        shm_create(message_slave);
    }
    shm_barrier(&all_created, count);
    shm_wait_for_end(count - 1);
    printf("%d wrong\n", s->wrong);
}

int main(int argc, char **argv)
{
    count = shm_nodes();
    s = shm_malloc(sizeof(*s));
    if (argc == 5 && !strcmp(argv[1], "random")) {
        seed = atoi(argv[2]);
        s->keep = atoi(argv[4]);
        random_creates(atoi(argv[3]));
    } else if (argc >= 3 && !strcmp(argv[1], "costs")) {
        costs(atoi(argv[2]) * 1024, argc > 3 ? atoi(argv[3]) * 1024 : 0);
    } else if (argc == 3 && !strcmp(argv[1], "few")) {
        few(atoi(argv[2]) * 1024);
    } else if (argc == 2 && !strcmp(argv[1], "leave")) {
        leave();
    } else if (argc == 2 && !strcmp(argv[1], "message")) {
        message();
    } else {
        return 2;
    }
    return s->wrong != 0;
}
