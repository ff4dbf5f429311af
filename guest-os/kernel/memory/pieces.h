/*
 * Pages in pieces: how client and server of backing store send a page over the
 * second network.
 *
 * The sender keeps PIECES_AHEAD pieces on the way, and sends another for each
 * piece that the receiver has taken. In between both kernels return to their
 * users.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PIECES_H
#define GLAZE_PIECES_H

#include <stdbool.h>
#include <stdint.h>

/* Words of a page in one message, after the number of the piece. */
#define PIECE_WORDS     13
#define PAGE_WORDS      1024
#define PIECES          ((PAGE_WORDS + PIECE_WORDS - 1) / PIECE_WORDS)

#define PIECES_AHEAD    2       /* the network has space for two of the longest
                                   messages from a source */

/*
 * Returns whether the sender waits to hear that the receiver has taken this
 * piece. For the last PIECES_AHEAD pieces it does not.
 */
bool pieces_wait(unsigned piece);

/* Sends a piece of the page in a frame. */
void piece_send(uint32_t node, uint32_t operation, uint32_t frame,
                unsigned piece);

/* Stores a piece into a frame. `words`: the piece's number, then its words. */
void piece_take(uint32_t frame, const uint32_t *words);

#endif /* GLAZE_PIECES_H */
