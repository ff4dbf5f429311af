/*
 * The server of backing store: the kernel of a node that has a disk.
 *
 * The server keeps pages for the kernels of all nodes. Each node owns a fixed
 * part of the disk, its slots 0 to N - 1, and knows what it keeps there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SERVER_H
#define GLAZE_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/pieces.h"

/* Page frames that the server uses. */
#define SERVER_FRAMES   PIECES_SERVER

/* Looks for a disk, and takes frames for the server. Call this once, at the
 * start. */
void server_init(void);

/* Returns whether the disk is at work. It will interrupt. */
bool server_awaits_disk(void);

/* Notes a message for the server. */
void server_message(uint32_t node, uint32_t operation, const uint32_t *words);

/*
 * A chore: does what the server can do now. Waits for space in the network
 * only.
 */
void server_step(void);

#endif /* GLAZE_SERVER_H */
