/*
 * The server of backing store.
 *
 *   client                    server
 *     | -- PAGE_OUT slot -------> |      queued
 *     | <------------------ GO -- |      when a buffer is free
 *     | -- STORE, STORE --------> |
 *     | <---------------- NEXT -- |      for each piece that has been taken
 *     | -- STORE ---------------> |      ... 79 in all; then to the disk
 *     | <---------------- DONE -- |
 *
 *     | -- PAGE_IN slot --------> |      queued; when a buffer is free, from
 *     | <-------- PIECE, PIECE -- |      the disk
 *     | -- MORE ----------------> |      for each piece that has been taken
 *     | <--------------- PIECE -- |      ... 79 in all
 *     | <---------------- DONE -- |
 *
 * Most of the pieces, and of the messages that ask for them, come no further than
 * pieces_quick() (memory/pieces.h).
 *
 * A client has at most one request at a time: each node has a place for it, and the
 * queues cannot overflow. There is one for each GID, as the requests of a process that
 * owes too much wait (debts.h), and the others go in the order in which they came.
 * A page is never on its way without a place for
 * it: a buffer in the server, the request's frame in the client. Client and
 * server need neither a user process nor the first network.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdbool.h>
#include <stddef.h>

#include "machine/hardware.h"
#include "machine/chores.h"
#include "machine/debts.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "machine/pending.h"
#include "memory/frames.h"
#include "machine/disk.h"
#include "memory/pieces.h"
#include "buffer/server.h"
#include "memory/slots.h"

#define BUFFERS         SERVER_FRAMES   /* for the disk, for the network */

struct request {
    uint16_t node;
    uint16_t slot;
    uint16_t operation;
    uint16_t gid;               /* of the process that needs the page, or room;
                                   GID_NONE: of none (OPERATION_WHO) */
};

enum buffer_state {
    FREE,
    FILLING,                    /* from the network */
    TO_WRITE,
    WRITING,
    TO_READ,
    READING,
    SENDING,                    /* to the network */
};

static struct buffer {
    uint32_t frame;
    enum buffer_state state;
    struct request request;
    unsigned granted;           /* SENDING: pieces that may be sent now */
    unsigned taken;             /* FILLING: pieces taken that the client has
                                   not been told of */
} buffers[BUFFERS];

/* The request of each node that waits, and what number it has of all requests. */
static struct waiting {
    uint32_t number;
    uint16_t slot;
    uint16_t operation : 6;
    uint16_t next : 10;         /* node of the next request of the GID; after the
                                   last one comes the first */
} waiting[FUGU_NODES_MAX];

_Static_assert(FUGU_NODES_MAX <= 1 << 10, "a node fits into `next`");

/* For each GID, 1 + the node of its newest request; 0 if no request of it waits. */
static uint16_t last[GID_MAX + 1];

static unsigned requests_wait;  /* in all queues */

static uint32_t slots_a_node;   /* 0: no disk here */
static bool disk_has_work;      /* a buffer is at the disk, or ready for it */

__attribute__((cold)) void server_init(void)
{
    uint32_t slots = disk_init() / SECTORS_A_PAGE / ni_nodes();

    for (unsigned i = 0; slots && i < BUFFERS; i++) {
        buffers[i].frame = frame_alloc(FRAME_COLOUR_ANY);
        slots = buffers[i].frame ? slots : 0;
    }
    slots_a_node = slots < SLOTS_MAX ? slots : SLOTS_MAX;
}

static enum piece_end end_of(const struct buffer *b)
{
    return PIECES_OF_SERVER + (b - buffers);
}

/* ---- From the network --------------------------------------------------- */

static __attribute__((cold, noinline)) void enqueue(struct request request)
{
    static uint32_t numbers;
    struct waiting *before = last[request.gid] ? &waiting[last[request.gid] - 1] : NULL;

    waiting[request.node] = (struct waiting) {
        .number = numbers++, .slot = request.slot, .operation = request.operation,
        .next = before ? before->next : request.node,
    };
    if (before) {
        before->next = request.node;
    }
    last[request.gid] = 1 + request.node;
    requests_wait++;
}

/*
 * Returns the buffer of a client's request if it is in that state, else NULL.
 */
static struct buffer *buffer_of(uint32_t node, enum buffer_state state)
{
    for (unsigned i = 0; i < BUFFERS; i++) {
        if (buffers[i].state == state && buffers[i].request.node == node) {
            return &buffers[i];
        }
    }
    return NULL;
}

static void store(struct buffer *b, const uint32_t *words)
{
    if (!b) {
        return;                 /* no client sends that */
    }
    debts_work_for(b->request.gid);
    b->taken += piece_take(end_of(b), words);
    if (piece_is_last(words)) {
        b->state = TO_WRITE;
        disk_has_work = true;
    }
}

static void more(struct buffer *b)
{
    if (b) {
        debts_work_for(b->request.gid);
        b->granted++;
    }
}

void server_message(uint32_t node, uint32_t operation, const uint32_t *words)
{
    switch (operation) {
    case OPERATION_STORE:
        store(buffer_of(node, FILLING), words);
        break;
    case OPERATION_MORE:
        more(buffer_of(node, SENDING));
        break;
    default:
        enqueue((struct request) {
            node, words[0], operation,
            operation == OPERATION_WHO || words[1] > GID_MAX ? GID_NONE : words[1],
        });
        break;
    }
}

/* ---- Steps -------------------------------------------------------------- */

static void reply(const struct request *request, uint32_t operation,
                  uint32_t word)
{
    message_send(request->node, operation, &word, 1);
}

static __attribute__((cold)) struct buffer *in_state(enum buffer_state state)
{
    for (unsigned i = 0; i < BUFFERS; i++) {
        if (buffers[i].state == state && buffers[i].frame) {
            return &buffers[i];
        }
    }
    return NULL;
}

__attribute__((cold)) bool server_awaits_disk(void)
{
    return in_state(WRITING) || in_state(READING);
}

static __attribute__((cold, noinline)) void finish_disk(void)
{
    struct buffer *b = in_state(WRITING);
    enum disk_result result;

    b = b ? b : in_state(READING);
    if (!b || (result = disk_finish()) == DISK_WORKS) {
        return;
    }
    debts_work_for(b->request.gid);
    if (b->state == READING && result == DISK_DONE) {
        b->state = SENDING;
        pieces_send(end_of(b), b->request.node, OPERATION_PIECE, b->frame,
                    b->request.gid);
        b->granted = PIECES_AHEAD;
    } else {
        b->state = FREE;
        reply(&b->request, OPERATION_DONE, result == DISK_DONE);
    }
}

static void serve_network(struct buffer *b)
{
    if (!b->taken && !b->granted) {
        return;
    }
    debts_work_for(b->request.gid);
    for (; b->taken; b->taken--) {
        message_send(b->request.node, OPERATION_NEXT, NULL, 0);
    }
    for (; b->granted; b->granted--) {
        piece_send(end_of(b));
    }
    if (b->state == SENDING && pieces_sent(end_of(b))) {
        reply(&b->request, OPERATION_DONE, true);
        b->state = FREE;
    }
}

static __attribute__((cold, noinline)) void start_disk(void)
{
    struct buffer *b = in_state(TO_WRITE);

    if (server_awaits_disk()) {
        return;
    }
    b = b ? b : in_state(TO_READ);
    disk_has_work = b;
    if (b) {
        uint32_t page = b->request.node * slots_a_node + b->request.slot;
        bool write = b->state == TO_WRITE;

        disk_start(write, page * SECTORS_A_PAGE, b->frame);
        b->state = write ? WRITING : READING;
    }
}

/* Returns the oldest request of a GID, or NULL if no request of it waits. */
static struct waiting *first_of(unsigned gid)
{
    return last[gid] ? &waiting[waiting[last[gid] - 1].next] : NULL;
}

/* Takes the oldest request of a GID, which has one. */
static __attribute__((cold)) struct request dequeue(unsigned gid)
{
    const struct waiting *w = first_of(gid);
    struct request request = { w - waiting, w->slot, w->operation, gid };

    if (last[gid] == 1 + request.node) {
        last[gid] = 0;
    } else {
        waiting[last[gid] - 1].next = w->next;
    }
    requests_wait--;
    return request;
}

/*
 * Returns the GID of the request that comes next, or GID_MAX + 1. Those that need no
 * buffer come first; then the oldest one, if a buffer is free. Those of a process that
 * owes too much wait, so that others come first.
 */
static __attribute__((cold)) unsigned find_request(bool buffer)
{
    const struct waiting *oldest = first_of(GID_NONE);
    unsigned found = GID_MAX + 1;

    if (oldest && oldest->operation == OPERATION_WHO) {
        return GID_NONE;
    }
    oldest = NULL;
    for (unsigned gid = GID_NONE; buffer && gid <= GID_MAX; gid++) {
        const struct waiting *w = first_of(gid);

        if (w && (!oldest || (int32_t)(w->number - oldest->number) < 0) &&
            !debts_hold_paging(gid)) {
            found = gid;
            oldest = w;
        }
    }
    return found;
}

/* Starts the oldest request that need not wait. Returns false if each has to, or if no
 * buffer is free. */
static __attribute__((cold, noinline)) bool take_request(void)
{
    struct request request;
    struct buffer *b = in_state(FREE);
    unsigned gid = find_request(b != NULL);

    if (gid > GID_MAX) {
        return false;
    }
    request = dequeue(gid);
    debts_work_for(request.gid);
    if (request.operation == OPERATION_WHO) {
        reply(&request, OPERATION_SERVES, slots_a_node);
        return true;
    }
    b->request = request;
    if (request.operation == OPERATION_PAGE_OUT) {
        b->state = FILLING;
        pieces_expect(end_of(b), request.node, b->frame, request.gid);
        message_send(request.node, OPERATION_GO, NULL, 0);
    } else {
        b->state = TO_READ;
        disk_has_work = true;
    }
    return true;
}

/* The most cycles to look for a request and to begin it. */
#define TAKE_MOST       4000

/* The disk comes first: buffers that are ready for it go before the queue. */
void server_step(void)
{
    if (disk_has_work) {
        finish_disk();
        start_disk();
    }
    for (unsigned i = 0; i < BUFFERS; i++) {
        serve_network(&buffers[i]);
    }
    while (requests_wait && kernel_has_time(now(), TAKE_MOST) && take_request()) {
    }
    if (requests_wait && !kernel_has_time(now(), TAKE_MOST)) {
        chores_later(CHORE_SERVER, now());
    }
    if (disk_has_work) {
        start_disk();
    }
}
