/*
 * Rules of remote queues: messages leave the network; memory; blocks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <malloc.h>
#include <string.h>

#include "glaze-calls.h"
#include "rules.h"
#include "../../guest-os/lib/rq/rq-state.h"

/* ---- Draining ------------------------------------------------------------ */

/* Returns the messages that the kernel has put into this process's buffer. */
static uint32_t inserted(void)
{
    return glaze_info(GLAZE_I_INSERTED);
}

/* No node polls for a long time, and all send more than the network takes. */
void forgets(void)
{
    uint32_t before, head, a, got = 0;
    unsigned queue = by_ni ? RQ_NI : PLAIN;

    wrong = 0;
    rq_begin();
    settle_all();               /* all nodes poll */
    before = inserted();
    for (uint32_t k = 0; k < 2000; k++) {
        rq_send(next_node, queue, HEAD, k);
    }
    if (by_ni) {
        settle_all();
        check("forgets: the buffer has items", inserted() > before, true);
    } else {
        udm_barrier();
        check("forgets: the queue has items", rq_waiting(queue) > 1000, true);
    }
    while (got < 2000) {
        if (rq_dequeue(queue, &head, &a)) {
            wrong += a != got++;
        }
    }
    check("forgets: loses nothing", wrong, 0);
    check("forgets: no more", rq_dequeue(queue), false);
    rq_end();
}

static void never(const struct rq_item *item)
{
    (void)item;
    handled++;
}

/* Not with RQ_BY_NI: items leave the network although no handler runs. */
void drains(void)
{
    uint32_t before;

    handled = 0;
    for (uint32_t round = 0; round < 2; round++) {
        before = inserted();
        for (uint32_t k = 0; k < 500; k++) {
            rq_send_am_to(next_node, PLAIN, never, k);
        }
        settle_all();
        udm_barrier();
        check("drains: items wait", rq_waiting(PLAIN), 500);
        if (round) {            /* the first round faults memory in */
            check("drains: none in the kernel's buffer", inserted(), before);
        }
        check("drains: no handler runs", handled, 0);
        while (rq_delete_queue(PLAIN)) {
        }
        udm_barrier();          /* before the next round's items come */
    }
}

/* With RQ_BY_FETCH: a queue has so many slots, and refuses what needs more. */
void full(void)
{
    enum { LIMITED = RQ_LAST - MANY, BODY = FUGU_BODY_MAX };
    static uint32_t from[BODY / 4], to[BODY / 4];
    uint32_t sent = 0, got = 0, a = 0, before;
    struct slot after;
    const struct ring *ring;

    wrong = 0;
    rq_create(LIMITED, RQ_POLL);
    ring = (void *)(uintptr_t)rq_queue_find(LIMITED)->ring;
    after = *(const struct slot *)(ring + 1);
    for (const volatile uint8_t *page = (const void *)ring;
         page < (const uint8_t *)&ring->slot[RQ_SLOTS]; page += GLAZE_PAGE) {
        (void)*page;            /* a page that comes later holds a message back */
    }
    udm_barrier();
    before = inserted();
    while (sent < 1000 && rq_enqueue(next_node, LIMITED, sent)) {
        sent++;
    }
    check("full: an item for each slot", sent, RQ_SLOTS);
    check("full: one more is refused", rq_enqueue(next_node, LIMITED, sent),
          false);
    udm_barrier();
    check("full: nothing is written after the slots",
          memcmp(&after, &ring->slot[RQ_SLOTS], sizeof(after)), 0);
    while (rq_dequeue(LIMITED, &a)) {
        wrong += a != got++;
    }
    check("full: those that were not are there", got, RQ_SLOTS);
    check("full: in order", wrong, 0);
    /* Commands of others take so long that a section is revoked now and then, and the
     * replies that come meanwhile are buffered. */
    check("full: items are not in the kernel's buffer",
          inserted() - before < RQ_SLOTS / 8, true);
    udm_barrier();
    for (uint64_t start = udm_cycles(); udm_cycles() - start < 5000000 &&
         !rq_enqueue(next_node, LIMITED, sent);) {
        /* the sender pauses before it looks again */
    }
    udm_barrier();
    check("full: goes on", rq_dequeue(LIMITED, &a) && a == sent, true);
    udm_barrier();

    /* A slot is used up, 127 are left: a body of 4096 bytes takes 65. */
    check("full: a body has room",
          rq_enqueue_body(next_node, LIMITED, from, BODY, 1), true);
    check("full: another has not",
          rq_enqueue_body(next_node, LIMITED, from, BODY, 2), false);
    udm_barrier();
    check("full: the one that had", rq_dequeue_body(LIMITED, to, BODY, &a) &&
          a == 1, true);
    check("full: then there is none", rq_delete_queue(LIMITED), false);
    udm_barrier();
    rq_send_body(next_node, LIMITED, from, BODY, 3);
    udm_barrier();
    check("full: bodies go on", rq_dequeue_body(LIMITED, to, BODY, &a) &&
          a == 3, true);
}

void memory(void)
{
    static uint32_t body[64];
    unsigned before = 0;
    uint32_t a;

    rq_begin();
    for (uint32_t round = 0; round < 1200; round++) {
        if (round == 200) {
            before = mallinfo().uordblks;
        }
        rq_send_body(next_node, PLAIN, body, sizeof(body), round);
        AWAIT(PLAIN);
        rq_dequeue(PLAIN, &a);
        rq_send_body(next_node, PLAIN, body, sizeof(body), (uintptr_t)never);
        AWAIT(PLAIN);
        rq_poll_am_of(PLAIN);
    }
    /* The node before may be some items ahead: now, or in round 200. */
    check("memory: is used again",
          mallinfo().uordblks < before + 10 * sizeof(body), true);
    rq_end();
}

/* ---- Blocks -------------------------------------------------------------- */

static uint32_t block[5000], copy[5000], elsewhere;

void blocks(void)
{
    const struct rq_note sent = { PLAIN, { 1, 100 + udm_node() } };
    const struct rq_note arrived = { OTHER, { 2, 200 + udm_node() } };
    uint32_t a = 0, b = 0;

    wrong = 0;
    for (uint32_t k = 0; k < 5000; k++) {
        block[k] = k * 40503 + udm_node();
    }
    rq_begin();
    rq_store(next_node, copy, block, sizeof(block), &sent, &arrived);
    memset(block, 0, sizeof(block));
    AWAIT(PLAIN);
    check("block: the sender learns it", rq_dequeue(PLAIN, &a, &b), true);
    check("block: by its own words", a == 1 && b == 100 + udm_node(),
          true);
    AWAIT(OTHER);
    check("block: the receiver learns it", rq_dequeue(OTHER, &a, &b), true);
    check("block: by its own words too", a == 2 &&
          b == 200 + previous, true);
    for (uint32_t k = 0; k < 5000; k++) {
        wrong += copy[k] != k * 40503 + previous;
    }
    check("block: with all bytes", wrong, 0);
    /* Elsewhere: the next node may not have looked at its copy yet. */
    rq_store(next_node, &elsewhere, block, 4, NULL, NULL);
    settle_all();
    check("block: without notes there is none",
          rq_delete_queue(PLAIN) || rq_delete_queue(OTHER), false);
    rq_end();
}
