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

#include <stdint.h>

/* Words of a page in one message, behind the number of the piece. */
#define PIECE_WORDS     13
#define PAGE_WORDS      1024
#define PIECES          ((PAGE_WORDS + PIECE_WORDS - 1) / PIECE_WORDS)

/* Most slots that a node has: 128 MiB. */
#define SLOTS_MAX       0x8000

/* Page frames that a server takes. */
#define SERVER_FRAMES   2

/* Looks for the disk, and keeps frames for it. Once, at the start. */
void server_init(void);

/* A message of the second network for the server: notes it. */
void server_message(uint32_t node, uint32_t operation, const uint32_t *words);

/* Goes on with what can be gone on with; waits for nothing but space. */
void server_step(void);

/* A page to a node, and out of what a node has sent: piece by piece. */
void pieces_send(uint32_t node, uint32_t operation, uint32_t frame);
void piece_take(uint32_t frame, const uint32_t *words);

#endif /* GLAZE_SERVER_H */
