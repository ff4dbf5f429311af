/*
 * The client of backing store (server.c shows the conversation).
 *
 * backing_message() notes what the server says when the message comes.
 * backing_step() acts on it later, as a chore.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include <stddef.h>

#include "machine/chores.h"
#include "machine/debts.h"
#include "marks.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "memory/frames.h"
#include "memory/space.h"
#include "buffer/backing.h"
#include "memory/pieces.h"
#include "memory/slots.h"

struct backing_count backing_count;

static struct {
    enum { NOT_ASKED, LOOKS, NONE, FOUND } state;
    uint32_t node;              /* LOOKS: the node that has been asked last */
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
    unsigned payer;             /* GID */
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
    uint32_t words[] = { slot, request.payer };

    request.state = ASKED;
    request.slot = slot;
    message_send(server.node, operation, words, 2);
}

void backing_message(uint32_t operation, const uint32_t *words)
{
    debts_work_for(request.payer);
    switch (operation) {
    case OPERATION_SERVES:
        slots_init(words[0]);
        request.state = ANSWERED;
        break;
    case OPERATION_GO:
        pieces_send(PIECES_OF_CLIENT, server.node, OPERATION_STORE, request.frame,
                    request.payer);
        request.granted = PIECES_AHEAD;
        break;
    case OPERATION_NEXT:
        request.granted++;
        break;
    case OPERATION_PIECE:
        request.taken += piece_take(PIECES_OF_CLIENT, words);
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

static __attribute__((cold)) void finish_out(bool exists)
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

static __attribute__((cold)) void finish_in(bool exists)
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

/*
 * A node has said whether it has a disk. If it has none, asks the next one: the
 * lowest node that has a disk is the server.
 */
static __attribute__((cold)) void look_on(void)
{
    if (slots_total()) {
        server.state = FOUND;
    } else if (++server.node < ni_nodes()) {
        ask(OPERATION_WHO, 0);
    } else {
        server.state = NONE;
    }
}

static __attribute__((cold)) void finish(void)
{
    bool exists;

    request.state = IDLE;
    /* Both chores may wait until no page is on its way. */
    chores_wait |= CHORE_PAGER | CHORE_OVERFLOW;
    if (server.state == LOOKS) {
        look_on();
        return;
    }
    exists = slot_release(request.slot);
    if (request.out) {
        finish_out(exists);
    } else {
        finish_in(exists);
    }
}

void backing_step(void)
{
    debts_work_for(request.payer);
    for (; request.granted; request.granted--) {
        piece_send(PIECES_OF_CLIENT);
    }
    for (; request.taken; request.taken--) {
        message_send(server.node, OPERATION_MORE, NULL, 0);
    }
    if (request.state == ANSWERED) {
        finish();
    }
}

bool backing_idle(void)
{
    return request.state == IDLE;
}

/* ---- The server --------------------------------------------------------- */

bool backing_usable(void)
{
    if (server.state == NOT_ASKED) {
        server.state = LOOKS;
        ask(OPERATION_WHO, 0);
    }
    return server.state == LOOKS || (slots_free() && !server.failed);
}

bool backing_is_known(void)
{
    backing_usable();
    return server.state != LOOKS;
}

__attribute__((cold)) const char *backing_trouble(void)
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

unsigned backing_payer;

static __attribute__((cold)) void begin(struct process *p, uint32_t page,
                                             uint32_t frame, bool out)
{
    request.payer = backing_payer ? backing_payer : p->gid;
    request.p = p;
    request.page = page;
    request.frame = frame;
    request.out = out;
}

__attribute__((cold)) void backing_out(struct process *p, uint32_t page)
{
    uint32_t slot = slot_alloc();

    begin(p, page, space_page_out(p, page, slot), true);
    slot_hold(slot);
    ask(OPERATION_PAGE_OUT, slot);
}

__attribute__((cold)) void backing_in(struct process *p, uint32_t page, uint32_t frame)
{
    uint32_t slot = pte_slot(*space_entry(p, page));

    begin(p, page, frame, false);
    pieces_expect(PIECES_OF_CLIENT, server.node, frame, request.payer);
    slot_hold(slot);
    ask(OPERATION_PAGE_IN, slot);
}
