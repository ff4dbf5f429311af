/*
 * RQ_BY_FETCH: an item whose WRITE is refused, from a sender that calls the library no more.
 * test_rq.py runs it.
 *
 * Node 0 makes a queue, and lets its slots go out to backing store. All nodes but 1 keep as
 * many commands waiting for pages of node 0 as may wait there. In each of ROUNDS rounds
 * node 1 sends an item, and then computes until node 0 has got it. Node 0 looks for the item
 * when its WRITE has long been refused.
 *
 * With `section`, node 1 does not compute, but waits in an atomic section for an item that
 * node 0 sends back. With `late`, node 1 sends an item more from a function of atexit() that
 * runs after the library's.
 *
 *      rq-refused PAGES ROUNDS [section | late]
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "mbcf.h"
#include "rq.h"
#include "udm-collective.h"

/* FIRST: after so many items, a slot is on another page than the queue's counter, which a
   sender's FETCH_ADD brings in. */
enum { QUEUE = 1, BACK, SEVERAL = 6, FIRST = 90 };
#define HEAP 0x20000000

static uint32_t pages, rounds;
static volatile uint32_t turn, got, stops;
static bool section, late;

static volatile uint32_t *word_of(uint32_t page)
{
    return (volatile uint32_t *)(HEAP + page % pages * GLAZE_PAGE);
}

static void touch_all(void)
{
    for (uint32_t page = 0; page < pages; page++) {
        ++*word_of(page);
    }
}

/* Handlers: node 1 may send; node 0 has the item. */
static void your_turn(void)
{
    udm_dispose();
    turn++;
}

static void have_got(void)
{
    udm_dispose();
    got++;
}

static void stop(void)
{
    udm_dispose();
    stops = 1;
}

/* Commands that wait for pages of node 0 all the time. */
static void crowd(void)
{
    volatile uint32_t status[SEVERAL];

    for (uint32_t k = 0; !stops; k++) {
        volatile uint32_t *mine = &status[k % SEVERAL];

        if (k >= SEVERAL) {
            mbcf_await(mine);
        }
        *mine = MBCF_PENDING;
        mbcf_write(0, (uintptr_t)(word_of(k * 41 + udm_node() * 17) + 1), &(uint32_t){ k },
                   sizeof(k), MBCF_STATUS, mine);
    }
}

static uint32_t receive(void)
{
    uint32_t wrong = 0, item;

    for (uint32_t k = 0; k < FIRST; k++) {
        while (!rq_dequeue(QUEUE, &item)) {
        }
        wrong += item != k;
    }
    for (uint32_t k = 0; k < rounds; k++) {
        touch_all();
        udm_inject(1, your_turn);
        touch_all();
        while (!rq_dequeue(QUEUE, &item)) {
        }
        wrong += item != k;
        if (section) {
            rq_send(1, BACK, k);
        } else {
            udm_inject(1, have_got);
        }
    }
    if (late) {
        udm_inject(1, your_turn);
        touch_all();
        while (!rq_dequeue(QUEUE, &item)) {
        }
        wrong += item != rounds;
    }
    for (uint32_t node = 2; node < udm_nodes(); node++) {
        udm_inject(node, stop);
    }
    return wrong;
}

static void send(void)
{
    uint32_t back;

    for (uint32_t k = 0; k < FIRST; k++) {
        rq_send(0, QUEUE, k);
    }
    for (uint32_t k = 0; k < rounds; k++) {
        while (turn <= k) {
        }
        if (section) {
            udm_beginatom();
            rq_send(0, QUEUE, k);
            while (!rq_dequeue(BACK, &back)) {
            }
            udm_endatom();
        } else {
            rq_send(0, QUEUE, k);
            while (got <= k) {
            }
        }
    }
}

static void send_late(void)
{
    if (late && udm_node() == 1) {
        while (turn <= rounds) {
        }
        rq_send(0, QUEUE, rounds);
    }
}

int main(int argc, char **argv)
{
    uint32_t wrong = 0;

    rounds = strtoul(argv[2], NULL, 10);
    section = argc > 3 && !strcmp(argv[3], "section");
    late = argc > 3 && !strcmp(argv[3], "late");
    pages = strtoul(argv[1], NULL, 10);
    atexit(send_late);
    rq_init(RQ_BY_FETCH);
    rq_create(QUEUE, RQ_POLL);
    rq_create(BACK, RQ_POLL);
    if (udm_node() == 0) {
        glaze_map(HEAP, pages * GLAZE_PAGE);
        touch_all();
    }
    udm_barrier();
    if (udm_node() == 0) {
        wrong = receive();
        printf("refused: %lu items, %lu wrong\n", (unsigned long)rounds, (unsigned long)wrong);
    } else if (udm_node() == 1) {
        send();
    } else {
        crowd();
    }
    if (!late) {
        udm_barrier();
    }
    return argc < 3 || wrong;
}
