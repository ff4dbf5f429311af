/*
 * shm-random SEED PHASES OPERATIONS [SPREAD]: random programs without data races, beside
 * a sequential model.
 *
 * Every process knows from the seed which variables are written in each phase,
 * and by which process. So it knows what every variable that nobody writes in
 * this phase must hold, and checks that in random order between its own writes.
 * Variables are bytes and words of several processes on the same pages. Locks
 * protect pairs of counters on different pages, which must always be equal.
 * SPREAD (default 1) is the distance of two words, in words: the more, the more
 * pages.
 * Phases end with a barrier, a chain of flags, or a counter that runs out. In the
 * middle of most, the processes meet in two groups, each at a barrier of theirs, and
 * read what their group has written before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shm.h"

#define WORDS   2500
#define BYTES   3000
#define VARIABLES (WORDS + BYTES)
#define LOCKS   13

#ifdef LOG_WORDS
uint32_t shm_log_words = LOG_WORDS;     /* in place of the library's */
#endif

static uint32_t *words;

static struct shared {
    uint8_t byte[BYTES];
    struct shm_lock lock[LOCKS];
    struct {
        uint32_t count;
        uint32_t far[1200];
        uint32_t same;
    } pair[LOCKS];
    uint32_t near[2 * LOCKS];
    uint32_t wrong, locked;
} *s;

static struct shm_lock sum_lock;
static struct shm_barrier barrier, group_barrier[2];
static struct shm_flag chain[64];
static struct shm_counter counter;

static uint32_t seed, phases, operations, count, me, spread = 1;
static uint32_t expected[VARIABLES];
static uint32_t state, wrong, locked;

static uint32_t mix(uint32_t a, uint32_t b)
{
    a = (a ^ b * 0x9e3779b9) * 0x85ebca6b;
    return (a ^ a >> 15) * 0xc2b2ae35 ^ a >> 7;
}

static uint32_t pick(uint32_t below)
{
    state = mix(state, 0x1234567);
    return (state >> 8) % below;
}

/* Returns the process that writes a variable in a phase, plus 1; 0: none. A
 * third of the variables is written. Neighbours go together now and then. */
static uint32_t writer(uint32_t phase, uint32_t v)
{
    uint32_t group = mix(seed, phase) % 3 ? v : v / 64;
    uint32_t hash = mix(mix(seed, phase * 7919), group);

    return hash % 3 ? 0 : hash / 3 % count + 1;
}

static uint32_t value(uint32_t phase, uint32_t v)
{
    uint32_t new = mix(expected[v], phase);

    return v < WORDS ? new : new & 0xff;
}

static uint32_t load(uint32_t v)
{
    return v < WORDS ? words[v * spread] : s->byte[v - WORDS];
}

static void store(uint32_t v, uint32_t new)
{
    if (v < WORDS) {
        words[v * spread] = new;
    } else {
        s->byte[v - WORDS] = new;
    }
}

static void compare(uint32_t phase, uint32_t v, uint32_t want)
{
    uint32_t got = load(v);

    if (got != want && wrong++ < 4) {
        printf("process %lu, phase %lu: variable %lu is 0x%lx, want 0x%lx\n",
               (unsigned long)me, (unsigned long)phase, (unsigned long)v,
               (unsigned long)got, (unsigned long)want);
    }
}

static void expect(uint32_t phase, uint32_t v)
{
    compare(phase, v, expected[v]);
}

/* Adds 1 to what a lock protects: words of pages of its own, and of one that all locks
 * share. */
static void add_one(uint32_t k)
{
    if (s->pair[k].count != s->pair[k].same || s->near[k] != s->pair[k].count ||
        s->near[LOCKS + k] != s->near[k]) {
        wrong++;
    }
    s->pair[k].count++;
    s->near[k]++;
    s->pair[k].same++;
    s->near[LOCKS + k]++;
    locked++;
}

/* Takes a lock; and another one in its section, or after it, or both. */
static void use_lock(void)
{
    uint32_t k = pick(LOCKS), more = mix(state, 0x10c5), other = k + 1 + more % LOCKS;

    shm_lock(&s->lock[k]);
    add_one(k);
    if (other < LOCKS && more & 0x100) {
        shm_lock(&s->lock[other]);
        add_one(other);
        shm_unlock(&s->lock[other]);
        if (more & 0x200) {
            add_one(k);
        }
    }
    shm_unlock(&s->lock[k]);
    for (uint32_t turn = more >> 10 & 3; turn; turn--) {
        other = (k + turn) % LOCKS;
        shm_lock(&s->lock[other]);
        add_one(other);
        shm_unlock(&s->lock[other]);
    }
}

/* Writes this process's variables from `from` to `to`. */
static void write_some(uint32_t phase, uint32_t from, uint32_t to)
{
    for (uint32_t v = from; v < to; v++) {
        if (writer(phase, v) == me + 1) {
            expect(phase, v);
            store(v, value(phase, v));
        }
    }
}

static void read_some(uint32_t phase)
{
    uint32_t v = pick(VARIABLES);

    for (uint32_t k = 0; k < 20 && v < VARIABLES; k++, v++) {
        if (!writer(phase, v)) {
            expect(phase, v);
        }
    }
}

/* Returns which group a process is in: odd or even ones, or the first ones and the
 * others; 2: there are no groups. */
static uint32_t group_of(uint32_t phase, uint32_t process)
{
    uint32_t hash = mix(seed, phase * 101);

    switch (hash % 4) {
    case 0:
        return 2;
    case 1:
        return process % 2;
    default:
        return process >= 1 + hash / 4 % count;
    }
}

/* The processes have written their variables up to `end`. */
static void meet(uint32_t phase, uint32_t end)
{
    uint32_t mine = group_of(phase, me), members = 0;

    if (mine == 2) {
        return;
    }
    for (uint32_t p = 0; p < count; p++) {
        members += group_of(phase, p) == mine;
    }
    shm_barrier(&group_barrier[mine], members);
    for (uint32_t v = pick(50); v < end; v += 1 + pick(50)) {
        uint32_t w = writer(phase, v);

        if (w && group_of(phase, w - 1) == mine) {
            compare(phase, v, value(phase, v));
        }
    }
}

/* All processes have done the phase when this returns. */
static void end(uint32_t phase)
{
    switch (mix(seed, phase * 31) % 3) {
    case 0:
        shm_barrier(&barrier, count);
        break;
    case 1:                     /* round a ring, twice */
        for (uint32_t round = 0; round < 2; round++) {
            if (me || round) {
                shm_flag_take(&chain[me]);
            }
            shm_flag_put(&chain[(me + 1) % count]);
        }
        if (me == 0) {
            shm_flag_take(&chain[0]);
        }
        break;
    default:
        while (shm_getsub(&counter, 7, count) >= 0) {
        }
        break;
    }
}

static void run(void *argument)
{
    me = (uintptr_t)argument;
    state = mix(seed, me + 99);
    for (uint32_t phase = 1; phase <= phases; phase++) {
        uint32_t part = VARIABLES / operations + 1;

        for (uint32_t k = 0; k < operations; k++) {
            write_some(phase, k * part, (k + 1) * part < VARIABLES
                       ? (k + 1) * part : VARIABLES);
            if (pick(4) == 0) {
                use_lock();
            }
            read_some(phase);
            if (k == operations / 2) {
                meet(phase, k * part < VARIABLES ? k * part : VARIABLES);
            }
        }
        end(phase);
        for (uint32_t v = 0; v < VARIABLES; v++) {
            if (writer(phase, v)) {
                expected[v] = value(phase, v);
            }
        }
    }
    shm_lock(&sum_lock);
    s->wrong += wrong;
    s->locked += locked;
    shm_unlock(&sum_lock);
}

static void print_collections(void)
{
    struct shm_statistics now;

    shm_statistics(&now);
    printf("%u collections\n", now.collections);
}

int main(int argc, char **argv)
{
    uint32_t sum = 0;

    shm_init();
    if (argc != 4 && argc != 5) {
        return 2;
    }
    seed = atoi(argv[1]);
    phases = atoi(argv[2]);
    operations = atoi(argv[3]);
    if (argc == 5) {
        spread = atoi(argv[4]);
    }
    count = shm_nodes();
    words = shm_malloc(WORDS * spread * sizeof(*words));
    s = shm_malloc(sizeof(*s));
    for (uint32_t k = 1; k < count; k++) {
        shm_create_with(run, (void *)k);
    }
    run(NULL);
    shm_wait_for_end(count - 1);
    for (uint32_t k = 0; k < LOCKS; k++) {
        sum += s->pair[k].count;
        s->wrong += s->pair[k].count != s->pair[k].same;
        s->wrong += s->near[k] != s->near[LOCKS + k];
        s->wrong += s->near[k] != s->pair[k].count;
    }
    for (uint32_t v = 0; v < VARIABLES; v++) {
        s->wrong += load(v) != expected[v];
    }
    printf("random: %lu wrong, %lu locked, %ld lost\n",
           (unsigned long)s->wrong, (unsigned long)s->locked,
           (long)(s->locked - sum));
    print_collections();
    return s->wrong || s->locked != sum;
}
