/*
 * Rules of remote queues: items, their words, order and bodies.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rules.h"

/* ---- Words -------------------------------------------------------------- */

#define SEND_SOME(queue) \
    do { \
        rq_send(next_node, queue, HEAD); \
        rq_send(next_node, queue, HEAD, 1); \
        rq_send(next_node, queue, HEAD, 1, 2); \
        rq_send(next_node, queue, HEAD, 1, 2, 3); \
        rq_send(next_node, queue, HEAD, 1, 2, 3, 4); \
        rq_send(next_node, queue, HEAD, 1, 2, 3, 4, 5); \
        rq_send(next_node, queue, HEAD, 1, 2, 3, 4, 5, 6); \
        rq_send(next_node, queue, HEAD, 1, 2, 3, 4, 5, 6, 7); \
        rq_send(next_node, queue, HEAD, 1, 2, 3, 4, 5, 6, 7, 8); \
        rq_send(next_node, queue, HEAD, 1, 2, 3, 4, 5, 6, 7, 8, 9); \
        rq_send(next_node, queue, HEAD, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10); \
        rq_send(next_node, queue, HEAD, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11); \
        rq_send(next_node, queue, HEAD, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, \
                12); \
    } while (0)

/* Reads w[0] to w[12], as many as the item must have, and checks them. */
#define READ_SOME(queue, count, ...) \
    do { \
        memset(w, 0, sizeof(w)); \
        AWAIT(queue); \
        got += rq_dequeue(queue, __VA_ARGS__); \
        for (uint32_t k = 0; k < (count); k++) { \
            wrong += w[k] != (k ? k : HEAD); \
        } \
    } while (0)

static void words_of(unsigned queue)
{
    uint32_t w[RQ_WORDS_MAX], got = 0;

    wrong = 0;
    rq_begin();
    SEND_SOME(queue);
    READ_SOME(queue, 1, w);
    READ_SOME(queue, 2, w, w + 1);
    READ_SOME(queue, 3, w, w + 1, w + 2);
    READ_SOME(queue, 4, w, w + 1, w + 2, w + 3);
    READ_SOME(queue, 5, w, w + 1, w + 2, w + 3, w + 4);
    READ_SOME(queue, 6, w, w + 1, w + 2, w + 3, w + 4, w + 5);
    READ_SOME(queue, 7, w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6);
    READ_SOME(queue, 8, w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7);
    READ_SOME(queue, 9, w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7,
              w + 8);
    READ_SOME(queue, 10, w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7,
              w + 8, w + 9);
    READ_SOME(queue, 11, w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7,
              w + 8, w + 9, w + 10);
    READ_SOME(queue, 12, w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7,
              w + 8, w + 9, w + 10, w + 11);
    READ_SOME(queue, 13, w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7,
              w + 8, w + 9, w + 10, w + 11, w + 12);
    rq_end();
    check("words: items of 1 to 13 words", got, 13);
    check("words: are whole", wrong, 0);
}

void words(void)
{
    words_of(RQ_NI);
    udm_barrier();
    words_of(OTHER);
}

static void order_of(unsigned queue)
{
    uint32_t head, number, source = udm_node(), got = 0;

    wrong = 0;
    rq_begin();
    for (uint32_t k = 0; k < 200; k++) {
        while (!rq_enqueue(next_node, queue, HEAD, k, source)) {
            /* makes space here, so that the node before can go on */
            if (rq_dequeue(queue, &head, &number)) {
                wrong += number != got++;
            }
        }
    }
    while (got < 200) {
        if (rq_dequeue(queue, &head, &number)) {
            wrong += number != got++;
        }
    }
    check("order: no more items", rq_dequeue(queue), false);
    rq_end();
    check("order: items of one node stay in order", wrong, 0);
}

void order(void)
{
    order_of(RQ_NI);
    udm_barrier();
    order_of(OTHER);
}

/* ---- An item that is shorter than asked for, or missing ------------------ */

static void shorter_than(unsigned queue)
{
    uint32_t a = 9, b = 9, c = 9, body[4] = { 0 };

    rq_begin();
    check("short: nothing to dequeue", rq_dequeue(queue, &a), false);
    check("short: nothing to read", rq_read_queue(queue, &a), false);
    check("short: nothing to delete", rq_delete_queue(queue), false);
    check("short: no body", rq_dequeue_body(queue, body, 4), false);
    rq_send(next_node, queue, HEAD, 7);
    rq_send_body(next_node, queue, body, 8, HEAD, 8);
    AWAIT(queue);
    check("short: two words are not three", rq_dequeue(queue, &a, &b, &c),
          false);
    check("short: nor to read", rq_read_queue(queue, &a, &b, &c), false);
    check("short: there is no body", rq_dequeue_body(queue, body, 4, &a, &b),
          false);
    check("short: nothing was stored", a == 9 && b == 9 && c == 9, true);
    check("short: two are there", rq_dequeue(queue, &a, &b), true);
    check("short: and are right", b, 7);
    AWAIT(queue);
    check("short: 8 bytes are not 12", rq_dequeue_body(queue, body, 12, &a),
          false);
    check("short: 4 of 8 bytes", rq_dequeue_body(queue, body, 4, &a, &b),
          true);
    check("short: of the next item", b, 8);
    check("short: then there is none", rq_delete_queue(queue), false);
    rq_end();
}

void shorter(void)
{
    shorter_than(RQ_NI);
    udm_barrier();
    shorter_than(OTHER);
}

/* ---- Reading and deleting ------------------------------------------------ */

static void read_of(unsigned queue)
{
    uint32_t head, a = 0;

    rq_begin();
    rq_send(next_node, queue, HEAD, 1, 2, 3);
    rq_send(next_node, queue, HEAD, 4);
    AWAIT(queue);
    check("read: the first item", rq_read_queue(queue, &head, &a), true);
    check("read: its word", a, 1);
    check("read: leaves it", rq_read_queue(queue, &head, &a) && a == 1, true);
    check("delete: removes it", rq_delete_queue(queue), true);
    AWAIT(queue);
    check("delete: with all its words",
          rq_read_queue(queue, &head, &a) && a == 4, true);
    check("delete: again", rq_delete_queue(queue), true);
    check("delete: then there is none", rq_delete_queue(queue), false);
    rq_end();
}

void reads(void)
{
    read_of(RQ_NI);
    udm_barrier();
    read_of(OTHER);
}

/* ---- Bodies -------------------------------------------------------------- */

static void bodies_of(unsigned queue)
{
    static uint32_t from[FUGU_BODY_MAX / 4], to[FUGU_BODY_MAX / 4];
    uint32_t head, a, got = 0;

    wrong = 0;
    for (uint32_t k = 0; k < FUGU_BODY_MAX / 4; k++) {
        from[k] = k * 2654435761u + udm_node();
    }
    rq_begin();
    for (uint32_t words = 1; words <= FUGU_BODY_MAX / 4; words *= 2) {
        from[0] = udm_node() + words;
        rq_send_body(next_node, queue, from, 4 * words, HEAD, words);
        from[0]++;              /* the item has what was there before */
        AWAIT(queue);
        wrong += !rq_read_queue_body(queue, to, 4, &head, &a);
        wrong += a != words || to[0] != previous + words;
        memset(to, 0, sizeof(to));
        got += rq_dequeue_body(queue, to, 4 * words, &head, &a);
        wrong += to[0] != previous + words;
        for (uint32_t k = 1; k < words; k++) {
            wrong += to[k] != k * 2654435761u + previous;
        }
        wrong += words < FUGU_BODY_MAX / 4 && to[words] != 0;
    }
    rq_end();
    check("bodies: 4 to 4096 bytes", got, 11);
    check("bodies: are whole", wrong, 0);
}

void bodies(void)
{
    bodies_of(RQ_NI);
    udm_barrier();
    bodies_of(OTHER);
}

/* ---- Committed ----------------------------------------------------------- */

/* Each node sends to itself without receiving, until the network is full. */
static void committed_in(unsigned queue)
{
    uint32_t sent = 0, got = 0, head, a;

    wrong = 0;
    rq_begin();
    if (!by_ni) {
        udm_beginatom();        /* or each item would be queued at once */
    }
    while (sent < 300 && rq_enqueue(udm_node(), queue, HEAD, sent)) {
        sent++;
    }
    if (!by_ni) {
        udm_endatom();
    }
    check("committed: some are", sent > 5, true);
    while (got < sent) {
        AWAIT(queue);           /* the last ones may be under way */
        if (!rq_dequeue(queue, &head, &a)) {
            break;
        }
        wrong += a != got++;
    }
    check("committed: these arrive", got, sent);
    check("committed: in order", wrong, 0);
    check("committed: the one that was refused does not",
          rq_dequeue(queue), false);
    rq_end();
}

void committed(void)
{
    committed_in(RQ_NI);
    committed_in(OTHER);
}
