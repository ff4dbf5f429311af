/*
 * What remote queues cost: ./run.sh paper rq runs it on two nodes.
 *
 *      rq WAY 0 MESSAGES
 *
 * Node 0 sends, node 1 receives, one message at a time. The cycles of each
 * receipt are measured from outside: between two labels of this file, or, for
 * messages that interrupt, from one instruction of the interrupted loop to the
 * next. The program prints nothing but errors. Its exit status is 0, or 2 for
 * wrong arguments.
 *
 *      am              active messages that interrupt
 *      system          the kernel's messages, while the program polls; needs
 *                      the kernel parameter glaze.ping=1
 *      arrival         items that are moved into a queue in memory
 *      interrupt       items of an interrupt queue
 *      general, inlined, ni, sorted, queued, fetched
 *                      polling: for any active message; for one with an inlined
 *                      handler; dequeue from RQ_NI; from a queue in memory into
 *                      which the poll moves the item; from one where it is; from
 *                      one into whose slots the sender has written it
 *      invoked         an atomic section in which a message arrives
 *      library         one by section.h, with soft atomicity
 *      trip-am, trip-ni, trip-memory, trip-fetch
 *                      round trips: by active messages of RQ_NI; by a queue in
 *                      memory, with each back end
 *      trip-commit     by RQ_BY_FETCH, until an item is committed
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "glaze-calls.h"
#include "rq.h"
#include "section.h"
#include "udm-collective.h"
#include "../variants.h"

enum { QUEUE = 1, INTERRUPT };
enum { BEFORE = 64 };           /* items that a queue has had: more than WARM of
                                   tools/fugu and all measured ones together */

/* A label for the launcher, at this place of the instructions. */
#define LABEL(name) asm volatile (".global " #name "\n" #name ":" : : : "memory")
#define NOINLINE __attribute__((noinline, noclone))
/* Of code with labels, so that the compiler makes no second copy of one. */
#define ONE_COPY __attribute__((noinline, noclone, \
                                optimize("no-reorder-blocks")))

static volatile uint32_t word;

/* ---- Sends: each one a function with all that it needs in registers ------- */

NOINLINE void send_am(uint32_t node, udm_handler_t handler)
{
    rq_send_am(node, handler);
}

NOINLINE bool send_ni(uint32_t node, uint32_t value)
{
    return rq_enqueue(node, RQ_NI, value);
}

NOINLINE bool send_queue(uint32_t node, uint32_t value)
{
    return rq_enqueue(node, QUEUE, value);
}

NOINLINE void send_interrupt(uint32_t node, rq_handler_t handler)
{
    rq_send_am_to(node, INTERRUPT, handler);
}

static void null_am(void)
{
    udm_dispose();
}

static void null_item(const struct rq_item *item)
{
    (void)item;
}

/* ---- Polls: cycles between two labels, with the item there ---------------- */

/* A function with labels around a poll. */
#define POLL(name, ...) \
    ONE_COPY static void poll_##name(void) \
    { \
        LABEL(name##_begin); \
        __VA_ARGS__; \
        LABEL(name##_end); \
    }
/* The same for a dequeue. */
#define DEQUEUE(name, queue) \
    ONE_COPY static void poll_##name(void) \
    { \
        uint32_t value; \
        \
        LABEL(name##_begin); \
        rq_dequeue(queue, &value); \
        LABEL(name##_end); \
        word = value; \
    }

POLL(general, rq_poll_am())
DEQUEUE(ni, RQ_NI)
DEQUEUE(sorted, QUEUE)
DEQUEUE(queued, QUEUE)
DEQUEUE(fetched, QUEUE)

ONE_COPY static void poll_inlined(void)
{
    udm_handler_t known = null_am;

    asm volatile ("" : "+r" (known));   /* in a register, as in a loop */
    LABEL(inlined_begin);
    RQ_POLL_INLINED(known, );
    LABEL(inlined_end);
}

ONE_COPY static void close_section(void)
{
    LABEL(invoked_begin);
    udm_endatom();
    asm volatile ("nop");       /* the instruction that is interrupted */
    LABEL(invoked_end);
}

ONE_COPY static void close_library(void)
{
    LABEL(library_begin);
    quick_section_close();
    asm volatile ("nop");
    LABEL(library_end);
}

/* ---- The ways ------------------------------------------------------------- */

static void to_ni(void)
{
    send_ni(RECEIVER, 1);
}

static void to_queue(void)
{
    send_queue(RECEIVER, 1);
}

static void to_interrupt(void)
{
    send_interrupt(RECEIVER, null_item);
}

static void am(void)
{
    send_am(RECEIVER, null_am);
}

static void ping(void)
{
    if (glaze_call(GLAZE_PING, RECEIVER, 0, 0)) {
        fprintf(stderr, "rq: the kernel sends nothing\n");
    }
}

static const struct way {
    const char *name;
    enum rq_back_end back_end;
    void (*send)(void);
    void (*poll)(void);         /* NULL: the messages interrupt */
    enum { NONE, USUAL, BY_STORE } section;     /* in which messages come */
} ways[] = {
    { "am", RQ_BY_NI, am, NULL, NONE },
    { "system", RQ_BY_NI, ping, NULL, USUAL },
    { "arrival", RQ_BY_MEMORY, to_queue, NULL, NONE },
    { "interrupt", RQ_BY_MEMORY, to_interrupt, NULL, NONE },
    { "general", RQ_BY_NI, am, poll_general, USUAL },
    { "inlined", RQ_BY_NI, am, poll_inlined, USUAL },
    { "ni", RQ_BY_NI, to_ni, poll_ni, USUAL },
    { "sorted", RQ_BY_NI, to_queue, poll_sorted, USUAL },
    { "queued", RQ_BY_MEMORY, to_queue, poll_queued, NONE },
    { "fetched", RQ_BY_FETCH, to_queue, poll_fetched, NONE },
    { "invoked", RQ_BY_NI, am, close_section, USUAL },
    { "library", RQ_BY_NI, am, close_library, BY_STORE },
};

/* Fills the queue and empties it, so that its memory exists and is cached. */
static void warm_up(void)
{
    udm_barrier();
    if (udm_node() == SENDER) {
        for (unsigned k = 0; k < BEFORE; k++) {
            rq_send(RECEIVER, QUEUE, k);
        }
    } else if (udm_node() == RECEIVER) {
        while (rq_waiting(QUEUE) < BEFORE) {
        }
        while (rq_delete_queue(QUEUE)) {
        }
    }
    udm_barrier();
}

ONE_COPY static void receive(const struct way *way, unsigned count)
{
    if (!way->poll) {
        if (way->section) {
            udm_beginatom();
        }
        watch_messages(count, false);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        if (way->section == USUAL) {
            udm_beginatom();
        }
        say_ready();
        if (way->section == BY_STORE) {
            quick_section_open();
        }
        LABEL(message_awaited);
        /* At first, the sender's code is not in its cache. */
        let_pass(way->back_end == RQ_BY_FETCH || i < 2 ? HANDLING : ARRIVAL);
        way->poll();
        udm_endatom();
    }
}

static void send(const struct way *way, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (way->poll || i == 0) {
            wait_ready(i);
        }
        if (!way->poll) {
            let_pass(HANDLING);
        }
        way->send();
    }
}

/* ---- Round trips ---------------------------------------------------------- */

static volatile uint32_t answers;

static void answer(void)
{
    udm_dispose();
    answers++;
}

static void question(void)
{
    uint32_t source = udm_source();

    udm_dispose();
    rq_send_am(source, answer);
}

static void trips(const char *name, unsigned count)
{
    bool by_am = !strcmp(name, "trip-am");
    bool there_alone = !strcmp(name, "trip-commit");

    rq_begin();
    for (unsigned i = 0; i < count; i++) {
        uint32_t value, start = udm_cycles32();

        if (udm_node() == SENDER) {
            if (by_am) {
                rq_send_am(RECEIVER, question);
                while (answers == i) {
                    rq_poll_am();
                }
            } else {
                rq_send(RECEIVER, QUEUE, i);
                while (!there_alone && !rq_dequeue(QUEUE, &value)) {
                }
            }
            gaps[i] = udm_cycles32() - start;
        } else if (by_am) {
            while (!rq_poll_am()) {
            }
        } else {
            while (!rq_dequeue(QUEUE, &value)) {
            }
            if (!there_alone) {
                rq_send(SENDER, QUEUE, value);
            }
        }
    }
    rq_end();
}

static enum rq_back_end of_trip(const char *name)
{
    return !strcmp(name, "trip-memory") ? RQ_BY_MEMORY :
           !strcmp(name, "trip-fetch") || !strcmp(name, "trip-commit")
           ? RQ_BY_FETCH : RQ_BY_NI;
}

int main(int argc, char **argv)
{
    unsigned count = argc == 4 ? messages_of(argv[3]) : 0;
    const struct way *way = NULL;
    bool trip = argc == 4 && !strncmp(argv[1], "trip-", 5);

    for (unsigned k = 0; argc == 4 && k < sizeof(ways) / sizeof(ways[0]); k++) {
        if (!strcmp(argv[1], ways[k].name)) {
            way = &ways[k];
        }
    }
    if (!count || (!way && !trip)) {
        fprintf(stderr, "rq: see docs/remote-queues.md for its arguments\n");
        return 2;
    }
    rq_init(trip ? of_trip(argv[1]) : way->back_end);
    rq_create(QUEUE, RQ_POLL);
    rq_create(INTERRUPT, RQ_INTERRUPT);
    warm_up();
    if (udm_node() > RECEIVER) {
        return 0;
    }
    if (trip) {
        trips(argv[1], count);
    } else if (udm_node() == RECEIVER) {
        receive(way, count);
    } else {
        send(way, count);
    }
    return 0;
}
