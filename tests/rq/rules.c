/*
 * What rq.h promises, one rule after the other.
 *
 *      rq-rules ni|memory [beside | CASE]
 *
 * Each node sends to the next one and receives from the one before. Each node
 * prints a line for each check. README.md lists the rules. With CASE, only that
 * one runs. With `beside`, those run that do not depend on when messages come.
 * The exit status is 1 if a check failed, else 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "../libos/check.h"
#include "glaze-calls.h"
#include "rq.h"
#include "udm-collective.h"

enum { PLAIN = 1, OTHER, INTERRUPT, SECOND_INTERRUPT, MANY = 100 };

static bool by_ni;
static uint32_t next_node, previous;
static volatile uint32_t handled, wrong;

/* The first word of each item. */
#define HEAD 1234567

/* Polls until an item waits, but not for ever. */
#define AWAIT(queue) \
    for (uint64_t start = udm_cycles(); \
         udm_cycles() - start < 20000000 && !rq_read_queue(queue);) { \
    }

/* Waits until what all nodes have sent by now must have arrived. */
static void settle_all(void)
{
    for (unsigned k = 0; k < 20; k++) {
        settle();
    }
}

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

static void words(void)
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

static void order(void)
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

static void shorter(void)
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

static void reads(void)
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

static void bodies(void)
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
    while (got < sent && rq_dequeue(queue, &head, &a)) {
        wrong += a != got++;
    }
    check("committed: these arrive", got, sent);
    check("committed: in order", wrong, 0);
    check("committed: the one that was refused does not",
          rq_dequeue(queue), false);
    rq_end();
}

static void committed(void)
{
    committed_in(RQ_NI);
    committed_in(OTHER);
}

/* ---- Several queues ------------------------------------------------------ */

static void queues(void)
{
    uint32_t a, sum = 0;

    wrong = 0;
    rq_begin();
    for (uint32_t k = 0; k < MANY; k++) {
        rq_send(next_node, RQ_LAST - k, k);
    }
    for (uint32_t k = MANY; k-- > 0;) {         /* the last one first */
        AWAIT(RQ_LAST - k);
        sum += rq_dequeue(RQ_LAST - k, &a);
        wrong += a != k;
        wrong += rq_waiting(RQ_LAST - k) != 0;
    }
    rq_end();
    check("queues: one does not wait for another", sum, MANY);
    check("queues: each has its own items", wrong, 0);
}

static void counts(void)
{
    uint32_t a;

    rq_begin();
    settle_all();               /* all nodes poll */
    for (uint32_t k = 0; k < 10; k++) {
        rq_send(next_node, PLAIN, k);
    }
    settle_all();
    if (by_ni) {
        check("waiting: nothing, before a poll", rq_waiting(PLAIN), 0);
        rq_read_queue(PLAIN);
        check("waiting: what a poll needs", rq_waiting(PLAIN), 1);
        rq_read_queue(PLAIN);
        check("waiting: one more for each poll", rq_waiting(PLAIN), 2);
    } else {
        check("waiting: what has arrived", rq_waiting(PLAIN), 10);
    }
    for (uint32_t k = 0; k < 10; k++) {
        rq_dequeue(PLAIN, &a);
    }
    check("waiting: nothing in the end", rq_waiting(PLAIN), 0);
    check("waiting: the last item", a, 9);
    rq_end();
}

/* ---- Polling ------------------------------------------------------------- */

static void counting(void)      /* a handler of RQ_NI */
{
    wrong += udm_arg(0) != handled || udm_source() != previous;
    udm_dispose();
    handled++;
}

/* With RQ_BY_NI. */
static void polling(void)
{
    handled = wrong = 0;
    rq_begin();
    settle_all();               /* all nodes poll */
    for (uint32_t k = 0; k < 4; k++) {
        rq_send_am(next_node, counting, k);
    }
    settle_all();
    check("polling: no message interrupts", handled, 0);
    check("polling: a poll takes one", rq_poll_am(), true);
    check("polling: and calls its handler", handled, 1);
    rq_let_in();
    check("polling: rq_let_in() lets all in", handled, 4);
    check("polling: no more", rq_poll_am(), false);
    settle_all();
    rq_send_am(next_node, counting, 4);
    settle_all();
    check("polling: again none interrupts", handled, 4);
    rq_end();
    check("polling: rq_end() lets all in", handled, 5);
    udm_barrier();              /* all have received what they expect */
    rq_send_am(next_node, counting, 5);
    settle_all();
    check("polling: then they interrupt", handled, 6);
    check("polling: all in order", wrong, 0);
}

static volatile uint32_t added, others;

static void add(void)
{
    added += udm_arg(0);
    udm_dispose();
}

static void another(void)
{
    others++;
    udm_dispose();
}

/* With RQ_BY_NI. */
static void inlined(void)
{
    uint32_t sum = 0;

    added = others = 0;
    rq_begin();
    settle_all();               /* all nodes poll */
    check("inlined: nothing waits", RQ_POLL_INLINED(add, sum += udm_arg(0)),
          false);
    rq_send_am(next_node, add, 5);
    rq_send_am(next_node, another);
    rq_send_am(next_node, add, 6);
    settle_all();
    check("inlined: a known message", RQ_POLL_INLINED(add, sum += udm_arg(0)),
          true);
    check("inlined: runs the code", sum, 5);
    check("inlined: not the handler", added, 0);
    check("inlined: an unknown one", RQ_POLL_INLINED(add, sum += udm_arg(0)),
          true);
    check("inlined: interrupts", others, 1);
    check("inlined: with all after it", added, 6);
    check("inlined: and not the code", sum, 5);
    rq_end();
}

/* ---- Active messages of queues in memory --------------------------------- */

static uint32_t noted[8];

static void take_notes(const struct rq_item *item)
{
    uint32_t a;

    wrong += item->source != previous || item->words < 2;
    noted[handled++] = item->word[1];
    if (item->bytes) {
        wrong += item->bytes != 8 || ((uint32_t *)item->body)[1] != 77;
    }
    if (item->word[1] == 2) {   /* a handler may take and send items */
        AWAIT(OTHER);
        check("am: a handler takes the next item", rq_dequeue(OTHER, &a), true);
        check("am: its own is still valid", item->word[1], 2);
        rq_send(next_node, PLAIN, 55);
    }
}

static void active(void)
{
    static uint32_t body[2] = { 0, 77 };
    uint32_t a = 0;

    handled = wrong = 0;
    rq_begin();
    settle_all();               /* all nodes poll */
    check("am: nothing waits", rq_poll_am_of(OTHER), false);
    rq_send_am_to(next_node, OTHER, take_notes, 1);
    rq_send_body(next_node, OTHER, body, 8, (uintptr_t)take_notes, 2);
    rq_send(next_node, OTHER, 99);
    rq_send_am_to(next_node, OTHER, take_notes, 3);
    settle_all();
    check("am: no handler runs before the poll", handled, 0);
    AWAIT(OTHER);
    check("am: a poll takes one", rq_poll_am_of(OTHER), true);
    check("am: and calls its handler", handled == 1 && noted[0] == 1, true);
    AWAIT(OTHER);
    rq_poll_am_of(OTHER);
    AWAIT(OTHER);
    rq_poll_am_of(OTHER);
    check("am: in order", handled == 3 && noted[1] == 2 && noted[2] == 3,
          true);
    AWAIT(PLAIN);
    check("am: what the handler has sent", rq_dequeue(PLAIN, &a) && a == 55,
          true);
    check("am: sources and bodies", wrong, 0);
    rq_end();
}

/* ---- Interrupt queues ---------------------------------------------------- */

static void interrupting(const struct rq_item *item)
{
    wrong += item->source != previous;
    handled += item->word[1];
}

static void interrupts(void)
{
    handled = wrong = 0;
    rq_begin();
    settle_all();               /* all nodes poll */
    rq_send_am_to(next_node, INTERRUPT, interrupting, 1);
    rq_send_am_to(next_node, SECOND_INTERRUPT, interrupting, 10);
    rq_send(next_node, PLAIN, 5);
    settle_all();
    if (by_ni) {
        check("interrupt: not before a poll", handled, 0);
        check("interrupt: a poll of any queue", rq_delete_queue(PLAIN), true);
    } else {
        check("interrupt: at once", handled, 11);
        check("interrupt: a queue that polls", rq_delete_queue(PLAIN), true);
    }
    check("interrupt: calls all handlers", handled, 11);
    check("interrupt: nothing is queued",
          rq_waiting(INTERRUPT) + rq_waiting(SECOND_INTERRUPT) +
          rq_read_queue(INTERRUPT), 0);
    check("interrupt: sources", wrong, 0);
    rq_end();
}

/* ---- Queues do not wait for each other ----------------------------------- */

static void independent(void)
{
    uint32_t head, a = 0;

    handled = wrong = 0;
    rq_begin();
    settle_all();               /* all nodes poll */
    if (by_ni) {
        rq_send_am(next_node, counting, 0);
    }
    rq_send(next_node, RQ_NI, HEAD, 1);
    rq_send(next_node, RQ_NI, HEAD, 2);
    rq_send(next_node, PLAIN, 5);
    AWAIT(PLAIN);
    check("aside: an item after others", rq_dequeue(PLAIN, &a) && a == 5, true);
    check("aside: handlers before it have run", handled, by_ni);
    check("aside: the data before it wait", rq_waiting(RQ_NI), 2);
    settle_all();
    rq_send(next_node, RQ_NI, HEAD, 3);
    settle_all();
    for (uint32_t k = 1; k <= 3; k++) {
        AWAIT(RQ_NI);
        wrong += !rq_dequeue(RQ_NI, &head, &a) || a != k;
    }
    check("aside: in order, with what comes later", wrong, 0);
    rq_end();
}

/* ---- Draining ------------------------------------------------------------ */

/* Returns the messages that the kernel has put into this process's buffer. */
static uint32_t inserted(void)
{
    return glaze_info(GLAZE_I_INSERTED);
}

/* No node polls for a long time, and all send more than the network takes. */
static void forgets(void)
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

/* With RQ_BY_MEMORY: items leave the network although no handler runs. */
static void drains(void)
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

static void memory(void)
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
    }
    /* The node before may be some items ahead: now, or in round 200. */
    check("memory: is used again",
          mallinfo().uordblks < before + 10 * sizeof(body), true);
    rq_end();
}

/* ---- Blocks -------------------------------------------------------------- */

static uint32_t block[5000], copy[5000];

static void blocks(void)
{
    const struct rq_note sent = { PLAIN, { 1, 11 } };
    const struct rq_note arrived = { OTHER, { 2, 22 } };
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
    check("block: by its own words", a == 1 && b == 11, true);
    AWAIT(OTHER);
    check("block: the receiver learns it", rq_dequeue(OTHER, &a, &b), true);
    check("block: by its own words too", a == 2 && b == 22, true);
    for (uint32_t k = 0; k < 5000; k++) {
        wrong += copy[k] != k * 40503 + previous;
    }
    check("block: with all bytes", wrong, 0);
    rq_store(next_node, copy, block, 4, NULL, NULL);
    settle_all();
    check("block: without notes there is none",
          rq_delete_queue(PLAIN) || rq_delete_queue(OTHER), false);
    rq_end();
}

/* ---- All of them --------------------------------------------------------- */

enum { EITHER, NI_ALONE, MEMORY_ALONE };

static const struct {
    const char *name;
    void (*run)(void);
    int where;
    bool exact;                 /* depends on when messages come */
} cases[] = {
    { "words", words, EITHER, false },
    { "order", order, EITHER, false },
    { "short", shorter, EITHER, true },
    { "read", reads, EITHER, false },
    { "bodies", bodies, EITHER, false },
    { "committed", committed, EITHER, false },
    { "queues", queues, EITHER, false },
    { "waiting", counts, EITHER, true },
    { "polling", polling, NI_ALONE, true },
    { "inlined", inlined, NI_ALONE, true },
    { "am", active, EITHER, true },
    { "interrupt", interrupts, EITHER, true },
    { "aside", independent, EITHER, true },
    { "forgets", forgets, EITHER, false },
    { "drains", drains, MEMORY_ALONE, true },
    { "memory", memory, EITHER, true },
    { "block", blocks, EITHER, false },
};

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "rq-rules: ni or memory\n");
        return 2;
    }
    by_ni = !strcmp(argv[1], "ni");
    next_node = (udm_node() + 1) % udm_nodes();
    previous = (udm_node() + udm_nodes() - 1) % udm_nodes();
    rq_init(by_ni ? RQ_BY_NI : RQ_BY_MEMORY);
    rq_create(PLAIN, RQ_POLL);
    rq_create(OTHER, RQ_POLL);
    rq_create(INTERRUPT, RQ_INTERRUPT);
    rq_create(SECOND_INTERRUPT, RQ_INTERRUPT);
    for (uint32_t k = 0; k < MANY; k++) {
        rq_create(RQ_LAST - k, RQ_POLL);
    }
    for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        if (cases[k].where == (by_ni ? MEMORY_ALONE : NI_ALONE) ||
            (argc > 2 && (strcmp(argv[2], "beside") ? strcmp(argv[2],
             cases[k].name) != 0 : cases[k].exact))) {
            continue;
        }
        udm_barrier();
        cases[k].run();
    }
    udm_barrier();
    return check_failures ? 1 : 0;
}
