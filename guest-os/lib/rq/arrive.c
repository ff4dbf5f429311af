/*
 * Items that arrive: from the network interface into their queues.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "rq-state.h"

enum {
    /* words of a message before those of the item: */
    BEFORE_DATA = 2,            /* of RQ_NI: header, handler */
    BEFORE_ITEM = 3,            /* of another queue: header, handler, queue */
};

/* Copies the item of the current message, and disposes of the message. */
static void fetch(const struct queue *queue, struct rq_item *item,
                  uint32_t before)
{
    uint32_t words = udm_length() - before, bytes = udm_body_length();

    item->source = udm_source();
    item->words = words < RQ_WORDS_MAX ? words : RQ_WORDS_MAX;
    for (uint32_t k = 0; k < item->words; k++) {
        item->word[k] = udm_peek(before + k);
    }
    item->bytes = bytes;
    item->body = NULL;
    if (bytes) {
        item->body = malloc(bytes);
        if (!item->body) {
            rq_mistake("RQ", queue->name, "no memory is left for a body");
        }
        udm_storeback(item->body, 0, bytes);
    }
    udm_dispose();
}

/* Puts the item of the current message into a queue. */
static void arrived_put(struct queue *queue, uint32_t before)
{
    struct element *element = list_element(queue);

    if (!element) {
        rq_mistake("RQ", queue->name, "no memory is left for an item");
    }
    fetch(queue, &element->item, before);
    list_put(queue, element);
}

void rq_bad_message(void)
{
    rq_mistake("RQ", 0, "a message came that the library does not send");
}

/* Returns the queue `name` for the current message. Ends the job without it. */
static struct queue *target(uint32_t name)
{
    struct queue *queue = rq_queue_find(name);

    if (!queue) {
        char text[96];

        snprintf(text, sizeof(text), "node %lu has sent an item, but the "
                 "queue does not exist here", (unsigned long)udm_source());
        rq_mistake("RQ", name, text);
    }
    return queue;
}

void rq_run(struct rq_item *item)
{
    void *body = item->body;

    ((rq_handler_t)(uintptr_t)item->word[0])(item);
    if (body) {
        free(body);
    }
}

void rq_arrive_(void)
{
    struct queue *queue;

    if (udm_length() <= BEFORE_ITEM || udm_arg(0) == RQ_NI) {
        rq_bad_message();
    }
    queue = target(udm_arg(0));
    if (queue->kind == RQ_INTERRUPT) {
        struct rq_item item;

        fetch(queue, &item, BEFORE_ITEM);
        queue->put++;
        queue->got++;
        rq_run(&item);
    } else {
        arrived_put(queue, BEFORE_ITEM);
    }
}

void rq_data_(void)
{
    if (udm_length() <= BEFORE_DATA) {
        rq_bad_message();
    }
    arrived_put(target(RQ_NI), BEFORE_DATA);
    rq_aside_++;
}

void rq_sort(const struct queue *queue)
{
    do {
        if (!udm_poll()) {
            return;
        }
    } while (!list_first(queue));
}
