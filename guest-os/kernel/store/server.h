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

/* Page frames that a server takes. */
#define SERVER_FRAMES   2

/* Looks for the disk, and keeps frames for it. Once, at the start. */
void server_init(void);

/* A message of the second network for the server: notes it. */
void server_message(uint32_t node, uint32_t operation, const uint32_t *words);

/* Goes on with what can be gone on with; waits for nothing but space. */
void server_step(void);

#endif /* GLAZE_SERVER_H */
