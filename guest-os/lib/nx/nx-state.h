/*
 * What the files of the library share: rings, types, functions. README.md lists the
 * files.
 *
 * A process has a *ring* of slots for each node that sends to it, and a *board* with
 * two words for each. The sender has a page of its own for each receiver: the first
 * part of it is mapped to the ring, for blocked-write, so that a slot is one packet;
 * the end of it to the sender's words on the board, for single-write. So a message is
 * there when its number is on the board, and one page tells a process that something
 * has come, from whichever node. The receiver counts what it has taken on the sender's
 * board.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef NX_STATE_H
#define NX_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "glaze.h"
#include "nx.h"

/* ---- What nodes map to each other ------------------------------------------ */

#define SLOT_BYTES      248

/* A piece of a message: as many packets as slots, of 256 bytes at most. */
struct slot {
    uint32_t type;
    uint32_t left;              /* bytes of the message from this piece on */
    uint32_t data[SLOT_BYTES / 4];
};

#define SLOTS           15

/* Counts, modulo 2^32. */
struct words {
    uint32_t sent;              /* slots that the sender has filled */
    uint32_t taken;             /* slots that it has taken out of its own ring, which
                                   this process fills */
};

/* A sender's page, and a ring, which has no words. */
struct page {
    struct slot slot[SLOTS];
    uint32_t unused[62];
    volatile struct words words;
};

_Static_assert(sizeof(struct page) == GLAZE_PAGE, "a ring is a page");

/* What a process that ends adds to `taken`: there is always room, and nothing of it is
 * read any more. */
#define TAKEN_ENDED     0x40000000

/* Each process exports both: numbers of shrimp.h. */
#define EXPORT_BOARD    0xfffffffe
#define EXPORT_RINGS    0xfffffffd

/* By the sender's node. */
extern volatile struct words nx_board[GLAZE_PAGE / sizeof(struct words)];

/* ---- Peers ----------------------------------------------------------------- */

/* A message that waits until the program wants it. */
struct message {
    struct message *next;
    uint32_t bytes, got;        /* got: so many have come */
    uint64_t data[];
};

/* Another process, or this one. */
struct peer {
    struct page *out;           /* where messages to it go; NULL: not mapped yet */
    struct slot *next_out;      /* the next one to fill */
    uint32_t sent;              /* slots that this process has filled */
    uint32_t taken;             /* slots of the ring that have been taken */
    struct slot *next_in;       /* the next one to take */
    volatile struct words *words;       /* on the board */
    struct message *partial;    /* of which pieces are to come; NULL: none */
    uint32_t node;
};

extern struct peer nx_peers[NX_NODES];
extern uint32_t nx_nodes;       /* of the job, NX_NODES at most */

/* The slot behind one, in a ring or a page. */
static inline struct slot *nx_next(struct slot *slot)
{
    uintptr_t next = (uintptr_t)(slot + 1);

    _Static_assert(offsetof(struct page, unused) == SLOTS * sizeof(struct slot) &&
                   sizeof(struct slot) == 256, "the last slot has this address");
    return (struct slot *)((next & (GLAZE_PAGE - 1)) == SLOTS * sizeof(struct slot)
                           ? next & -GLAZE_PAGE : next);
}

/* Whether slots of a peer are in its ring. */
static inline bool nx_has_come(const struct peer *p)
{
    return p->words->sent != p->taken;
}

/* Whether a peer's ring has room for another slot. */
static inline bool nx_has_room(const struct peer *p)
{
    return (int32_t)(p->sent - p->words->taken) < SLOTS;
}

/* ---- rings.c ---- `call` is for a mistake's line. */

/* Maps a peer's page at the first call for it. */
void nx_connect(struct peer *p, const char *call);

/* The slot that has been filled goes to the peer. */
static inline void nx_fill(struct peer *p)
{
    asm volatile ("" : : : "memory");
    p->next_out = nx_next(p->next_out);
    p->out->words.sent = ++p->sent;
}

/* The peer's next slot has been taken. Its page is mapped. */
static inline void nx_take(struct peer *p)
{
    asm volatile ("" : : : "memory");
    p->next_in = nx_next(p->next_in);
    p->out->words.taken = ++p->taken;
}

/*
 * Wait until a peer's ring has room, or until a peer may have sent a slot or messages
 * have been queued. Meanwhile queue what comes from all peers; nx_await_slot() does not
 * from this one. NULL: whichever peer, and all is queued.
 */
void nx_await_room(struct peer *p, const char *call);
void nx_await_slot(const struct peer *p, const char *call);

/* copy.c. Copies so many bytes of a slot or message. */
void nx_copy(void *to, const void *from, uint32_t bytes);

/* queue.c. Queues the next slot of a peer, which has come. */
void nx_queue(struct peer *p, const char *call);

/* ---- Types ----------------------------------------------------------------- */

struct type {
    struct peer *direct;        /* its sender, if none of its messages waits; NULL */
    struct peer *from;          /* its sender; NULL: not known yet */
    struct message *first;      /* that waits; NULL: none */
    struct message **end;       /* where the next one will be linked */
};

#define GROUP           256     /* types of a group */
extern struct type *nx_groups[NX_TYPES / GROUP];
extern struct type nx_unknown[GROUP];   /* a group of which none is known, for all */

/* queue.c. Returns a type, which may be new. */
struct type *nx_type(uint32_t type, const char *call);

/* mistake.c. Ends the job with a line. */
void nx_mistake(const char *call, const char *format, ...)
    __attribute__((noreturn, cold, format(printf, 2, 3)));

/* ---- Rows of the paper's table (rows.h) ------------------------------------ */

/* The purpose of the instructions that follow: ./run.sh paper shrimp counts them. */
#define NX_ROW(name) \
    asm volatile (".Lnxrow%=:\n\t" \
                  ".pushsection .debug_rows, \"\", %%progbits\n\t" \
                  ".long .Lnxrow%=\n\t.asciz \"" name "\"\n\t.balign 4\n\t" \
                  ".popsection" : :)

/* The same from the first instruction of a function on: outside of functions. */
#define NX_ROW_OF(function, name) \
    asm (".pushsection .debug_rows, \"\", %progbits\n\t" \
         ".long " #function "\n\t.asciz \"" name "\"\n\t.balign 4\n\t" \
         ".popsection")

#endif /* NX_STATE_H */
