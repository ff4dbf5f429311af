/*
 * RQ_BY_FETCH, the sender: items whose WRITE may still be refused.
 *
 * The receiver's kernel replies to an item's WRITE only if it refuses it: too
 * many commands wait for pages there. So the sender keeps the item until it
 * knows better. A later command to the same node that is done says so: its
 * reply comes after the status of every WRITE before it that was refused. What
 * was refused is written again then.
 *
 * A sender that has sent its last item may look no more. The receiver misses
 * the item, as its slot stays empty, and asks all nodes (ring.c). They also look
 * before they end.
 *
 * Everything here runs in an atomic section or a handler: no item may be written
 * again by both.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <stdlib.h>

#include "mbcf.h"
#include "rq-state.h"

/*
 * Items that can be pending: a node's is always in the same place. With more nodes, a
 * sender may have to ask a node before it can send to another one.
 */
enum { ITEMS = 32 };

static struct pending {
    bool used;
    uint32_t node, to, bytes;
    const uint32_t *from;       /* in `item` */
    volatile uint32_t *status;  /* in statuses[] */
    struct slot item;
} pending[ITEMS];

/*
 * Statuses, by node. A node that has ended may answer a READ before it refuses an item:
 * the status of its item comes when another node's item is in the place.
 */
static volatile uint32_t *statuses;

static bool settled;            /* from here on, each item is waited for */

static struct pending *place_of(uint32_t node)
{
    return &pending[node % ITEMS];
}

bool pending_make(void)
{
    statuses = calloc(udm_nodes(), sizeof(*statuses));
    return statuses;
}

struct slot *pending_item(uint32_t node)
{
    struct pending *p = place_of(node);

    while (p->used) {
        pending_ask(p->node);
    }
    return &p->item;
}

void pending_write(uint32_t node, uint32_t to, unsigned words)
{
    struct pending *p = place_of(node);

    p->used = true;
    p->node = node;
    p->to = to + offsetof(struct slot, word) +
            (RQ_WORDS_MAX - words) * sizeof(uint32_t);
    p->from = &p->item.word[RQ_WORDS_MAX - words];
    p->bytes = (uintptr_t)(&p->item + 1) - (uintptr_t)p->from;
    p->status = &statuses[node];
    *p->status = MBCF_PENDING;
    mbcf_write(node, p->to, p->from, p->bytes, MBCF_ON_FAILURE, p->status);
    if (settled) {
        pending_ask(node);
    }
}

void pending_done(uint32_t node)
{
    struct pending *p = place_of(node);

    if (p->used && p->node == node) {
        if (*p->status != MBCF_PENDING && !fetch_is_done(node, *p->status)) {
            fetch_write(node, p->to, p->from, p->bytes);
        }
        p->used = false;
    }
}

void pending_ask(uint32_t node)
{
    uint32_t status, word;

    do {
        status = mbcf_read_now(node, &word, (uintptr_t)&rq_shelves,
                               sizeof(word));
    } while (status != MBCF_NO_TASK && !fetch_is_done(node, status));
    if (status == MBCF_NO_TASK) {       /* has ended, and wants no items */
        place_of(node)->used = false;
    } else {
        pending_done(node);
    }
}

void pending_settle(void)
{
    bool closed = rq_close();

    for (struct pending *p = pending; p < pending + ITEMS; p++) {
        if (p->used) {
            pending_ask(p->node);
        }
    }
    settled = true;
    rq_open(closed);
}

/* A receiver misses an item: what was refused is sent again, in silence. */
void rq_again_(void)
{
    if (udm_length() != 2) {
        rq_bad_message();
    }
    udm_dispose();
    pending_again();
}

/* Sends a refused item again. Returns false if there is no room for it now. */
static bool try_again(struct pending *p)
{
    const struct mbcf_request r = {
        .command = MBCF_WRITE,
        .options = MBCF_ON_FAILURE,
        .task = p->node,
        .address = p->to,
        .bytes = p->bytes,
        .local = (uintptr_t)p->from,
        .status = (uintptr_t)p->status,
    };

    *p->status = MBCF_PENDING;
    return !mbcf_try(&r, 1);
}

void pending_again(void)
{
    for (struct pending *p = pending; p < pending + ITEMS; p++) {
        if (p->used && *p->status == MBCF_NO_TASK) {
            p->used = false;            /* has ended, and wants no items */
        } else if (p->used && *p->status != MBCF_PENDING &&
                   !fetch_is_done(p->node, *p->status) && !try_again(p)) {
            *p->status = MBCF_BUSY;     /* the next look tries again */
        }
    }
}
