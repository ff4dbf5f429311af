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

/* Page frames that a server takes. */
#define SERVER_FRAMES   2

/* Looks for the disk, and keeps frames for it. Once, at the start. */
void server_init(void);

/* A message of the second network for the server: notes it. */
void server_message(uint32_t node, uint32_t operation, const uint32_t *words);

/* Goes on with what can be gone on with; waits for nothing but space. */
void server_step(void);

/*
 * A page goes over the network in pieces. The sender keeps PIECES_AHEAD of
 * them on the way, and sends another for each that the receiver has taken; in
 * between both kernels return to their users. pieces_wait() says whether the
 * sender waits to hear of that piece: of the last ones it need not.
 */
#define PIECES_AHEAD    2       /* a source's space: two of the longest */

bool pieces_wait(unsigned piece);
void piece_send(uint32_t node, uint32_t operation, uint32_t frame,
                unsigned piece);
void piece_take(uint32_t frame, const uint32_t *words);

#endif /* GLAZE_SERVER_H */
