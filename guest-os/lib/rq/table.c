/*
 * The table of queues, by their names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "rq-state.h"

enum { STEP = 16 };             /* the table grows by this many queues */

enum rq_back_end rq_back_end;
static bool started;

/*
 * Handlers read the table, and only rq_create() changes it. A table that grows
 * is a new one: handlers see the old one or the new one.
 */
struct table {
    uint32_t count;
    struct queue *queue[];
};

static struct table *volatile table;

/* Makes room for a name. Returns false if there is no memory. */
static bool grow(uint32_t name)
{
    struct table *old = table, *bigger;
    uint32_t count = (name / STEP + 1) * STEP;

    if (old && name < old->count) {
        return true;
    }
    bigger = calloc(1, sizeof(*bigger) + count * sizeof(bigger->queue[0]));
    if (!bigger) {
        return false;
    }
    bigger->count = count;
    if (old) {
        memcpy(bigger->queue, old->queue, old->count * sizeof(old->queue[0]));
    }
    table = bigger;
    free(old);
    return true;
}

/* Makes a queue. `call` is what the program calls. */
static void make(const char *call, uint32_t name, enum rq_kind kind)
{
    struct queue *queue = calloc(1, sizeof(*queue));

    if (!queue || !list_make(queue) || !grow(name)) {
        rq_mistake(call, name, "no memory is left for the queue");
    }
    queue->kind = kind;
    queue->name = name;
    table->queue[name] = queue;
}

void rq_init(enum rq_back_end back_end)
{
    if (started) {
        rq_mistake("rq_init()", 0, "called twice: call it once, first");
    }
    if (back_end > RQ_BY_MEMORY) {
        rq_mistake("rq_init()", 0, "there is no such back end: use RQ_BY_NI "
                   "or RQ_BY_MEMORY");
    }
    rq_back_end = back_end;
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
    const struct table *now = table;

    return now && name < now->count ? now->queue[name] : NULL;
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
    const struct queue *queue = rq_queue_of("rq_waiting()", name);

    return queue->put - queue->got;
}
