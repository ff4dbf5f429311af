/*
 * The table of queues, by their names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "mbcf.h"
#include "rq-state.h"

enum rq_back_end rq_back_end;
bool rq_fetch_;
struct shelf *volatile rq_shelves[(RQ_LAST + 1) / SHELF];
static bool started;

/* Returns where the table has a queue, or NULL if there is no memory. */
static struct queue *volatile *place(uint32_t name)
{
    struct shelf *shelf = rq_shelves[name / SHELF];

    if (!shelf) {
        shelf = calloc(1, sizeof(*shelf));
        if (!shelf) {
            return NULL;
        }
        rq_shelves[name / SHELF] = shelf;
    }
    return &shelf->queue[name % SHELF];
}

/* Makes a queue. `call` is what the program calls. */
static void make(const char *call, uint32_t name, enum rq_kind kind)
{
    struct queue *queue = calloc(1, sizeof(*queue));
    struct queue *volatile *to = place(name);

    if (!queue || !to || !list_make(queue) ||
        (rq_fetch_ && name != RQ_NI && kind == RQ_POLL && !ring_make(queue))) {
        rq_mistake(call, name, "no memory is left for the queue");
    }
    queue->kind = kind;
    queue->name = name;
    *to = queue;                /* other nodes may send to it from here on */
}

void rq_init(enum rq_back_end back_end)
{
    if (started) {
        rq_mistake("rq_init()", 0, "called twice: call it once, first");
    }
    if (back_end > RQ_BY_FETCH) {
        rq_mistake("rq_init()", 0, "there is no such back end: use RQ_BY_NI, "
                   "RQ_BY_MEMORY or RQ_BY_FETCH");
    }
    rq_back_end = back_end;
    rq_fetch_ = back_end == RQ_BY_FETCH;
    if (rq_fetch_) {
        mbcf_open();
        if (!pending_make()) {
            rq_mistake("rq_init()", 0, "no memory is left for the queue");
        }
        atexit(pending_settle);
    }
    make("rq_init()", RQ_NI, RQ_POLL);
    started = true;
}

void rq_create(uint32_t name, enum rq_kind kind)
{
    if (!started) {
        rq_mistake("rq_create()", name, "called before rq_init()");
    }
    if (name == RQ_NI || name > RQ_LAST) {
        rq_mistake("rq_create()", name, "a name is a number from 1 to 65535");
    }
    if (kind > RQ_INTERRUPT) {
        rq_mistake("rq_create()", name, "there is no such kind of queue: use "
                   "RQ_POLL or RQ_INTERRUPT");
    }
    if (rq_queue_find(name)) {
        rq_mistake("rq_create()", name, "the queue exists already");
    }
    make("rq_create()", name, kind);
}

struct queue *rq_queue_find(uint32_t name)
{
    struct shelf *shelf = name > RQ_LAST ? NULL : rq_shelves[name / SHELF];

    return shelf ? shelf->queue[name % SHELF] : NULL;
}

struct queue *rq_queue_of(const char *call, uint32_t name)
{
    struct queue *queue = rq_queue_find(name);

    if (!queue) {
        rq_mistake(call, name, started ? "the queue does not exist: make it "
                   "with rq_create()" : "called before rq_init()");
    }
    return queue;
}

uint32_t rq_waiting(uint32_t name)
{
    struct queue *queue = rq_queue_of("rq_waiting()", name);

    ring_collect(queue);
    return queue->put - queue->got;
}
