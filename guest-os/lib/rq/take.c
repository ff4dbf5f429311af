/*
 * Taking items out of queues in memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "rq-state.h"

volatile uint32_t rq_aside_;

/* Returns the first item of a queue after looking at the network, or NULL. */
static struct rq_item *poll(struct queue *queue)
{
    if (queue->ring) {
        ring_collect(queue);
    } else if (udm_atomic()) {
        rq_sort(queue);
    }
    return list_first(queue);
}

/* Removes the first item of a queue, and frees its body. */
static void remove_first(struct queue *queue)
{
    void *body = list_take(queue)->body;

    if (body) {
        free(body);
    }
    if (queue->name == RQ_NI) {
        bool closed = rq_close();       /* rq_data_() counts too */

        rq_aside_--;
        rq_open(closed);
    }
}

bool rq_take_(uint32_t name, enum rq_take take, unsigned count,
              uint32_t *const *words, void *address, uint32_t bytes)
{
    struct queue *queue = rq_queue_of(take == RQ_TAKE ? "rq_dequeue()" :
                                      "rq_read_queue()", name);
    struct rq_item *item = poll(queue);

    if (!item || item->words < count || item->bytes < bytes) {
        return false;
    }
    for (unsigned k = 0; k < count; k++) {
        *words[k] = item->word[k];
    }
    if (bytes) {
        memcpy(address, item->body, bytes);
    }
    if (take == RQ_TAKE) {
        remove_first(queue);
    }
    return true;
}

bool rq_poll_am_of(uint32_t name)
{
    struct queue *queue = rq_queue_of("rq_poll_am_of()", name);

    if (name == RQ_NI) {
        rq_mistake("rq_poll_am_of()", 0, "the queue is RQ_NI: use "
                   "rq_poll_am()");
    }
    if (!poll(queue)) {
        return false;
    }
    rq_run(list_take(queue));
    return true;
}
