/*
 * The server of backing store: the kernel of a node that has a disk.
 *
 * It keeps pages for the kernels of all nodes. Each owns a fixed part of the
 * disk, slots 0 to N - 1 of its own, and knows what it keeps there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SERVER_H
#define GLAZE_SERVER_H

#include <stdbool.h>
#include <stdint.h>

/* Words of a page in one message, behind the number of the piece. */
#define PIECE_WORDS     13
#define PAGE_WORDS      1024
#define PIECES          ((PAGE_WORDS + PIECE_WORDS - 1) / PIECE_WORDS)

/* Looks for the disk, and keeps frames for it. Once, at the start. */
void server_init(void);

/* A message of the second network for the server: notes it. */
void server_message(uint32_t node, uint32_t operation, const uint32_t *words);

/* Goes on with what can be gone on with; waits for nothing but space. */
void server_step(void);

/*
 * A page goes over the network in pieces, a few at a time: the sender waits
 * until the receiver has taken those and asks for more, and both kernels
 * return to their users in between.
 *
 * pieces_send() sends the next pieces, from number `piece` on, and returns the
 * number of the one after them: PIECES when all have been sent. pieces_pause()
 * says whether the sender waits after that piece, which is not the last one.
 * piece_take() puts a piece that has come where it belongs in the frame.
 */
unsigned pieces_send(uint32_t node, uint32_t operation, uint32_t frame,
                     unsigned piece);
bool pieces_pause(unsigned piece);
void piece_take(uint32_t frame, const uint32_t *words);

#endif /* GLAZE_SERVER_H */
