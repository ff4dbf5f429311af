/*
 * The client of backing store (server.c shows the conversation).
 *
 * backing_message() notes what the server says when the message comes.
 * backing_step() acts on it later, as a chore.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "machine/hardware.h"
#include "machine/chores.h"
#include "marks.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "machine/print.h"
#include "memory/frames.h"
#include "memory/space.h"
#include "buffer/backing.h"
#include "memory/pieces.h"
#include "buffer/server.h"
#include "memory/slots.h"

/*
 * Cycles to wait for a page before a panic, times the number of nodes: each
 * node may have a request that the server handles first. No page takes that
 * long.
 */
#define PATIENCE        1000000000ull

struct backing_count backing_count;

static struct {
    enum { NOT_ASKED, NONE, FOUND } state;
    uint32_t node;
    bool failed;
} server;

static struct {
    enum {
        IDLE,
        ASKED,
        ANSWERED,
    } state;
    bool out;
    bool done;                  /* ANSWERED: the server has succeeded */
    struct process *p;
    uint32_t page;
    uint32_t frame;
    uint32_t slot;
    unsigned piece;             /* out: the next one */
    unsigned granted;           /* out: pieces that may be sent now */
    unsigned taken;             /* in: pieces taken that the server has not
                                   been told of */
} request;

static void (*page_came)(struct process *p, uint32_t page);

void backing_init(void (*came)(struct process *p, uint32_t page))
{
    page_came = came;
}

/* ---- Conversation ------------------------------------------------------- */

static void ask(enum operation operation, uint32_t slot)
{
    request.state = ASKED;
    request.slot = slot;
    message_send(server.node, operation, &slot, 1);
}

void backing_message(uint32_t operation, const uint32_t *words)
{
    switch (operation) {
    case OPERATION_SERVES:
        slots_init(words[0]);
        request.state = IDLE;
        break;
    case OPERATION_GO:
        request.granted += words[0];
        break;
    case OPERATION_PIECE:
        piece_take(request.frame, words);
        request.taken += pieces_wait(words[0]);
        break;
    default:                    /* OPERATION_DONE */
        request.done = words[0];
        request.state = ANSWERED;
        break;
    }
}

static void came(void)
{
    space_page_in(request.p, request.page, request.frame);
    slot_free(request.slot);
    page_came(request.p, request.page);
}

static void finish_out(bool exists)
{
    server.failed |= !request.done;
    if (exists && !request.done) {
        came();                 /* the page is still in its frame */
        return;
    }
    frame_free(request.frame);
    if (request.done) {
        backing_count.outs++;
        MARK("page_out", request.p->gid);
    }
}

static void finish_in(bool exists)
{
    server.failed |= !request.done;
    if (exists && request.done) {
        came();
        backing_count.ins++;
        MARK("page_in", request.p->gid);
        return;
    }
    frame_free(request.frame);
    request.p->lost |= exists;
}

static void finish(void)
{
    bool exists = slot_release(request.slot);

    request.state = IDLE;
    /* Both chores may wait until no page is on its way. */
    chores_wait |= CHORE_PAGER | CHORE_OVERFLOW;
    if (request.out) {
        finish_out(exists);
    } else {
        finish_in(exists);
    }
}

void backing_step(void)
{
    const uint32_t one = 1;

    for (; request.granted; request.granted--) {
        piece_send(server.node, OPERATION_STORE, request.frame,
                   request.piece++);
    }
    for (; request.taken; request.taken--) {
        message_send(server.node, OPERATION_MORE, &one, 1);
    }
    if (request.state == ANSWERED) {
        finish();
    }
}

bool backing_idle(void)
{
    return request.state == IDLE;
}

void backing_wait(void)
{
    uint64_t start = now();

    while (request.state != IDLE) {
        message_serve();
        server_step();
        backing_step();
        if (now() - start > PATIENCE * ni_nodes()) {
            panic("node %u, which has the backing store, does not answer",
                  (unsigned)server.node);
        }
        if (request.state != IDLE && !ni_second_present()) {
            wait_for_interrupt();
        }
    }
}

/* ---- The server --------------------------------------------------------- */

/* Finds the lowest node that has a disk. */
static void look_for_server(void)
{
    server.state = NONE;
    for (uint32_t node = 0; node < ni_nodes(); node++) {
        server.node = node;
        ask(OPERATION_WHO, 0);
        backing_wait();
        if (slots_total()) {
            server.state = FOUND;
            return;
        }
    }
}

bool backing_usable(void)
{
    if (server.state == NOT_ASKED) {
        look_for_server();
    }
    return slots_free() && !server.failed;
}

const char *backing_trouble(void)
{
    if (server.failed) {
        return ", and the disk of the backing store has failed";
    }
    if (server.state == NONE) {
        return ", and there is no backing store (give a node a disk: --disk "
               "NODE=FILE)";
    }
    return server.state == FOUND && !slots_free() ?
           ", and the backing store is full" : "";
}

/* ---- Pages -------------------------------------------------------------- */

static void begin(struct process *p, uint32_t page, uint32_t frame, bool out)
{
    request.p = p;
    request.page = page;
    request.frame = frame;
    request.out = out;
    request.piece = 0;
}

void backing_out(struct process *p, uint32_t page)
{
    uint32_t slot = slot_alloc();

    begin(p, page, space_page_out(p, page, slot), true);
    slot_hold(slot);
    ask(OPERATION_PAGE_OUT, slot);
}

void backing_in(struct process *p, uint32_t page, uint32_t frame)
{
    uint32_t slot = pte_slot(*space_entry(p, page));

    begin(p, page, frame, false);
    slot_hold(slot);
    ask(OPERATION_PAGE_IN, slot);
}
