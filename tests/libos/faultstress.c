/*
 * Threads and handlers that touch random pages, which go out and come back,
 * with udm_thread_switch_on_fault().
 *
 *     faultstress SEED MESSAGES + faultstress hog PAGES
 *
 * The hog takes memory until the first job has ended. The kernel first evicts
 * pages of the process that has most in memory, so the first job begins with
 * more than it needs. The counts that all threads share are on main()'s stack:
 * the whole process waits for a page of a stack, so threads do not switch at
 * an access to the counts.
 *
 * Each node prints its counts; the exit status is 0. If an assertion fails,
 * the job ends there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <assert.h>
#include <stdlib.h>

#include "check.h"
#include "glaze-calls.h"
#include "udm-thread.h"

#define PAGES   60
#define WORDS   (GLAZE_PAGE / 4)
#define THREADS 6
#define NODES   8

static volatile uint32_t page[PAGES][WORDS]
    __attribute__((aligned(GLAZE_PAGE)));

struct shared {
    uint32_t random;
    uint32_t sections;          /* open sections, suspended ones included */
    uint32_t handled, became;   /* messages; handlers that became threads */
    uint32_t more;              /* messages that sections have sent */
    uint32_t sent[NODES], received[NODES], total[NODES];
};

static udm_mutex_t mutex;
static volatile unsigned inside;

/* Declares `s`, the counts at a place on the first thread's stack whose
 * address is known without a load. */
#define SHARED volatile struct shared *s = \
    (volatile struct shared *)(GLAZE_MAIN_STACK_TOP - (1 << 16))

static uint32_t chance(volatile struct shared *s, uint32_t n)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 17;
    s->random ^= s->random << 5;
    return (s->random >> 8) % n;
}

static void touch(volatile struct shared *s)
{
    uint32_t k = chance(s, PAGES), i = chance(s, WORDS);

    if (chance(s, 2)) {
        page[k][i] = page[k][i];
    }
    assert(page[k][i] == 1000 * k + i);
}

/* ---- Messages ------------------------------------------------------------ */

static void handler(void)
{
    bool polled = udm_thread_self();    /* before any possible fault */
    SHARED;
    uint32_t source = udm_source();

    assert(udm_atomic());
    assert(polled || s->sections == 0);
    s->sections += !polled;
    assert(udm_arg(0) == s->received[source]);
    if (chance(s, 2)) {
        touch(s);
    }
    assert(udm_arg(0) == s->received[source]);
    udm_dispose();
    if (chance(s, 2)) {
        touch(s);
    }
    s->received[source]++;
    s->handled++;
    s->became += !polled && udm_thread_self();
    s->sections -= !polled;
}

static void end_handler(void)
{
    SHARED;

    s->total[udm_source()] = udm_arg(0);
    udm_dispose();
}

static void send(volatile struct shared *s)
{
    uint32_t uac = udm_uac();
    uint32_t node = chance(s, udm_nodes());

    udm_beginatom();
    udm_inject(node, handler, s->sent[node]);
    s->sent[node]++;
    if (!(uac & FUGU_UAC_INTERRUPT_DISABLE)) {
        udm_endatom();
    }
}

/* ---- Threads ------------------------------------------------------------- */

static void poll_some(volatile struct shared *s)
{
    for (uint32_t i = chance(s, 4); i > 0; i--) {
        udm_poll();
    }
}

static void in_mutex(volatile struct shared *s)
{
    udm_mutex_lock(&mutex);
    assert(inside++ == 0);
    touch(s);
    assert(--inside == 0);
    udm_mutex_unlock(&mutex);
}

static void in_section(volatile struct shared *s)
{
    udm_beginatom();
    s->sections++;
    touch(s);
    assert(udm_atomic());
    poll_some(s);
    switch (chance(s, 4)) {
    case 0:
        in_mutex(s);
        break;
    case 1:
        send(s);
        s->more++;
        break;
    case 2:
        udm_thread_yield();
        break;
    }
    touch(s);
    poll_some(s);
    assert(udm_atomic());
    s->sections--;
    udm_endatom();
}

static void in_floats(volatile struct shared *s)
{
    uint32_t n = chance(s, 100);
    volatile double *where = malloc(2 * GLAZE_PAGE);
    double x = n * 0.5;

    where[chance(s, 1000)] = x;
    touch(s);
    assert((uint32_t)(int)(x * 4) == 2 * n);
    free((void *)where);
}

static void *run(void *count)
{
    SHARED;

    for (uint32_t left = (uintptr_t)count; left > 0; ) {
        switch (chance(s, 6)) {
        case 0:
            touch(s);
            break;
        case 1:
            in_section(s);
            break;
        case 2:
            in_mutex(s);
            break;
        case 3:
            in_floats(s);
            break;
        case 4:
            udm_thread_yield();
            break;
        case 5:
            send(s);
            left--;
            break;
        }
    }
    return NULL;
}

/* ---- Beginning and end --------------------------------------------------- */

static volatile uint32_t ready;

static void ready_handler(void)
{
    ready++;
    udm_dispose();
}

/* No node sends before all nodes have the pages that handlers need. */
static void wait_for_all(void)
{
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        udm_inject(node, ready_handler);
    }
    while (ready < udm_nodes()) {
        udm_thread_yield();
    }
}

static bool all_there(volatile struct shared *s)
{
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        if (s->received[node] != s->total[node]) {
            return false;
        }
    }
    return true;
}

static void stress(uint32_t seed, uint32_t messages)
{
    volatile uint32_t *more = malloc(2 * PAGES * GLAZE_PAGE);
    SHARED;
    udm_thread_t *thread[THREADS];
    struct glaze_count count;

    for (unsigned k = 0; k < PAGES; k++) {
        for (unsigned i = 0; i < WORDS; i++) {
            page[k][i] = 1000 * k + i;
        }
    }
    for (unsigned k = 0; k < 2 * PAGES; k++) {
        more[k * WORDS] = k;
    }
    s->random = seed + 77 * udm_node() + 1;
    memset((void *)s->total, 0xff, sizeof(s->total));
    wait_for_all();
    do {                        /* until the hog has caused pages to go out */
        glaze_yield();
        glaze_count(&count);
    } while (count.pages_out < PAGES);
    udm_thread_switch_on_fault(true);
    for (unsigned i = 0; i < THREADS; i++) {
        thread[i] = udm_thread_create(run, (void *)(uintptr_t)messages,
                                      i % 2 ? UDM_HIGH : UDM_NORMAL);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        udm_thread_join(thread[i]);
    }
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        udm_inject(node, end_handler, s->sent[node]);
    }
    while (!all_there(s)) {
        udm_thread_yield();
    }
    glaze_count(&count);
    printf("node %lu: sent=%lu handled=%lu became=%lu arrivals=%lu outs=%lu "
           "sections=%lu hold=%lu\n", (unsigned long)udm_node(),
           (unsigned long)(THREADS * messages + s->more),
           (unsigned long)s->handled, (unsigned long)s->became,
           (unsigned long)glaze_info(GLAZE_I_ARRIVALS),
           (unsigned long)count.outs, (unsigned long)s->sections,
           (unsigned long)glaze_info(GLAZE_I_HOLD));
}

static void hog(uint32_t pages)
{
    volatile uint32_t *memory = malloc(pages * GLAZE_PAGE);
    struct glaze_count count;

    do {
        for (uint32_t k = 0; k < pages; k++) {
            memory[k * WORDS]++;
        }
        glaze_yield();
        glaze_count(&count);
    } while (count.processes > 1);
}

int main(int argc, char **argv)
{
    assert(argc > 2);
    if (strcmp(argv[1], "hog") == 0) {
        hog(atoi(argv[2]));
    } else {
        stress(atoi(argv[1]), atoi(argv[2]));
    }
    return 0;
}
