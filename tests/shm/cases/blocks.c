/*
 * A process that waits outside of shared memory's calls: in the library of threads.
 * The last process waits for messages of node 0, and node 0 for its messages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>

#include "cases.h"
#include "udm-thread.h"

#define ROUNDS  20
#define PERIOD  100000  /* cycles: enough for a visit */

static udm_thread_t *waiting;
static volatile int come;               /* messages to this node */

static void on_message(void)
{
    udm_dispose();
    come++;
    if (waiting) {
        udm_thread_wake(waiting);
    }
}

/* Waits until so many messages have come to this node, ever. */
static void block_till(int messages)
{
    while (come < messages) {
        udm_thread_block();
    }
}

static int begin(void)
{
    come = 0;
    waiting = udm_thread_self();
    shm_barrier(&barrier, count);
    if (shm_node() == 0) {
        s->busy = 0;            /* node 0 is the home of its page, for ever */
    }
    shm_barrier(&barrier, count);
    return shm_node();
}

/* Node 0 stores, and waits; the other node reads that in a loop, which needs the
 * page of node 0's open interval, before it answers. */
static void blocked_home_work(void)
{
    int me = begin();

    for (int round = 1; round <= ROUNDS; round++) {
        volatile int *word = s->page[round];

        if (me == 0) {
            pause_for(round * 311 % 5000);
            *word = round;
            block_till(round);
            udm_inject(count - 1, on_message);
        } else if (me == count - 1) {
            while (*word != round) {
            }
            udm_inject(0, on_message);
            block_till(round);
        }
    }
}

void case_blocked_home(void)
{
    all(blocked_home_work);
}

/* The last process stores to a page of node 0, and waits until node 0 has seen
 * it. */
static void blocked_writer_work(void)
{
    int me = begin();

    for (int round = 1; round <= 3; round++) {
        if (me == 0) {
            uint64_t end = udm_cycles() + 10 * PERIOD;

            while (s->busy != round && udm_cycles() < end) {
            }
            expect(s->busy, round);
            udm_inject(count - 1, on_message);
        } else if (me == count - 1) {
            s->busy = round;
            block_till(round);
        }
    }
}

void case_blocked_writer(void)
{
    all(blocked_writer_work);
}

/* The same, while another thread of the writer's process computes, and the first
 * one waits for its end. */
static void *compute(void *unused)
{
    uint64_t end = udm_cycles() + 80 * PERIOD;

    while (!come && udm_cycles() < end) {
    }
    return unused;
}

static void busy_thread_work(void)
{
    int me = begin();

    if (me == 0) {
        uint64_t end = udm_cycles() + 40 * PERIOD;

        while (s->busy != 1 && udm_cycles() < end) {
        }
        expect(s->busy, 1);
        udm_inject(count - 1, on_message);
    } else if (me == count - 1) {
        s->busy = 1;
        udm_thread_join(udm_thread_create(compute, NULL, UDM_NORMAL));
        block_till(1);
    }
}

void case_busy_thread(void)
{
    all(busy_thread_work);
}

/* A wake for the program comes while its thread waits for a page, between the
 * program's test and its block. Node 0 makes the page late: it is in a section. */
static void kept_wake_work(void)
{
    int me = begin();

    if (me == 0) {
        udm_beginatom();
        pause_for(40000);
        udm_inject(count - 1, on_message);
        pause_for(20000);
        udm_endatom();
    } else if (me == count - 1) {
        volatile int *cold = s->page[7];

        pause_for(10000);
        while (!come) {
            expect(*cold, 0);
            udm_thread_block();
        }
    }
}

void case_kept_wake(void)
{
    all(kept_wake_work);
}
