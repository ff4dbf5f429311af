/*
 * What the fast path of MBCF seldom does: waits for a time and for a body, and bytes
 * over pages and over the end of a FIFO's buffer. This code is not in the places of the
 * rest of the fast path (kernel.ld).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_QUICK_RARE_H
#define GLAZE_QUICK_RARE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/process.h"

/* Returns whether a time has not come. Clears a time that has. */
bool rare_must_wait(uint64_t *time);

/*
 * Waits until the network can take a body, as the program would in its own loop: for
 * no longer than 6,000 cycles, and only as long as nothing is to interrupt it. Returns
 * whether the network can.
 */
bool rare_wait_for_body(void);

/*
 * Takes the head off the network, with its body, of which the first bytes go to the
 * page of an address of p, and the rest to the next page. Returns false, and takes
 * nothing, if the pages have to be reached on the slow path. `bytes` is a multiple of
 * 4.
 */
bool rare_take_pieces(struct process *p, uint32_t address, uint32_t bytes);

/*
 * Stores an entry from the scratch page in a FIFO's buffer, from offset `at` on, piece
 * by piece. `room` is what the entry takes: at most 4,096 bytes. `write` false: stores
 * nothing. Returns false if a piece has to be reached on the slow path.
 */
bool rare_store(struct process *p, const struct mbcf_fifo *f, uint32_t at,
                uint32_t room, bool write);

/*
 * Copies the bytes of a FIFO's oldest entry, without the word of their number, to
 * memory of the current process, piece by piece. `write` false: copies nothing.
 * Returns false if a piece has to be reached on the slow path.
 */
bool rare_fetch(const struct mbcf_fifo *f, uint32_t to, uint32_t bytes, bool write);

#endif /* GLAZE_QUICK_RARE_H */
