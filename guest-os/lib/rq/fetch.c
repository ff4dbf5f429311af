/*
 * RQ_BY_FETCH, the sender: reserves slots in the receiver's queue by FETCH_ADD,
 * and writes the item into them by WRITE. "Section" refers to the paper that
 * rq.h names.
 *
 * An item is committed when its WRITE is sent. pending.c repeats a WRITE that the
 * receiver refuses. From the reservation to the WRITE the sender is in an atomic
 * section: a handler that waited for room in the same queue would wait for slots
 * that the code which it has interrupted has yet to fill.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "mbcf.h"
#include "rq-state.h"

/*
 * Where the queues of other nodes are. They never move, so this is a cache: a
 * queue that is not in it is looked up again.
 */
enum { PORTS = 256 };

static struct port {
    uint32_t node, name;
    uint32_t ring;              /* 0: the queue has none */
    bool known;
    uint32_t pause;             /* 0, or the queue was full: do not look at it */
    uint32_t since;             /* for so many cycles from here on */
} ports[PORTS];

/*
 * A look at a full queue takes time of the receiver's processor, which it needs
 * to take items. So pauses between looks double, up to the most: with that, the
 * looks of all nodes leave a receiver half of its time. (A look takes it some
 * 3,000 cycles.)
 */
enum { PAUSE = 1024, PAUSE_MOST_PER_NODE = 8192 };

/* ---- Commands: on memory of the same job, with a wait --------------------- */

bool fetch_is_done(uint32_t node, uint32_t status)
{
    char text[96];

    if (status == MBCF_DONE || status == MBCF_BUSY) {
        return status == MBCF_DONE;
    }
    if (status == MBCF_NO_TASK) {
        snprintf(text, sizeof(text), "node %lu does not use RQ_BY_FETCH, or "
                 "has ended", (unsigned long)node);
        rq_mistake("RQ", 0, text);
    }
    rq_mistake("RQ", 0, mbcf_status_name(status));
}

static uint32_t load(uint32_t node, const volatile void *address)
{
    uint32_t word;

    while (!fetch_is_done(node, mbcf_read_now(node, &word, (uintptr_t)address,
                                        sizeof(word)))) {
    }
    return word;
}

void fetch_write(uint32_t node, uint32_t to, const void *from, uint32_t bytes)
{
    while (!fetch_is_done(node, mbcf_write_now(node, to, from, bytes))) {
    }
}

/* Adds to a counter. Returns false, with nothing done, if that cannot be now. */
static bool fetch_add(uint32_t node, const volatile uint32_t *counter,
                      uint32_t addend, uint32_t *old)
{
    volatile uint32_t status = MBCF_PENDING;
    const struct mbcf_request request = {
        .command = MBCF_FETCH_ADD,
        .options = MBCF_STATUS,
        .task = node,
        .address = (uintptr_t)counter,
        .local = (uintptr_t)old,
        .operand = { addend },
        .status = (uintptr_t)&status,
    };

    return mbcf_try(&request, 1) == 0 && fetch_is_done(node, mbcf_await(&status));
}

/* ---- The receiver's queue ------------------------------------------------ */

static void __attribute__((noreturn)) no_queue(uint32_t node, uint32_t name)
{
    char text[96];

    snprintf(text, sizeof(text), "the queue does not exist on node %lu",
             (unsigned long)node);
    rq_mistake("RQ", name, text);
}

/* Returns the address of a queue's ring on another node; 0: it has none. */
static uint32_t look_up(uint32_t node, uint32_t name)
{
    const struct shelf *shelf = NULL;
    const struct queue *queue = NULL;

    if (name <= RQ_LAST) {
        shelf = (void *)(uintptr_t)load(node, &rq_shelves[name / SHELF]);
    }
    if (shelf) {
        queue = (void *)(uintptr_t)load(node, &shelf->queue[name % SHELF]);
    }
    if (!queue) {
        no_queue(node, name);
    }
    return load(node, &queue->ring);
}

static struct port *port_of(uint32_t node, uint32_t name)
{
    struct port *port = &ports[(node * 37 + name) % PORTS];

    if (!port->known || port->node != node || port->name != name) {
        port->ring = look_up(node, name);
        port->node = node;
        port->name = name;
        port->pause = 0;
        port->known = true;
    }
    return port;
}

static void pause_after(struct port *port)
{
    uint32_t most = udm_nodes() * PAUSE_MOST_PER_NODE;

    port->pause = port->pause ? 2 * port->pause : PAUSE;
    if (port->pause > most) {
        port->pause = most;
    }
    port->since = udm_cycles32();
}

/* Returns whether a queue that was full still is, or has not to be looked at. */
static bool is_full(struct port *port)
{
    const struct ring *ring = (void *)(uintptr_t)port->ring;

    if (!port->pause) {
        return false;
    }
    if (udm_cycles32() - port->since < port->pause) {
        return true;
    }
    if (load(port->node, &ring->counter) >= RQ_SLOTS) {
        pause_after(port);
        pending_done(port->node);       /* another queue's may be refused */
        return true;
    }
    return false;
}

/*
 * Reserves slots, or returns false. Does not add to the counter of a queue that
 * was full before it is below RQ_SLOTS again: the counter would have no bound
 * (section 3.3.3: the sender "keeps polling the counter until it is reset").
 */
static bool reserve(struct port *port, uint32_t slots, uint32_t *first)
{
    const struct ring *ring = (void *)(uintptr_t)port->ring;

    if (is_full(port) ||
        !fetch_add(port->node, &ring->counter, slots, first)) {
        return false;
    }
    pending_done(port->node);
    if (*first >= RQ_SLOTS) {
        pause_after(port);
        return false;
    }
    port->pause = 0;
    return true;
}

/* ---- Items --------------------------------------------------------------- */

/* Fills in a slot of another node; `present` is the last word to be stored. */
static void port_put(const struct port *port, uint32_t at, uint32_t slots,
                     uint32_t bytes, unsigned count, const uint32_t *words)
{
    const struct ring *ring = (void *)(uintptr_t)port->ring;
    struct slot *item = pending_item(port->node);

    memcpy(item->word + RQ_WORDS_MAX - count, words, count * sizeof(uint32_t));
    item->bytes = bytes;
    item->present = present_word(udm_node(), slots, count);
    pending_write(port->node, (uintptr_t)&ring->slot[at], count);
}

/* Sends an item, or does not. */
static enum rq_sent attempt(uint32_t node, uint32_t name, const void *address,
                            uint32_t bytes, unsigned count,
                            const uint32_t *words)
{
    struct port *port = port_of(node, name);
    const struct ring *ring = (void *)(uintptr_t)port->ring;
    uint32_t slots = slots_for(bytes), at;

    if (!ring) {
        return RQ_BY_MESSAGE;
    }
    if (!reserve(port, slots, &at)) {
        return RQ_REFUSED;
    }
    if (at + slots > RQ_SLOTS) {        /* too few: the receiver skips them */
        port_put(port, at, RQ_SLOTS - at, 0, 0, words);
        return RQ_REFUSED;
    }
    if (bytes) {
        fetch_write(node, (uintptr_t)&ring->slot[at + 1], address, bytes);
    }
    port_put(port, at, slots, bytes, count, words);
    return RQ_COMMITTED;
}

static void check(uint32_t node, uint32_t name, const void *address,
                  uint32_t bytes)
{
    if (node >= udm_nodes()) {
        rq_mistake("RQ", name, "an item is for a node that does not exist");
    }
    if (bytes > FUGU_BODY_MAX || (bytes | (uintptr_t)address) & 3) {
        rq_mistake("RQ", name, "a body has at most 4096 bytes; its address and "
                   "length are multiples of 4");
    }
}

enum rq_sent rq_send_by_fetch_(uint32_t node, uint32_t name, bool wait,
                               const void *address, uint32_t bytes,
                               unsigned count, const uint32_t *words)
{
    enum rq_sent sent;

    check(node, name, address, bytes);
    for (;;) {
        bool closed = rq_close();

        sent = attempt(node, name, address, bytes, count, words);
        rq_open(closed);
        if (!wait || sent != RQ_REFUSED) {
            return sent;
        }
        ring_collect_all();
    }
}
