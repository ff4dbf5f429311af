/*
 * The home of a region: who has copies, and one request after the other.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>

#include "protocol/message.h"

/* ---- Sets of nodes ------------------------------------------------------ */

static inline bool shares(const struct directory *d, uint32_t node)
{
    return d->shared[node / 32] >> node % 32 & 1;
}

static inline void add_sharer(struct directory *d, uint32_t node)
{
    uint32_t bit = 1u << node % 32, *word = &d->shared[node / 32];

    d->sharers += !(*word & bit);
    *word |= bit;
}

/* ---- The queue of requests ---------------------------------------------- */

/*
 * A node waits for one request at a time. So one place for each node is enough
 * for the queues of all regions.
 */
static struct place {
    uint32_t address;           /* +1: the node has a copy */
    uint16_t next;              /* the next node in the queue, or NONE */
    uint8_t kind;               /* enum request; NOTHING: in no queue */
} *places;

void crl_home_init(void)
{
    places = calloc(crl_num_nodes, sizeof(*places));
    if (!places) {
        crl_mistake(0, "no memory is left");
    }
}

static void enqueue(struct directory *d, enum request kind, uint32_t node,
                    uint32_t address)
{
    struct place *place = &places[node];

    if (place->kind != NOTHING) {
        crl_bad_message();
    }
    *place = (struct place){ address, NONE, kind };
    if (d->first == NONE) {
        d->first = node;
    } else {
        places[d->last].next = node;
    }
    d->last = node;
}

/* ---- Transactions ------------------------------------------------------- */

bool crl_home_readable(const struct region *r)
{
    return r->directory->owner == NONE && !writer(r);
}

bool crl_home_writable(const struct region *r)
{
    const struct directory *d = r->directory;

    return d->owner == NONE && d->sharers == 0 && d->kind == NOTHING &&
           d->first == NONE && closed(r);
}

void crl_home_refresh(struct region *r)
{
    const struct directory *d = r->directory;
    uint32_t open = readers(r) * WORD_READER;
    bool fast = r->maps && d->owner == NONE && d->kind == NOTHING &&
                d->first == NONE;

    if (writer(r)) {
        r->word = fast && d->sharers == 0 ? WORD_WRITE : WORD_WRITE_SLOW;
    } else if (fast) {
        r->word = WORD_FAST + open + (d->sharers ? WORD_SHARED : 0);
    } else {
        r->word = WORD_SLOW + open;
    }
}

/* Sends INVALIDATE to all sharers but `except`, and empties their set. */
static void invalidate(struct region *r, uint32_t except)
{
    struct directory *d = r->directory;

    for (uint32_t base = 0; d->sharers > 0; base += 32) {
        uint32_t bits = d->shared[base / 32];

        d->shared[base / 32] = 0;
        for (uint32_t node = base; bits; node++, bits >>= 1) {
            if (!(bits & 1)) {
                continue;
            }
            d->sharers--;
            if (node != except) {
                crl_counts.invalidations++;
                d->awaited++;
                udm_inject(node, crl_on_invalidate, r->rid, (uintptr_t)r);
            }
        }
    }
}

/* Begins a transaction: sends what it needs. */
static inline void request_begin(struct region *r, enum request kind, uint32_t node,
                                 uint32_t address)
{
    struct directory *d = r->directory;

    d->kind = kind;
    d->requester = node;
    d->address = address & ~1;
    d->upgrade = (address & 1) && shares(d, node);
    d->awaited = 0;
    if (d->owner != NONE) {
        crl_counts.recalls++;
        d->awaited = 1;
        udm_inject(d->owner, crl_on_recall, r->rid,
                   kind == READ ? RECALL_SHARED : RECALL_INVALID);
    } else if (kind == WRITE) {
        invalidate(r, node);
    }
}

/* Begins a transaction for the first request of the queue. */
static void begin_first(struct region *r)
{
    struct directory *d = r->directory;
    uint32_t node = d->first;
    struct place *place = &places[node];
    enum request kind = place->kind;

    d->first = place->next;
    place->kind = NOTHING;
    request_begin(r, kind, node, place->address);
}

/* Opens the operation for which this node's thread waits. */
static void grant_home(struct region *r)
{
    struct directory *d = r->directory;

    r->word = d->kind == READ ? WORD_SLOW + WORD_READER + readers(r) *
              WORD_READER : WORD_WRITE_SLOW;
    d->kind = NOTHING;
    r->waiting = NOTHING;
    crl_wake();
}

/*
 * Gives the requester what it has asked for. The message leaves before all
 * bookkeeping.
 */
static inline void grant(struct region *r)
{
    struct directory *d = r->directory;
    enum purpose purpose = d->kind == READ ? GRANT_SHARED : GRANT_EXCLUSIVE;
    uint32_t node = d->requester;

    if (node == crl_self_addr) {
        grant_home(r);
        return;
    }
    if (d->upgrade && purpose == GRANT_EXCLUSIVE) {
        udm_inject(node, crl_on_grant, d->address);
    } else {
        if (!crl_send_at_once(node, crl_on_data, crl_on_data_part, d->address,
                              purpose, r)) {
            crl_send(r, purpose);
        }
        crl_counts.bytes += r->size;
    }
    crl_counts.grants++;
    if (purpose == GRANT_SHARED) {
        add_sharer(d, node);
    } else {
        d->owner = node;
    }
    if (!r->sending) {
        d->kind = NOTHING;
    }
}

void crl_home_advance(struct region *r)
{
    struct directory *d = r->directory;

    while (!r->sending) {
        if (d->kind == NOTHING) {
            if (d->first == NONE) {
                break;
            }
            begin_first(r);
        }
        if (d->awaited > 0 || writer(r) || (d->kind == WRITE && readers(r))) {
            break;
        }
        grant(r);
    }
    crl_home_refresh(r);
}

void crl_home_request(struct region *r, enum request kind, uint32_t node,
                      uint32_t address)
{
    struct directory *d = r->directory;

    if (d->kind == NOTHING && d->first == NONE) {
        request_begin(r, kind, node, address);
    } else {
        enqueue(d, kind, node, address);
    }
    crl_home_advance(r);
}

/* ---- Handlers ----------------------------------------------------------- */

/* Arguments: the region's address here, and on the sender. */
void crl_on_read(void)
{
    struct region *r = (struct region *)udm_arg(0);
    uint32_t address = udm_arg(1), node = udm_source();

    udm_dispose();
    if (r->word - WORD_FAST <= WORD_MOST &&
        crl_send_at_once(node, crl_on_data, crl_on_data_part, address,
                         GRANT_SHARED, r)) {
        /* What crl_home_request() does, on the fast path. */
        crl_counts.grants++;
        crl_counts.bytes += r->size;
        r->word |= WORD_SHARED;
        add_sharer(r->directory, node);
    } else {
        crl_home_request(r, READ, node, address);
    }
}

/* Arguments: the region's address here, and on the sender; +1: has a copy. */
void crl_on_write(void)
{
    struct region *r = (struct region *)udm_arg(0);
    uint32_t address = udm_arg(1), node = udm_source();

    udm_dispose();
    crl_home_request(r, WRITE, node, address);
}

/*
 * Argument: the region's address here. Acknowledgements often come together, so
 * this handler takes those that wait already.
 */
void crl_on_acknowledge(void)
{
    do {
        struct region *r = (struct region *)udm_arg(0);

        udm_dispose();
        if (--r->directory->awaited == 0) {
            crl_home_advance(r);
            return;
        }
    } while (udm_handler() == crl_on_acknowledge);
}

/*
 * All data of the owner have come. They answer a recall, even if the owner has
 * sent them unasked: the owner has no copy then, and ignores the recall.
 */
static void come_back(struct region *r, uint32_t node, enum purpose purpose)
{
    struct directory *d = r->directory;

    if (d->owner != node) {
        crl_bad_message();
    }
    d->owner = NONE;
    if (purpose == WRITEBACK_SHARED) {
        add_sharer(d, node);
    }
    if (d->kind != NOTHING) {   /* otherwise rgn_delete() may await others */
        d->awaited = 0;
    }
    crl_home_advance(r);
}

/* Arguments: the region's address here, enum purpose, the data. */
void crl_on_back(void)
{
    struct region *r = (struct region *)udm_arg(0);
    uint32_t purpose = udm_arg(1), node = udm_source();

    crl_take_words(r);
    udm_dispose();
    come_back(r, node, purpose);
}

/* Arguments: the region's address here, enum purpose, the body's offset. */
void crl_on_back_part(void)
{
    struct region *r = (struct region *)udm_arg(0);
    uint32_t purpose = udm_arg(1), node = udm_source();
    bool all = crl_take_part(r);

    udm_dispose();
    if (all) {
        come_back(r, node, purpose);
    }
}
