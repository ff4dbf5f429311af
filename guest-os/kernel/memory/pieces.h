/*
 * Pages in pieces: how client and server of backing store send a page over the
 * second network.
 *
 * The sender keeps PIECES_AHEAD pieces on the way, and sends another for each
 * piece that the receiver has taken. In between both kernels return to their users.
 *
 * A page has 79 pieces, so what a piece costs decides what a page costs. Most of them
 * take the fast path, pieces_quick(). The first pieces and the last, and all that the
 * fast path leaves, go through the files of buffer/, as chores.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PIECES_H
#define GLAZE_PIECES_H

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#include "machine/message.h"

/* Words of a page in one message, after the piece's place. */
#define PIECE_WORDS     13
#define PIECE_BYTES     (PIECE_WORDS * 4)
#define PAGE_WORDS      1024
#define PIECES          ((PAGE_WORDS + PIECE_WORDS - 1) / PIECE_WORDS)

#define PIECES_AHEAD    4       /* the network has space for four of the longest
                                   messages from a source */

#define PIECES_SERVER   2       /* pages that a server sends or takes at a time */

/* Who sends or takes a page: the client of backing store, or the server with its
 * buffer k. */
enum piece_end {
    PIECES_OF_CLIENT,
    PIECES_OF_SERVER,           /* + k */
    PIECES_ENDS = PIECES_OF_SERVER + PIECES_SERVER,
};

/*
 * A page in a frame is to be sent to a node with such messages: OPERATION_STORE or
 * OPERATION_PIECE. `gid` is the process that pays for the kernel's work.
 */
void pieces_send(enum piece_end end, uint32_t node, enum operation operation,
                 uint32_t frame, unsigned gid);

/* Sends the next piece of that page, which there must be. Waits for space. */
void piece_send(enum piece_end end);

/* Returns whether all pieces of that page have been sent. */
bool pieces_sent(enum piece_end end);

/* A page is to come from a node into a frame. */
void pieces_expect(enum piece_end end, uint32_t node, uint32_t frame, unsigned gid);

/*
 * Stores a piece of that page. `words`: its place in the page, in bytes, then its
 * words. Returns whether the sender waits to hear that it has been taken; for the last
 * PIECES_AHEAD pieces it does not.
 */
bool piece_take(enum piece_end end, const uint32_t *words);

/* Returns whether that is the last piece of its page. */
bool piece_is_last(const uint32_t *words);

/*
 * Does what the head message of the second network says, if it is a piece, or asks for
 * one, and nothing has to wait; and charges the time since `since`, the low word of
 * now(). Returns the time up to which it has charged, an odd number. Otherwise it does
 * nothing and returns 0.
 *
 * second.S calls this in the middle of the interrupted code's windows: it may call
 * no function, and must not use %y. `psr` is that code's: if another interrupt waits
 * that it does not mask, C has to serve that one as well. So the function takes the
 * piece, whose sender need not wait for C, and returns 0. C calls it with
 * PIECES_FROM_C.
 */
uint32_t pieces_quick(uint32_t psr, uint32_t since);
#define PIECES_FROM_C   (~0u)

/* The process that pays for the last piece. */
extern unsigned pieces_payer;

/* How many cycles the last interrupt took after that time. second.S measures them, and
 * pieces_quick() charges as many for the next one. */
extern uint32_t pieces_way_back;

#endif /* __ASSEMBLER__ */
#endif /* GLAZE_PIECES_H */
