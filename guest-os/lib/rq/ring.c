/*
 * RQ_BY_FETCH, the receiver: takes items out of slots that senders have filled.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "rq-state.h"

/* The compiler moves no load or store from one side of this to the other. */
#define BARRIER() asm volatile ("" : : : "memory")

static struct queue *rings;     /* all queues that have one */

bool ring_make(struct queue *queue)
{
    struct ring *ring = calloc(1, sizeof(*ring));

    queue->ring = (uintptr_t)ring;
    queue->next_with_ring = rings;
    rings = ring ? queue : rings;
    return ring;
}

/* Returns whether `present` and the number of bytes fit together. */
static bool makes_sense(uint32_t present, uint32_t bytes, uint32_t left)
{
    uint32_t slots = present >> 8 & 0xff, words = present >> 4 & 15;

    return slots >= 1 && slots <= left && words <= RQ_WORDS_MAX &&
           (!words || (!(bytes & 3) && bytes <= FUGU_BODY_MAX &&
                       slots == slots_for(bytes)));
}

/* Copies the item that begins at a slot. */
static void copy(const struct queue *queue, const struct slot *slot,
                 struct rq_item *item)
{
    uint32_t present = slot->present, words = present >> 4 & 15;

    item->source = present >> 16;
    item->words = words;
    memcpy(item->word, slot->word + RQ_WORDS_MAX - words,
           words * sizeof(uint32_t));
    item->bytes = slot->bytes;
    item->body = NULL;
    if (item->bytes) {
        item->body = malloc(item->bytes);
        if (!item->body) {
            rq_mistake("RQ", queue->name, "no memory is left for a body");
        }
        memcpy(item->body, slot + 1, item->bytes);
    }
}

/* Gives slots back; after the last one, all of them can be reserved again. */
static void release(struct ring *ring, uint32_t slots)
{
    while (slots--) {
        ring->slot[ring->tail++].present = 0;
    }
    if (ring->tail == RQ_SLOTS) {
        ring->tail = 0;
        BARRIER();
        ring->counter = 0;
    }
}

/*
 * A slot that has been reserved stays empty: its sender has not had the processor,
 * or its WRITE was refused, and it has not looked. From PATIENCE cycles on, the
 * receiver asks all nodes to send again what was refused, twice as late each time.
 */
enum { PATIENCE = 50000, PATIENCE_MOST = 64 * PATIENCE };

/* Notes that a slot is empty, or that the queue has been patient for long enough. */
static void miss(struct queue *queue)
{
    queue->missed_since = udm_cycles32();
    if (!queue->patience) {
        queue->patience = PATIENCE;
        return;
    }
    if (queue->patience < PATIENCE_MOST) {
        queue->patience *= 2;
    }
    pending_again();                    /* this node may send to itself */
    queue->to_ask = udm_nodes();
}

/* Asks nodes until the network has no room for now. */
static void ask(struct queue *queue)
{
    while (queue->to_ask && (queue->to_ask - 1 == udm_node() ||
                             udm_injectc(queue->to_ask - 1, rq_again_))) {
        queue->to_ask--;
    }
}

/* Moves the next item to the list. Returns false if there is none. */
static bool move(struct queue *queue)
{
    struct ring *ring = (struct ring *)(uintptr_t)queue->ring;
    const struct slot *slot = &ring->slot[ring->tail];
    uint32_t present = slot->present;
    struct element *element;

    if (!present) {
        if (ring->counter > ring->tail &&
            udm_cycles32() - queue->missed_since >= queue->patience) {
            miss(queue);
        }
        ask(queue);
        return false;
    }
    queue->patience = queue->to_ask = 0;
    BARRIER();
    if (!makes_sense(present, slot->bytes, RQ_SLOTS - ring->tail)) {
        rq_mistake("RQ", queue->name, "the program has overwritten the queue");
    }
    if (present >> 4 & 15) {
        element = list_element(queue);
        if (!element) {
            rq_mistake("RQ", queue->name, "no memory is left for an item");
        }
        copy(queue, slot, &element->item);
        list_put(queue, element);
    }
    release(ring, present >> 8 & 0xff);
    return true;
}

void ring_collect(struct queue *queue)
{
    bool more = queue->ring;

    while (more) {
        bool closed = rq_close();       /* a handler may look at it too */

        more = move(queue);
        if (!more && !closed) {
            pending_again();    /* no message of a receiver comes in a section */
        }
        rq_open(closed);
    }
}

void ring_collect_all(void)
{
    for (struct queue *queue = rings; queue; queue = queue->next_with_ring) {
        ring_collect(queue);
    }
}
