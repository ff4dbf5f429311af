/*
 * RQ_BY_FETCH: an item whose WRITE is refused, from a sender that calls the library no more.
 * test_rq.py runs it.
 *
 * Node 0 makes a queue, and lets its slots go out to backing store. All nodes but 1 keep as
 * many commands waiting for pages of node 0 as may wait there. In each of ROUNDS rounds
 * node 1 sends an item, and then computes until node 0 has got it. Node 0 looks for the item
 * when its WRITE has long been refused.
 *
 *      rq-refused PAGES ROUNDS
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "mbcf.h"
#include "rq.h"
#include "udm-collective.h"

/* FIRST: after so many items, a slot is on another page than the queue's counter, which a
   sender's FETCH_ADD brings in. */
enum { QUEUE = 1, SEVERAL = 6, FIRST = 90 };
#define HEAP 0x20000000

static uint32_t pages;
static volatile uint32_t turn, got, stops;

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

static uint32_t receive(uint32_t rounds)
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
        udm_inject(1, have_got);
    }
    for (uint32_t node = 2; node < udm_nodes(); node++) {
        udm_inject(node, stop);
    }
    return wrong;
}

static void send(uint32_t rounds)
{
    for (uint32_t k = 0; k < FIRST; k++) {
        rq_send(0, QUEUE, k);
    }
    for (uint32_t k = 0; k < rounds; k++) {
        while (turn <= k) {
        }
        rq_send(0, QUEUE, k);
        while (got <= k) {
        }
    }
}

int main(int argc, char **argv)
{
    uint32_t rounds = strtoul(argv[2], NULL, 10), wrong = 0;

    pages = strtoul(argv[1], NULL, 10);
    rq_init(RQ_BY_FETCH);
    rq_create(QUEUE, RQ_POLL);
    if (udm_node() == 0) {
        glaze_map(HEAP, pages * GLAZE_PAGE);
        touch_all();
    }
    udm_barrier();
    if (udm_node() == 0) {
        wrong = receive(rounds);
        printf("refused: %lu items, %lu wrong\n", (unsigned long)rounds, (unsigned long)wrong);
    } else if (udm_node() == 1) {
        send(rounds);
    } else {
        crowd();
    }
    udm_barrier();
    return argc != 3 || wrong;
}
