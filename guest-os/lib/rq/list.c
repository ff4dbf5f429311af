/*
 * Lists of items with one producer and one consumer: see rq-state.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "rq-state.h"

/* The compiler moves no store from before this to a place after it. */
#define BARRIER() asm volatile ("" : : : "memory")

bool list_make(struct queue *queue)
{
    struct element *element = malloc(sizeof(*element));

    if (!element) {
        return false;
    }
    element->next = NULL;
    queue->oldest = queue->newest = element;
    queue->taken = element;
    return true;
}

struct element *list_element(struct queue *queue)
{
    struct element *element = queue->oldest;

    if (element == queue->taken) {
        return malloc(sizeof(*element));
    }
    queue->oldest = element->next;
    return element;
}

void list_put(struct queue *queue, struct element *element)
{
    element->next = NULL;
    BARRIER();                  /* the item is whole when it can be seen */
    queue->newest->next = element;
    queue->newest = element;
    queue->put++;
}

struct rq_item *list_first(const struct queue *queue)
{
    struct element *first = queue->taken->next;

    return first ? &first->item : NULL;
}

struct rq_item *list_take(struct queue *queue)
{
    struct element *first = queue->taken->next;

    BARRIER();
    queue->taken = first;
    queue->got++;
    return &first->item;
}
