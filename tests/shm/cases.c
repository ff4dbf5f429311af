/*
 * shm-cases NAME [PROCESSES]: what shm.h promises, case by case. Each process but
 * the first checks and counts in shared memory; the first prints. By default, each
 * node has a process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shm.h"
#include "udm.h"
#include "udm-thread.h"

#define MOST    64

static int count;               /* processes */
static struct shm_lock lock;
static struct shm_barrier barrier;
static struct shm_flag flag[4];
static struct shm_counter counter;

/* In shared memory. */
static struct shared {
    int next;                   /* number of the next process */
    int sum, wrong;
    int by[MOST];
    int page[MOST][1024];
    char bytes[8192];
    struct shm_lock locks[2];
    volatile int busy, data[4096];
} *s;

static int self(void)
{
    int me;

    shm_lock(&lock);
    me = s->next++;
    shm_unlock(&lock);
    return me;
}

/* For a process that has locked `lock`. */
static void expect_locked(int got, int want)
{
    if (got != want) {
        printf("node %d: got %d, want %d\n", shm_node(), got, want);
        s->wrong++;
    }
}

static void expect(int got, int want)
{
    if (got != want) {
        shm_lock(&lock);
        expect_locked(got, want);
        shm_unlock(&lock);
    }
}

/* Computes for so many cycles. */
static void pause_for(uint32_t cycles)
{
    uint64_t start = udm_cycles();

    while (udm_cycles() - start < cycles) {
    }
}

/* Runs work() on all nodes, and waits for the others. */
static void all(void (*work)(void))
{
    for (int k = 1; k < count; k++) {
        shm_create(work);
    }
    work();
    shm_wait_for_end(count - 1);
}

/* Computes until a cycle. All nodes have the same clock. */
static void compute_until(uint64_t cycle)
{
    while (udm_cycles() < cycle) {
    }
}

/* ---- Cases ------------------------------------------------------------------ */

static void lock_work(void)
{
    int me = self();

    for (int k = 0; k < 50; k++) {
        shm_lock(&lock);
        s->sum++;
        s->page[k % MOST][me]++;
        shm_unlock(&lock);
    }
}

static void locks(void)
{
    int pages = 0;

    all(lock_work);
    expect(s->sum, 50 * count);
    for (int k = 0; k < MOST; k++) {
        for (int p = 0; p < count; p++) {
            pages += s->page[k][p];
        }
    }
    expect(pages, 50 * count);
    expect(s->next, count);
}

/* Every process writes its part, then reads all of the last round. */
static void barrier_work(void)
{
    int me = self();

    for (int round = 1; round <= 6; round++) {
        for (int k = 0; k < MOST; k++) {
            s->page[k][me] = round * 1000 + k + me;
        }
        shm_barrier(&barrier, count);
        for (int k = 0; k < MOST; k++) {
            for (int p = 0; p < count; p++) {
                expect(s->page[k][p], round * 1000 + k + p);
            }
        }
        shm_barrier(&barrier, count);
    }
}

static void barriers(void)
{
    all(barrier_work);
}

/* Neighbouring bytes of different processes. */
static void byte_work(void)
{
    int me = self();

    for (int round = 1; round < 5; round++) {
        for (unsigned k = me; k < sizeof(s->bytes); k += count) {
            s->bytes[k] = round + k % 7;
        }
        shm_barrier(&barrier, count);
        for (unsigned k = 0; k < sizeof(s->bytes); k++) {
            expect(s->bytes[k], (char)(round + k % 7));
        }
        shm_barrier(&barrier, count);
    }
}

static void bytes(void)
{
    all(byte_work);
}

/*
 * The home touches a page for the first time, and so gives it memory, while
 * another process's difference comes: page by page a little later. The first
 * word of each page is the one that may not be cleared again.
 */
#define TOUCHES         200
#define TOUCH_STEP      100     /* cycles, from page to page */
#define TOUCH_PERIOD    90000
#define TOUCH_RELEASE   30000   /* when the other process has its twin */

static volatile int (*touched)[1024];
static uint64_t touch_start;

static void touch_away(void)
{
    for (int k = 0; k < TOUCHES; k++) {
        uint64_t at = touch_start + k * TOUCH_PERIOD;

        shm_lock(&s->locks[0]);
        compute_until(at);
        touched[k][0] = k + 1;
        compute_until(at + TOUCH_RELEASE);
        shm_unlock(&s->locks[0]);
    }
}

static void first_touch(void)
{
    touched = shm_malloc(TOUCHES * sizeof(*touched));
    touch_start = udm_cycles() + 2 * TOUCH_PERIOD;
    if (count == 1) {
        return;
    }
    shm_create(touch_away);
    for (int k = 0; k < TOUCHES; k++) {
        compute_until(touch_start + k * TOUCH_PERIOD + TOUCH_RELEASE +
                      k * TOUCH_STEP);
        expect(touched[k][1], 0);
    }
    shm_wait_for_end(1);
    for (int k = 0; k < TOUCHES; k++) {
        expect(touched[k][0], k + 1);
    }
}

/*
 * Each process writes a byte in each line of the same pages, in the same
 * intervals: all of the page changes, but it is no process's alone. So a home
 * must not take the page whole from a process that lacks another one's bytes.
 */
#define WOVEN   12
#define LINE    16

static char woven(int page, int byte, int round)
{
    return (page + byte + 7 * round) % 100 + 1;
}

static void weave_work(void)
{
    int me = self();

    for (int round = 1; round <= 4; round++) {
        shm_barrier(&barrier, count);
        for (int k = 0; k < WOVEN; k++) {
            char *page = (char *)s->page[(me + k) % WOVEN];

            for (int byte = me; byte < 4096; byte += LINE) {
                page[byte] = woven((me + k) % WOVEN, byte, round);
            }
        }
        if (me % 2 == 0) {              /* the others release, this one not */
            pause_for(50000);
        }
        shm_barrier(&barrier, count);
        for (int k = 0; k < WOVEN; k++) {
            const char *page = (const char *)s->page[k];

            for (int byte = 0; byte < 4096; byte++) {
                if (byte % LINE < count && page[byte] != woven(k, byte, round)) {
                    expect(page[byte], woven(k, byte, round));
                }
            }
        }
    }
}

static void weave(void)
{
    all(weave_work);
}

/*
 * Node 0 reads a page for the first time while another process's write takes the
 * page's home away, page by page a little later. Node 0 must hear of the second
 * write.
 */
#define TAKEN           400
#define TAKEN_STEP      10
#define TAKEN_PERIOD    60000
#define TAKEN_EARLIEST  2000    /* cycles by which node 0 is ahead at first */

static void taken_work(void)
{
    bool writer = shm_node() == 1;

    shm_barrier(&barrier, count);
    for (int k = 0; k < TAKEN; k++) {
        uint64_t at = touch_start + k * TAKEN_PERIOD;

        if (writer) {
            compute_until(at + TAKEN_EARLIEST);
            touched[k][0] = 1;
        } else if (shm_node() == 0) {
            compute_until(at + k * TAKEN_STEP);
            expect(touched[k][1], 0);
        }
    }
    shm_barrier(&barrier, count);
    for (int k = 0; writer && k < TAKEN; k++) {
        touched[k][0] = 2;
    }
    shm_barrier(&barrier, count);
    for (int k = 0; k < TAKEN; k++) {
        expect(touched[k][0], 2);
    }
}

static void first_read(void)
{
    touched = shm_malloc(TAKEN * sizeof(*touched));
    touch_start = udm_cycles() + count * 10 * TAKEN_PERIOD;
    if (count > 1) {
        all(taken_work);
    }
}

static void take_work(void)
{
    int me = self();

    if (me == 0) {
        for (int k = 1; k < count; k++) {
            shm_flag_set(&flag[2]);
            shm_flag_take(&flag[3]);
        }
    } else {
        shm_flag_take(&flag[2]);
        s->by[2]++;
        shm_flag_set(&flag[3]);
    }
}

static void put_work(void)
{
    int me = self();

    if (me == 0) {
        s->by[0] = 1;
        shm_flag_set(&flag[0]);
    } else {
        shm_flag_wait(&flag[0]);
        expect(s->by[0], 1);
        shm_flag_put(&flag[1]);
        s->sum += me;
        shm_flag_clear(&flag[1]);
    }
}

static void flags(void)
{
    all(put_work);
    expect(s->sum, count * (count - 1) / 2);
    expect(shm_flag_test(&flag[0]), 1);
    shm_flag_init(&flag[0]);
    expect(shm_flag_test(&flag[0]), 0);
    s->next = 0;
    all(take_work);
    expect(s->by[2], count - 1);
}

static void getsub_work(void)
{
    for (int round = 0; round < 3; round++) {
        int got;

        while ((got = shm_getsub(&counter, MOST - 1, count)) >= 0) {
            s->page[got][0]++;
        }
        for (int k = 0; k < MOST; k++) {
            expect(s->page[k][0], round + 1);
        }
        shm_barrier(&barrier, count);
    }
}

static void getsub(void)
{
    all(getsub_work);
}

/* Spins on plain memory; what was written before must be seen. */
static void busy_work(void)
{
    int me = self();

    for (int round = 1; round <= 3; round++) {
        if (me == 0) {
            for (int k = 0; k < 4096; k += 100) {
                s->data[k] = round;
            }
            s->busy = round;
        } else {
            while (s->busy != round) {
            }
            for (int k = 0; k < 4096; k += 100) {
                expect(s->data[k], round);
            }
        }
        shm_barrier(&barrier, count);
    }
}

static void busy(void)
{
    all(busy_work);
}

/* No process calls anything: each answers the first one's flag by its own. */
static void busy_exchange_work(void)
{
    volatile int *by = s->by;
    int me = self();

    shm_barrier(&barrier, count);
    for (int round = 1; round <= 4; round++) {
        if (me == 0) {
            s->data[2048] = round;      /* on another page */
            s->busy = round;
            for (int k = 1; k < count; k++) {
                while (by[k] != round) {
                }
            }
        } else {
            while (s->busy != round) {
            }
            expect(s->data[2048], round);
            by[me] = round;
        }
    }
}

static void busy_exchange(void)
{
    all(busy_exchange_work);
}

/* The same, while each process locks a lock that no other one asks for. */
static void busy_locks_work(void)
{
    static struct shm_lock own[MOST];
    int me = self();

    for (int round = 1; round <= 3; round++) {
        if (me == 0) {
            s->data[0] = round;
            s->busy = round;
        }
        for (bool seen = false; !seen;) {
            shm_lock(&own[me]);
            seen = s->busy == round;
            shm_unlock(&own[me]);
        }
        expect(s->data[0], round);
        shm_barrier(&barrier, count);
    }
}

static void busy_locks(void)
{
    all(busy_locks_work);
}

/*
 * Locks alone: process 0 ends so many intervals, with so many pages that are not
 * neighbours, that its log gets full. The record of a page that it wrote first
 * is lost with it. The others wait for a lock meanwhile, with old copies.
 */
#define SECTIONS 500

static struct shm_lock gate;
static bool log_barrier;        /* the others wait at a barrier instead */

/* Waits until s->sum has reached a number. */
static void log_wait(int sum)
{
    for (bool reached = false; !reached;) {
        shm_lock(&lock);
        reached = s->sum >= sum;
        shm_unlock(&lock);
    }
}

static void log_write(void)
{
    for (int section = 1; section <= SECTIONS; section++) {
        shm_lock(&s->locks[0]);
        if (section == 1) {
            s->page[1][0] = section;
        }
        for (int k = 0; k < MOST; k += 2) {
            s->page[k][0] = section;
        }
        shm_unlock(&s->locks[0]);
    }
}

static void log_work(void)
{
    struct shm_statistics now;
    int me = self(), old = 0, got;

    if (me == 0) {
        shm_lock(&gate);
    }
    shm_lock(&lock);
    for (int k = 0; k < MOST; k++) {
        old += s->page[k][0];
    }
    s->sum++;
    shm_unlock(&lock);
    log_wait(count);
    if (me == 0) {
        pause_for(1000000);             /* they come to wait */
        log_write();
        shm_unlock(&gate);
        shm_statistics(&now);
        printf("log: %u barriers, %u collections\n", now.barriers,
               now.collections);
        if (log_barrier) {
            shm_barrier(&barrier, count);
        }
        return;
    }
    if (log_barrier) {
        shm_barrier(&barrier, count);
    } else {
        shm_lock(&gate);
    }
    got = s->page[1][0];        /* at once: no visit comes before */
    if (!log_barrier) {
        shm_unlock(&gate);
    }
    expect(old, 0);
    expect(got, 1);
    expect(s->page[0][0], SECTIONS);
}

static void log_full(void)
{
    all(log_work);
}

/*
 * A home whose log has got full sends a page that node 1 has written before.
 * Node 2, which has an old copy of another page, must acquire from node 1 all
 * the same. Node 2 waits meanwhile for node 3, which knows of nothing.
 */
static void log_flag_work(void)
{
    struct shm_statistics now;
    int old = 0;

    for (int k = 0; k < MOST; k++) {
        old += s->page[k][0];           /* so that node 0's writes are noted */
    }
    if (shm_node() == 1) {
        shm_flag_wait(&flag[3]);
        s->page[0][0] = 1;
        s->busy = 1;
        shm_flag_set(&flag[0]);
    } else if (shm_node() == 2) {
        shm_flag_set(&flag[2]);
        shm_flag_set(&flag[3]);
        shm_flag_wait(&flag[1]);
        old += s->busy;                 /* at once: no visit comes before */
        expect(old + s->page[0][0], 2);
    } else if (shm_node() == 3) {
        shm_flag_wait(&flag[2]);
        compute_until(touch_start);
        shm_flag_set(&flag[1]);
    } else if (shm_node() == 0) {
        shm_flag_wait(&flag[0]);
        do {
            shm_lock(&lock);
            for (int k = 2; k < MOST; k += 2) {
                s->page[k][1]++;
            }
            shm_unlock(&lock);
            shm_statistics(&now);
        } while (now.collections == 0);
        expect(udm_cycles() < touch_start, 1);
    }
}

static void log_flag(void)
{
    touch_start = udm_cycles() + 120000000;
    all(log_flag_work);
}

static void log_at_barrier(void)
{
    log_barrier = true;
    all(log_work);
}


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

static void forks(void)
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

static void memory(void)
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

static struct shm_barrier few[2];

static void some_work(void)
{
    int me = self(), half = me & 1, members = (count + 1 - half) / 2;

    for (int round = 1; round < 10; round++) {
        s->page[me][round] = round;
        shm_barrier(&few[half], members);
        for (int p = half; p < count; p += 2) {
            expect(s->page[p][round], round);
        }
        shm_lock(&lock);
        s->sum++;
        shm_unlock(&lock);
    }
}

static void some(void)
{
    all(some_work);
    expect(s->sum, 9 * count);
}

/*
 * All processes come to a barrier of half of them: it lets them go in two lots. Each
 * finds what as many processes have written as the barrier is of.
 */
static void lots_work(void)
{
    int me = self(), half = count / 2;

    for (int round = 1; round <= 8; round++) {
        int seen = 0;

        pause_for(me * round % 5 * 3000);
        s->page[me][0] = round;
        if (me < 2 * half) {
            shm_barrier(&few[0], half);
            for (int p = 0; p < count; p++) {
                seen += s->page[p][0] == round;
            }
            expect(seen >= half, 1);
        }
        shm_barrier(&barrier, count);
    }
}

static void lots(void)
{
    all(lots_work);
}

/*
 * Node 1's process writes a page, and node 2's sees it over a lock. Then those of
 * nodes 2 and 3 meet at a barrier, so node 3's sees it too, although the writer is
 * not there. It passes that on to node 0's over a lock.
 */
static void chain_work(void)
{
    int me = shm_node(), old = 0;

    for (int k = 0; k < 8; k++) {
        old += s->page[k][0];           /* all have copies */
    }
    shm_barrier(&barrier, count);
    for (int round = 1; round <= 4; round++) {
        if (me == 1) {
            shm_lock(&lock);
            s->page[round][0] = round;
            s->busy = 3 * round + 1;
            shm_unlock(&lock);
        }
        for (bool turn = me == 1; !turn && me <= 3;) {
            shm_lock(&lock);
            turn = s->busy >= 3 * round + (me == 2 ? 1 : me == 0 ? 2 : 0);
            shm_unlock(&lock);
        }
        if (me == 2 || me == 3) {
            shm_barrier(&few[0], 2);
            expect(s->page[round][0], round);
        }
        if (me == 3) {
            shm_lock(&lock);
            s->busy = 3 * round + 2;
            shm_unlock(&lock);
        }
        expect(me ? round : s->page[round][0], round);
        shm_barrier(&barrier, count);
    }
    expect(old, 0);
}

static void chain(void)
{
    if (count >= 4) {
        all(chain_work);
    }
}

/*
 * A page that only the first process has written. All others write it at the
 * same cycle, while node 0 takes no message. One of them becomes the home, and
 * node 0 has the requests of all when it answers the first one.
 */
static void first_writers_work(void)
{
    int *page = s->page[5];

    shm_barrier(&barrier, count);
    for (int round = 1; round <= 3; round++) {
        uint64_t start;

        shm_barrier(&barrier, count);
        start = ((udm_cycles() >> 17) + 1) << 17;

        if (shm_node() == 0) {
            compute_until(start - 1000);
            udm_beginatom();
            compute_until(start + 9000);
            udm_endatom();
        } else {
            compute_until(start);
            page[500 + shm_node()] = round;
        }
        shm_barrier(&barrier, count);
        for (int p = 1; p < count; p++) {
            expect(page[500 + p], round);
        }
        expect(page[0], 77);
        shm_barrier(&barrier, count);
    }
}

static void first_writers(void)
{
    for (int k = 0; k < 1024; k++) {
        s->page[5][k] = 77;
    }
    all(first_writers_work);
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

static void pressure(void)
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

/*
 * The first thread computes with values of shared pages, all processes with the
 * same ones, so faults wait. Meanwhile another thread uses the FPU.
 */
static volatile bool computed;

static void *compute(void *unused)
{
    volatile double y = 1;

    (void)unused;
    while (!computed) {
        double a = y + 1, b = y + 2, c = y + 3, d = y + 4;

        y = a * b / (c * d) + (a - b) * (c - d);
        udm_thread_yield();
    }
    return NULL;
}

static void fpu_work(void)
{
    udm_thread_t *other;
    double a = 1, b = 2, c = 3;

    shm_barrier(&barrier, count);
    computed = false;
    other = udm_thread_create(compute, NULL, UDM_NORMAL);
    for (int k = 0; k < MOST; k++) {
        int x = *(volatile int *)&s->page[k][0];

        a += x;
        b -= x;
        c += a - b;
        x = *(volatile int *)&s->page[k][512];
        a += b * x;
        c -= x;
    }
    computed = true;
    udm_thread_join(other);
    expect(a, 1 + MOST);
    expect(b, 2 - MOST);
    expect(c, 3 + MOST * MOST);
}

static void fpu(void)
{
    for (int k = 0; k < MOST; k++) {
        s->page[k][0] = 1;
    }
    all(fpu_work);
}

/* Operands of system calls and of the C library in shared memory, on a node
 * that has no copy of the pages. */
static void operand_work(void)
{
    char *format = s->bytes, *text = s->bytes + 4096;
    FILE *file;

    printf(format, s->page[3][0]);
    fflush(stdout);
    write(1, (char *)s->page[4], 6);
    file = fopen("operand", "w+");
    expect(fwrite(s->page[6], 1, 4096, file), 4096);
    rewind(file);
    expect(fread(s->page[8], 1, 4096, file), 4096);
    fclose(file);
    sscanf("12 word", "%d %s", &s->page[10][0], text);
    memmove(s->page[12], s->page[6], 4096);
}

static void operands(void)
{
    strcpy(s->bytes, "%d pages\n");
    s->page[3][0] = 33;
    memcpy(s->page[4], "plain\n", 6);
    for (int k = 0; k < 1024; k++) {
        s->page[6][k] = k * 77;
    }
    shm_create(operand_work);
    shm_wait_for_end(1);
    expect(memcmp(s->page[6], s->page[8], 4096), 0);
    expect(memcmp(s->page[6], s->page[12], 4096), 0);
    expect(s->page[10][0], 12);
    expect(strcmp(s->bytes + 4096, "word"), 0);
}

/* ---- Mistakes ----------------------------------------------------------------- */

static void twice(void)
{
    shm_lock(&lock);
    shm_lock(&lock);
}

static void not_locked(void)
{
    shm_unlock(&lock);
}

static void beyond(void)
{
    *(volatile char *)(SHM_END - 4096) = 1;
}

static void beyond_read(void)
{
    shm_create(beyond);
    shm_wait_for_end(1);
}

static void bad_free(void)
{
    shm_free((char *)shm_malloc(100) + 16);
}

static void double_free(void)
{
    void *block = shm_malloc(100);

    shm_free(block);
    shm_free(block);
}

static void too_many(void)
{
    shm_barrier(&barrier, count + 1);
}

static void none(void)
{
    shm_barrier(&barrier, 0);
}

/* Process 0 waits for all, or the others do so. */
static void numbers_work(void)
{
    uint64_t start = udm_cycles();

    while (shm_node() != 0 && udm_cycles() - start < 200000) {
    }
    shm_barrier(&barrier, shm_node() == 0 ? count : count - 1);
}

static void numbers(void)
{
    all(numbers_work);
}

static void numbers_late_work(void)
{
    uint64_t start = udm_cycles();

    while (shm_node() == 0 && udm_cycles() - start < 2000000) {
    }
    shm_barrier(&barrier, shm_node() == 0 ? count - 1 : count);
}

static void numbers_late(void)
{
    all(numbers_late_work);
}

static void two_barriers_work(void)
{
    static struct shm_barrier other;

    shm_barrier(shm_node() == 0 ? &other : &barrier, count);
}

static void two_barriers(void)
{
    all(two_barriers_work);
}

static void idle_work(void)
{
    shm_barrier(&barrier, 2);
}

static void deadlock(void)
{
    shm_create(idle_work);
    shm_lock(&lock);
    shm_wait_for_end(1);
}

static void lock_deadlock_work(void)
{
    shm_lock(&s->locks[1]);
    shm_barrier(&barrier, 2);
    shm_lock(&s->locks[0]);
}

static void lock_deadlock(void)
{
    shm_create(lock_deadlock_work);
    shm_lock(&s->locks[0]);
    shm_barrier(&barrier, 2);
    shm_lock(&s->locks[1]);
}

static void in_section_work(void)
{
    udm_beginatom();
    s->by[0]++;
    udm_endatom();
}

/* Prints the address that another process is about to touch. */
static void touches(const void *address)
{
    printf("touches %p\n", address);
}

static void in_section(void)
{
    touches(&s->by[0]);
    s->by[0] = 1;
    shm_create(in_section_work);
    shm_wait_for_end(1);
}

static volatile bool handled;

static void on_touch(void)
{
    udm_dispose();
    s->by[1]++;
    handled = true;
}

static void in_handler_work(void)
{
    udm_inject(shm_node(), on_touch);
    while (!handled) {
    }
}

/* Ends its section first: the kernel then tells the library the page alone. */
static void on_touch_open(void)
{
    udm_dispose();
    udm_endatom();
    s->by[1]++;
    handled = true;
}

static void opens_work(void)
{
    udm_inject(shm_node(), on_touch_open);
    while (!handled) {
    }
}

static void handler_opens(void)
{
    touches(&s->by[1]);
    s->by[1] = 1;
    shm_create(opens_work);
    shm_wait_for_end(1);
}

static void handler_touches(void)
{
    touches(&s->by[1]);
    s->by[1] = 1;
    shm_create(in_handler_work);
    shm_wait_for_end(1);
}

static void on_call(void)
{
    udm_dispose();
    shm_lock(&lock);
    handled = true;
}

static void handler_calls(void)
{
    udm_inject(shm_node(), on_call);
    while (!handled) {
    }
}

static void section_calls(void)
{
    udm_beginatom();
    shm_barrier(&barrier, 1);
}

static void launch_work(void)
{
    udm_inject_body(0, on_call, s->page[9], 4096);
}

static void launches(void)
{
    touches(s->page[9]);
    s->page[9][0] = 1;
    shm_create(launch_work);
    shm_wait_for_end(1);
}

static void *thread_work(void *unused)
{
    (void)unused;
    shm_lock(&lock);
    return NULL;
}

static void hold_work(void)
{
    shm_lock(&lock);
    shm_barrier(&barrier, 2);
    compute_until(udm_cycles() + 200000);
    shm_unlock(&lock);
}

static void two_threads(void)
{
    shm_create(hold_work);
    shm_barrier(&barrier, 2);
    udm_thread_create(thread_work, NULL, UDM_NORMAL);
    shm_lock(&lock);
}

static void child_exits(void)
{
    exit(3);
}

static void bad_child(void)
{
    shm_create(child_exits);
    shm_wait_for_end(1);
}

static void waits(void)
{
    shm_flag_wait(&flag[0]);
}

static void crowd(void)
{
    for (int k = 0; k < count; k++) {
        shm_create(waits);
    }
}

static void grandchild(void)
{
    shm_create(waits);
}

static void generations(void)
{
    shm_create(grandchild);
    shm_wait_for_end(1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {
        { "locks", locks }, { "barriers", barriers }, { "bytes", bytes },
        { "first-touch", first_touch }, { "first-read", first_read },
        { "flags", flags }, { "getsub", getsub }, { "busy", busy },
        { "busy-locks", busy_locks }, { "busy-exchange", busy_exchange },
        { "log", log_full }, { "log-barrier", log_at_barrier },
        { "log-flag", log_flag },
        { "forks", forks }, { "memory", memory }, { "some", some },
        { "lots", lots }, { "chain", chain },
        { "first-writers", first_writers },
        { "pressure", pressure },
        { "fpu", fpu }, { "operands", operands },
        { "lock-deadlock", lock_deadlock }, { "in-section", in_section },
        { "handler-touches", handler_touches },
        { "handler-opens", handler_opens },
        { "handler-calls", handler_calls },
        { "section-calls", section_calls }, { "launches", launches },
        { "two-threads", two_threads },
        { "twice", twice }, { "not-locked", not_locked },
        { "beyond", beyond }, { "beyond-read", beyond_read },
        { "bad-free", bad_free }, { "double-free", double_free },
        { "too-many", too_many }, { "none", none }, { "numbers", numbers },
        { "numbers-late", numbers_late }, { "two-barriers", two_barriers },
        { "weave", weave },
        { "deadlock", deadlock },
        { "bad-child", bad_child }, { "crowd", crowd },
        { "generations", generations },
    };

    shm_init();
    count = argc == 3 ? atoi(argv[2]) : shm_nodes();
    s = shm_malloc(sizeof(*s));
    for (unsigned k = 0; argc >= 2 && k < sizeof(cases) / sizeof(cases[0]);
         k++) {
        if (!strcmp(argv[1], cases[k].name)) {
            cases[k].run();
            printf("%s: %d wrong\n", argv[1], s->wrong);
            return s->wrong != 0;
        }
    }
    return 2;
}
