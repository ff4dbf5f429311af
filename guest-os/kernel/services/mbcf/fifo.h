/*
 * FIFOs in the memory of tasks (struct mbcf_fifo). The task can write to them,
 * so the kernel checks a structure whenever it uses it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_FIFO_H
#define GLAZE_FIFO_H

#include "services/mbcf/task.h"

/* Longest entry, in bytes: of a signal, with its source. */
#define FIFO_BYTES_MAX  (MBCF_BYTES_MAX + sizeof(struct mbcf_source))

/* Returns the bytes that an entry of `bytes` takes. */
static inline uint32_t fifo_room(uint32_t bytes)
{
    return sizeof(uint32_t) + ((bytes + 3) & ~3u);
}

static inline bool fifo_makes_sense(const struct mbcf_fifo *f)
{
    return !((f->buffer | f->size | f->head | f->used) & 3) && f->size >= 8 &&
           f->size <= MBCF_FIFO_MAX && f->size <= -f->buffer &&
           f->head < f->size && f->used <= f->size;
}

/*
 * Returns how many of the bytes from an offset of the buffer on are on one page
 * and before the buffer's end.
 */
static inline uint32_t fifo_piece(const struct mbcf_fifo *f, uint32_t at,
                                  uint32_t bytes)
{
    uint32_t page = GLAZE_PAGE - ((f->buffer + at) & (GLAZE_PAGE - 1));

    bytes = bytes < page ? bytes : page;
    return bytes < f->size - at ? bytes : f->size - at;
}

/* Returns the offset of the buffer that comes `bytes` after another one. */
static inline uint32_t fifo_after(const struct mbcf_fifo *f, uint32_t at,
                                  uint32_t bytes)
{
    return at + bytes < f->size ? at + bytes : at + bytes - f->size;
}

/*
 * Returns whether a FIFOE that names an epoch, or none, is refused whether there is
 * room or not. Within an epoch the FIFO first takes entries and then refuses them.
 * So of what a requester sends in one epoch, nothing overtakes what was refused.
 */
static inline bool fifo_refuses(const struct mbcf_fifo *f, uint32_t named)
{
    return f->stopped || (named && named != mbcf_epoch_now(f));
}

/*
 * Checks that an entry of `bytes` can be appended to the FIFO at an address,
 * by a command (MBCF_FIFO, MBCF_FIFOE, MBCF_FIFOE_RETRY; MBCF_SIGNAL: a signal
 * structure names the FIFO). `named` is the epoch that a FIFOE names. Returns a
 * status as execute_check() does, and notes the FIFO's epoch for the reply.
 * Changes nothing, except that MBCF_STOPS has stopped the FIFO.
 */
uint32_t fifo_check(struct process *p, uint32_t agent, uint32_t address,
                    uint32_t bytes, uint32_t command, uint32_t named);

/* Returns the address in p at which the next entry of a FIFO begins. */
uint32_t fifo_end(struct process *p, uint32_t address);

/*
 * Stores bytes of an entry that has been checked, from one of its offsets on: the entry
 * is appended later.
 */
void fifo_part(struct process *p, uint32_t address, uint32_t offset,
               const void *from, uint32_t bytes);

/*
 * Appends an entry that has been checked: `before` bytes from `head`, and
 * `bytes` from `data`, of which fifo_part() has stored `done`. `before` is a multiple
 * of 4. A FIFO that is stopped goes
 * on, in the next epoch, if `command` is MBCF_FIFOE_RETRY, and only then: if the
 * entry of another requester let it go on, a FIFOE on its way could overtake one that
 * was refused.
 */
void fifo_put(struct process *p, uint32_t command, uint32_t address,
              const void *head, uint32_t before, const void *data,
              uint32_t bytes, uint32_t done);

/*
 * MBCF_TAKE of the current process: moves the oldest entry to memory of at most
 * `most` bytes. Returns its number of bytes, or -EAGAIN: there is none,
 * -EMSGSIZE: it has more than `most`, -EINVAL: the structure makes no sense, or
 * the results of io_error().
 */
int32_t fifo_take(uint32_t address, uint32_t to, uint32_t most);

#endif /* GLAZE_FIFO_H */
