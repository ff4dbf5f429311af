/*
 * shm-locks PATTERN [ROUNDS]: small data under locks. Each process takes locks for
 * ROUNDS rounds (default 100) and checks what it finds. Prints the cycles from one
 * barrier to the next on node 0, and what all processes have counted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shm.h"

#ifdef CARRY_MOST
uint32_t shm_carry_most = CARRY_MOST;   /* in place of the library's */
#endif

#define PAGE_WORDS      1024
#define ITEMS           4096

/* A page for each purpose. */
static struct shared {
    union {
        uint32_t word[PAGE_WORDS];
        uint16_t half[2 * PAGE_WORDS];
        uint8_t byte[4 * PAGE_WORDS];
        uint64_t pair[PAGE_WORDS / 2];
    } a, b, home_of_last;
    uint8_t taken[ITEMS];
    struct {
        uint32_t wrong, faults, fetches, carried, differences, total;
    } sum;
} *s;

static struct shm_lock lock[4], sum_lock;
static struct shm_barrier barrier;
static uint32_t count, rounds = 100, wrong;

static void check(uint32_t got, uint32_t want)
{
    wrong += got != want;
}

/* One word: the ray counter of raytrace. */
static void counter(void)
{
    for (uint32_t k = 0; k < rounds; k++) {
        shm_lock(&lock[0]);
        s->a.word[7]++;
        shm_unlock(&lock[0]);
    }
    shm_barrier(&barrier, count);
    check(s->a.word[7], rounds * count);
}

/* All sizes of a store, and words whose bytes have several writers. */
static void sizes(void)
{
    for (uint32_t k = 0; k < rounds; k++) {
        shm_lock(&lock[0]);
        s->a.byte[4 + shm_node() % 4]++;
        s->a.half[4 + shm_node() % 2] += 3;
        s->a.pair[3] += 0x100000001ull;
        s->a.word[20]++;
        shm_unlock(&lock[0]);
    }
    shm_barrier(&barrier, count);
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t nodes = (count + 3 - k) / 4;

        check(s->a.byte[4 + k], (uint8_t)(nodes * rounds));
    }
    check(s->a.half[4], (uint16_t)((count + 1) / 2 * 3 * rounds));
    check(s->a.half[5], (uint16_t)(count / 2 * 3 * rounds));
    check(s->a.word[6], rounds * count);
    check(s->a.word[7], rounds * count);
    check(s->a.word[20], rounds * count);
}

/* Two locks, whose words share a page, in turn and one in the other. */
static void add_one(uint32_t which)
{
    check(s->a.word[10 + which], s->a.word[which]);
    s->a.word[which]++;
    s->a.word[10 + which]++;
}

static void two(void)
{
    for (uint32_t k = 0; k < rounds; k++) {
        uint32_t first = (k + shm_node()) % 3 == 0;

        shm_lock(&lock[first]);
        add_one(first);
        if (first == 0 && k % 4 == 1) {
            shm_lock(&lock[1]);
            add_one(1);
            s->a.word[0] += 2;
            shm_unlock(&lock[1]);
            s->a.word[0] -= 2;
        }
        shm_unlock(&lock[first]);
    }
}

/* A lock whose section writes few words, or another page as well, or many. */
static void mixed(void)
{
    for (uint32_t k = 0; k < rounds; k++) {
        uint32_t now;

        shm_lock(&lock[0]);
        now = s->a.word[0];
        s->a.word[0]++;
        if (k % 3 == 1) {
            check(s->b.word[0], s->a.word[1]);
            s->b.word[0]++;
            s->a.word[1]++;
        }
        if (k % 5 == 2) {
            for (uint32_t n = 100; n < 120; n++) {
                check(s->a.word[n], s->a.word[100]);
            }
            for (uint32_t n = 100; n < 120; n++) {
                s->a.word[n]++;
            }
        }
        check(s->a.word[0], now + 1);
        shm_unlock(&lock[0]);
        s->home_of_last.word[shm_node()]++;
    }
    shm_barrier(&barrier, count);
    check(s->a.word[0], rounds * count);
    check(s->b.word[0], s->a.word[1]);
    check(s->home_of_last.word[shm_node()], rounds);
}

/* What a process has seen of a lock's words goes on by another lock, though it has not
 * written them; and by a barrier. */
static bool sees(uint32_t which, const volatile uint32_t *word, uint32_t value)
{
    bool seen;

    shm_lock(&lock[which]);
    seen = *word == value;
    shm_unlock(&lock[which]);
    return seen;
}

static void passed_on(void)
{
    for (uint32_t k = 1; k <= rounds; k++) {
        uint32_t place = (shm_node() + k) % count;

        if (place == 0) {
            shm_lock(&lock[0]);
            s->a.word[3] = k;
            shm_unlock(&lock[0]);
        } else if (place == 1) {
            while (!sees(0, &s->a.word[3], k)) {
            }
            shm_lock(&lock[1]);
            s->b.word[5] = k;
            shm_unlock(&lock[1]);
        } else if (place == 2) {
            while (!sees(1, &s->b.word[5], k)) {
            }
            check(s->a.word[3], k);
        }
        shm_barrier(&barrier, count);
        check(s->a.word[3], k);
        shm_barrier(&barrier, count);
    }
}

/* A process stores to a page of which it has no copy: the section has not read it. */
static void blind(void)
{
    for (uint32_t k = 0; k < rounds; k++) {
        shm_lock(&lock[0]);
        s->a.word[shm_node()] = k + 1;
        shm_unlock(&lock[0]);
        shm_barrier(&barrier, count);   /* copies of the page are old */
    }
    for (uint32_t k = 0; k < count; k++) {
        check(s->a.word[k], rounds);
    }
}

/* One section in 16 writes more of the page than the lock can carry. */
static void seldom(void)
{
    for (uint32_t k = 0; k < rounds; k++) {
        shm_lock(&lock[0]);
        s->a.word[0]++;
        for (uint32_t n = 100; n < 120 && k % 16 == 8; n++) {
            s->a.word[n]++;
        }
        shm_unlock(&lock[0]);
    }
    shm_barrier(&barrier, count);
    check(s->a.word[0], rounds * count);
    check(s->a.word[119], (rounds + 7) / 16 * count);
}

/* A queue of items: each is taken once. */
static void queue(void)
{
    uint32_t taken;

    do {
        shm_lock(&lock[0]);
        taken = s->a.word[0];
        if (taken < rounds) {
            s->a.word[0]++;
        }
        shm_unlock(&lock[0]);
        if (taken < rounds) {
            s->taken[taken]++;
        }
    } while (taken < rounds);
    shm_barrier(&barrier, count);
    for (uint32_t k = 0; k < rounds; k++) {
        check(s->taken[k], 1);
    }
}

/* Two locks in turn, whose numbers of carried stores are often the same. */
static void alternate(void)
{
    for (uint32_t k = 0; k < rounds; k++) {
        shm_lock(&lock[0]);
        s->a.word[0]++;
        shm_unlock(&lock[0]);
        shm_lock(&lock[1]);
        s->b.word[0]++;
        shm_unlock(&lock[1]);
    }
    shm_barrier(&barrier, count);
    check(s->a.word[0], rounds * count);
    check(s->b.word[0], rounds * count);
}

/* Locks in turn. Two of them protect words of one page, which are next to each other,
 * and the third one those of two more pages. */
static void turns(void)
{
    for (uint32_t k = 0; k < rounds; k++) {
        for (uint32_t which = 0; which < 2; which++) {
            shm_lock(&lock[which]);
            s->a.word[which]++;
            shm_unlock(&lock[which]);
        }
        shm_lock(&lock[2]);
        check(s->home_of_last.word[9], s->b.word[9]);
        s->b.word[9]++;
        s->home_of_last.word[9]++;
        shm_unlock(&lock[2]);
    }
    shm_barrier(&barrier, count);
    check(s->a.word[0], rounds * count);
    check(s->a.word[1], rounds * count);
    check(s->b.word[9], rounds * count);
}

/* A lock in the section of another one, which goes on storing then. */
static void nested(void)
{
    for (uint32_t k = 0; k < rounds; k++) {
        shm_lock(&lock[0]);
        s->a.word[0]++;
        shm_lock(&lock[1]);
        check(s->a.word[3], s->a.word[1]);
        s->a.word[1]++;
        s->a.word[3]++;
        shm_unlock(&lock[1]);
        check(s->a.word[2], s->a.word[0] - 1);
        s->a.word[2]++;
        shm_unlock(&lock[0]);
    }
    shm_barrier(&barrier, count);
    check(s->a.word[2], rounds * count);
    check(s->a.word[3], rounds * count);
}

/* A word that one lock protects at first, and then another one, and so on: the process
 * that takes it over has the first one. */
static void handed_over(void)
{
    for (uint32_t k = 0; k < rounds; k++) {
        uint32_t which = k % 2;

        for (uint32_t n = 0; n < 3; n++) {
            shm_lock(&lock[which]);
            s->a.word[5]++;
            s->a.word[6 + which]++;
            shm_unlock(&lock[which]);
        }
        shm_barrier(&barrier, count);
        check(s->a.word[5], 3 * (k + 1) * count);
        shm_barrier(&barrier, count);
    }
}

/* A plain word that process 0 writes, and for which the others wait, is on the page of
 * a lock's word. Nobody takes the lock while they wait. */
static void busy(void)
{
    const volatile uint32_t *flag = &s->a.word[12];

    for (uint32_t k = 1; k <= rounds; k++) {
        shm_lock(&lock[0]);
        s->a.word[0]++;
        shm_unlock(&lock[0]);
        if (shm_node() == 0) {
            s->a.word[12] = k;
        }
        while (*flag != k) {
        }
        shm_barrier(&barrier, count);
        check(s->a.word[0], k * count);
        shm_barrier(&barrier, count);
    }
}

/* Process 0 writes most of the page, without the lock under which the others count. The
 * page would go whole (difference.c), and is process 1's. */
static void whole(void)
{
    if (shm_node() == 1) {
        s->a.word[1] = 1;
    }
    shm_barrier(&barrier, count);
    for (uint32_t k = 1; k <= rounds; k++) {
        for (uint32_t n = 256; n < PAGE_WORDS && shm_node() == 0; n++) {
            s->a.word[n] = k + n;
        }
        if (shm_node()) {
            shm_lock(&lock[0]);
            s->a.word[0]++;
            shm_unlock(&lock[0]);
        }
        shm_barrier(&barrier, count);
        check(s->a.word[0], k * (count - 1));
        for (uint32_t n = 256; n < PAGE_WORDS; n++) {
            check(s->a.word[n], k + n);
        }
        shm_barrier(&barrier, count);
    }
}

/*
 * A process stores to a word of its own under the lock, and then again without: the lock
 * has carried the first value to others, who do not use the word. The words are on the
 * page of the lock's counter.
 */
static void own(void)
{
    volatile uint32_t *mine = &s->a.word[8 + shm_node()];

    for (uint32_t k = 1; k <= rounds; k++) {
        shm_lock(&lock[0]);
        s->a.word[0]++;
        check(*mine, 2 * k - 2);
        *mine = 2 * k - 1;
        shm_unlock(&lock[0]);
        /* Others take the lock meanwhile, or not. */
        for (volatile uint32_t n = (k + shm_node()) % 2 * 500; n; n--) {
        }
        *mine = 2 * k;
        check(*mine, 2 * k);
        if (k % 8 == 0) {
            shm_barrier(&barrier, count);
            for (uint32_t node = 0; node < count; node++) {
                check(s->a.word[8 + node], 2 * k);
            }
            shm_barrier(&barrier, count);
        }
    }
    shm_barrier(&barrier, count);
    check(s->a.word[0], rounds * count);
}

/* The same with bytes: a word has some of four processes. */
static void own_bytes(void)
{
    volatile uint8_t *mine = &s->a.byte[32 + shm_node()];

    for (uint32_t k = 1; k <= rounds; k++) {
        shm_lock(&lock[0]);
        check(*mine, (uint8_t)(2 * k - 2));
        *mine = 2 * k - 1;
        shm_unlock(&lock[0]);
        for (volatile uint32_t n = (k + shm_node()) % 2 * 500; n; n--) {
        }
        *mine = 2 * k;
        if (k % 8 == 0) {
            shm_barrier(&barrier, count);
            for (uint32_t node = 0; node < count; node++) {
                check(s->a.byte[32 + node], (uint8_t)(2 * k));
            }
            shm_barrier(&barrier, count);
        }
    }
}

/*
 * Stores of all kinds: from globals, locals and ins, of no register, with an index, in
 * the delay slot of a jump and of an annulled branch; of the FPU, swap, and of library
 * functions.
 */
static void store_kinds(uint32_t *to, uint32_t k)
{
    asm volatile (
        "mov    %1, %%g2\n\t"
        "st     %%g2, [%0]\n\t"
        "add    %1, 1, %%g4\n\t"
        "mov    4, %%g3\n\t"
        "st     %%g4, [%0 + %%g3]\n\t"
        "add    %1, 2, %%l3\n\t"
        "ba     1f\n\t"
        " st    %%l3, [%0 + 8]\n\t"           /* delay slot */
        "st     %%g0, [%0]\n"                  /* not reached */
        "1:     add %0, 16, %%l5\n\t"
        "add    %1, 3, %%l2\n\t"
        "cmp    %%g0, %%g0\n\t"
        "be,a   2f\n\t"
        " st    %%l2, [%%l5 - 4]\n\t"         /* delay slot, taken */
        "st     %%g0, [%0]\n"                  /* not reached */
        "2:     bne,a 3f\n\t"
        " st    %%g0, [%0]\n"                  /* annulled */
        "3:     std %%g2, [%0 + 16]\n\t"
        "std    %%l2, [%0 + 24]"
        : : "r" (to), "r" (k)
        : "g2", "g3", "g4", "l2", "l3", "l5", "cc", "memory");
}

static void kinds(void)
{
    volatile double *number = (volatile double *)&s->b.word[20];

    for (uint32_t k = 1; k <= rounds; k++) {
        uint32_t last, now, *to = s->a.word + 100 * (k % 3);
        char text[12];

        shm_lock(&lock[k % 2]);
        to += 20 * (k % 2);
        last = to[0];
        for (uint32_t n = 1; n < 4; n++) {
            check(to[n], last ? last + n : 0);
        }
        store_kinds(to, last + 5);
        check(to[0], last + 5);
        check(to[3], last + 8);
        check(to[4], last + 5);
        check(to[5], 4);
        check(to[6], last + 8);
        check(to[7], last + 7);
        shm_unlock(&lock[k % 2]);

        shm_lock(&lock[2]);
        now = s->b.word[0];
        snprintf(text, sizeof(text), "%u", (unsigned)now);
        check(now ? strcmp((char *)&s->b.word[4], text) : 0, 0);
        check(*number == now / 4.0, 1);
        check(s->b.byte[40], now ? 0xff : 0);
        now++;
        sprintf((char *)&s->b.word[4], "%u", (unsigned)now);
        *number = now / 4.0;
        asm volatile ("ldstub [%0], %%g2" : : "r" (&s->b.byte[40]) : "g2", "memory");
        last = now;
        asm volatile ("swap [%1], %0" : "+r" (last) : "r" (&s->b.word[0]) : "memory");
        check(last, now - 1);
        shm_unlock(&lock[2]);
    }
    shm_barrier(&barrier, count);
    check(s->b.word[0], rounds * count);
}

static const struct {
    const char *name;
    void (*run)(void);
} patterns[] = {
    { "counter", counter }, { "sizes", sizes }, { "two", two }, { "mixed", mixed },
    { "passed-on", passed_on }, { "blind", blind }, { "seldom", seldom },
    { "queue", queue }, { "alternate", alternate },
    { "turns", turns },
    { "nested", nested }, { "handed-over", handed_over }, { "busy", busy },
    { "whole", whole }, { "own", own }, { "own-bytes", own_bytes }, { "kinds", kinds },
};

static void (*pattern)(void);

static void work(void)
{
    struct shm_statistics before, after;
    uint32_t start;

    shm_barrier(&barrier, count);
    (void)*(volatile uint32_t *)s->a.word;
    if (shm_node() == (int)count - 1) {
        s->home_of_last.word[PAGE_WORDS - 1] = 1;
    }
    shm_barrier(&barrier, count);
    shm_statistics(&before);
    start = shm_clock();
    pattern();
    shm_barrier(&barrier, count);
    if (shm_node() == 0) {
        printf("%u cycles\n", (shm_clock() - start) * 25);
    }
    shm_statistics(&after);
    shm_lock(&sum_lock);
    s->sum.wrong += wrong;
    s->sum.faults += after.read_faults + after.write_faults -
                     before.read_faults - before.write_faults;
    s->sum.fetches += after.fetches - before.fetches;
    s->sum.carried += after.carried_stores - before.carried_stores;
    s->sum.differences += after.differences - before.differences;
    shm_unlock(&sum_lock);
}

int main(int argc, char **argv)
{
    count = shm_nodes();
    rounds = argc > 2 ? (uint32_t)atoi(argv[2]) : rounds;
    for (unsigned k = 0; k < sizeof(patterns) / sizeof(*patterns); k++) {
        if (argc > 1 && !strcmp(argv[1], patterns[k].name)) {
            pattern = patterns[k].run;
        }
    }
    if (!pattern || rounds > ITEMS) {
        return 2;
    }
    s = shm_malloc(sizeof(*s));
    for (uint32_t k = 1; k < count; k++) {
        shm_create(work);
    }
    work();
    shm_wait_for_end(count - 1);
    printf("%u faults, %u fetches, %u carried, %u differences, %u wrong\n",
           (unsigned)s->sum.faults, (unsigned)s->sum.fetches,
           (unsigned)s->sum.carried, (unsigned)s->sum.differences,
           (unsigned)s->sum.wrong);
    return s->sum.wrong != 0;
}
