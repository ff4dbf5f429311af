/*
 * What the files of the library share. README.md lists them.
 *
 * A queue in memory is a list with one producer and one consumer. Neither waits
 * for the other, so no atomic section is needed: a handler may put an item in
 * between any two instructions of the thread that takes one out. The list's
 * idea is that of D. Vyukov's unbounded queue for one producer and one consumer
 * (1024cores.net): the consumer leaves the element that it took last in the
 * list, and the producer uses elements before that one again.
 *
 *      oldest -> ... -> taken -> first item -> ... -> newest
 *      (free elements)           (items that wait)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef RQ_STATE_H
#define RQ_STATE_H

#include <stddef.h>

#include "rq.h"

struct element {
    struct element *volatile next;
    struct rq_item item;
};

struct queue {
    enum rq_kind kind;
    uint32_t name;
    /* The producer's: */
    struct element *oldest;     /* the first that can be used again, if it is
                                   not `taken` */
    struct element *newest;
    volatile uint32_t put;      /* items so far */
    /* The consumer's: */
    struct element *volatile taken;
    volatile uint32_t got;      /* items so far */
};

/* ---- list.c ------------------------------------------------------------- */

/* Makes an empty list. Returns false if there is no memory. */
bool list_make(struct queue *queue);

/* Returns an element that is not in use, or NULL if there is no memory. */
struct element *list_element(struct queue *queue);

/* Puts an element that list_element() has returned at the end. */
void list_put(struct queue *queue, struct element *element);

/* Returns the first item, or NULL. It stays in the list. */
struct rq_item *list_first(const struct queue *queue);

/*
 * Removes the first item, which must exist. The item is valid until the next
 * call; its body is the caller's.
 */
struct rq_item *list_take(struct queue *queue);

/* ---- table.c ------------------------------------------------------------ */

extern enum rq_back_end rq_back_end;

/* Returns the queue of that name. Ends the job if there is none. */
struct queue *rq_queue_of(const char *call, uint32_t name);

/* Returns the queue of that name, or NULL. */
struct queue *rq_queue_find(uint32_t name);

/* ---- arrive.c ----------------------------------------------------------- */

/*
 * Calls the handlers of messages that wait in the network interface until
 * `queue` has an item, but of one message at least. Most of these handlers put
 * an item into a queue. The caller must be in an atomic section.
 */
void rq_sort(const struct queue *queue);

/* Calls the handler of an active message, and frees its body. */
void rq_run(struct rq_item *item);

/* ---- mistake.c ---------------------------------------------------------- */

/* Ends the job. The line names the call and, if it is not 0, the queue. */
void rq_mistake(const char *call, uint32_t queue, const char *what)
    __attribute__((noreturn));

#endif
