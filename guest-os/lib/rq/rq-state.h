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

#include <assert.h>
#include <stddef.h>

#include "rq.h"

struct element {
    struct element *volatile next;
    struct rq_item item;
};

struct queue {
    uint32_t ring;              /* RQ_BY_FETCH: address of the struct ring, which
                                   other nodes read. 0: no ring */
    struct queue *next_with_ring;
    uint32_t missed_since;      /* RQ_BY_FETCH: since this cycle a slot has been
                                   reserved and empty, */
    uint32_t patience;          /* and for so many it may be. 0: none is */
    uint32_t to_ask;            /* nodes 0 to to_ask - 1 are still to be asked */
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

enum { SHELF = 256 };           /* names on a shelf */

/*
 * The table of queues, by name: shelves, which are made when they are needed,
 * and never move. Other nodes read it (RQ_BY_FETCH): each node of a job has the
 * same program, and so the same address of rq_shelves.
 */
struct shelf {
    struct queue *volatile queue[SHELF];
};

extern struct shelf *volatile rq_shelves[(RQ_LAST + 1) / SHELF];

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

/* Ends the job: the library does not send such a message. */
void rq_bad_message(void) __attribute__((noreturn));

/* Calls the handler of an active message, and frees its body. */
void rq_run(struct rq_item *item);

/* ---- section.c ---------------------------------------------------------- */

/*
 * rq_close() opens an atomic section and returns true, or returns false if the
 * caller is in one. rq_open() ends the section that rq_close() has opened.
 */
bool rq_close(void);
void rq_open(bool closed);

/* ---- ring.c: the receiver's side of RQ_BY_FETCH -------------------------- */

/*
 * A queue that senders fill. A sender adds to `counter` as many slots as it
 * needs. If the old value and the sum are within the ring, these slots are its
 * own; otherwise it tries again later. It writes the item, and at last the word
 * `present`. The receiver takes items in the order of the slots, and clears
 * `present`. When it has taken the last slot, it sets `counter` to 0.
 */
struct slot {
    uint32_t unused;
    uint32_t word[RQ_WORDS_MAX];        /* the item's are the last ones, so that
                                           one WRITE ends with `present` */
    uint32_t bytes;             /* of the body, which fills the next slots */
    volatile uint32_t present;  /* 0, or as present_word() */
};

struct ring {
    volatile uint32_t counter;
    uint32_t tail;              /* the receiver's: the next slot to take */
    struct slot slot[RQ_SLOTS];
};

/* Returns how many slots an item with a body of `bytes` bytes takes. */
static inline uint32_t slots_for(uint32_t bytes)
{
    return 1 + (bytes + RQ_SLOT_BYTES - 1) / RQ_SLOT_BYTES;
}

/* The word `present` of an item. One without words only fills its slots. */
static inline uint32_t present_word(uint32_t source, uint32_t slots,
                                    uint32_t words)
{
    return source << 16 | slots << 8 | words << 4 | 1;
}

static_assert(sizeof(struct slot) == RQ_SLOT_BYTES, "bodies fill whole slots");
static_assert(RQ_SLOTS < 256, "present_word() has 8 bits for slots");

/* Gives a queue its ring. Returns false if there is no memory. */
bool ring_make(struct queue *queue);

/* Moves the items that are in a queue's ring, if it has one, to its list. */
void ring_collect(struct queue *queue);

/* The same for all queues of this node. */
void ring_collect_all(void);

/* ---- fetch.c: the sender's side ------------------------------------------ */

/* Copies bytes to memory of another node, and waits until they are there. */
void fetch_write(uint32_t node, uint32_t to, const void *from, uint32_t bytes);

/*
 * Returns whether a command with this status is done. False: it was refused, and has
 * to be sent again. Ends the job for any other status.
 */
bool fetch_is_done(uint32_t node, uint32_t status);

/* ---- pending.c: items that may still be refused --------------------------- */

/* Comes first. Returns false if there is no memory. */
bool pending_make(void);

/*
 * Returns where to put together an item for a node; its last word is `present`. Waits
 * until what was there before has been written.
 */
struct slot *pending_item(uint32_t node);

/*
 * Writes this item, with its last `words` words, into the slot at an address there.
 * Does not wait for the receiver, and keeps the item.
 */
void pending_write(uint32_t node, uint32_t to, unsigned words);

/*
 * A command to a node is done that was sent after the item there. If the item was
 * refused, writes it again, and waits until it is there.
 */
void pending_done(uint32_t node);

/* Waits until the item for a node is there. */
void pending_ask(uint32_t node);

/* Waits until all items are there. */
void pending_settle(void);

/* Sends items again that were refused, without a wait. */
void pending_again(void);

/* The handler of a message from a receiver that misses an item. */
void rq_again_(void);

/* ---- mistake.c ---------------------------------------------------------- */

/* Ends the job. The line names the call and, if it is not 0, the queue. */
void rq_mistake(const char *call, uint32_t queue, const char *what)
    __attribute__((noreturn));

#endif
