/*
 * FIFOs in the memory of tasks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <string.h>

#include "machine/message.h"
#include "machine/pending.h"
#include "services/io.h"
#include "services/mbcf/fifo.h"
#include "services/mbcf/reach.h"
#include "services/mbcf/replies.h"

/* The part of a FIFO's buffer from an offset on: one piece, or two. */
struct part {
    uint32_t address[2], bytes[2];
};

/* Returns the place in the buffer of an offset below twice its size. A division would
 * take some 150 cycles. */
static uint32_t wrap(const struct mbcf_fifo *f, uint32_t offset)
{
    return offset < f->size ? offset : offset - f->size;
}

/* Returns where `bytes` bytes are from an offset on, at most the size. */
static struct part part_at(const struct mbcf_fifo *f, uint32_t offset,
                           uint32_t bytes)
{
    uint32_t at = wrap(f, offset);
    uint32_t first = f->size - at < bytes ? f->size - at : bytes;
    struct part part = {
        { f->buffer + at, f->buffer }, { first, bytes - first },
    };

    return part;
}

/* ---- Commands ------------------------------------------------------------ */

static void stop(struct process *p, uint32_t address)
{
    const uint32_t one = 1;

    reach_store(p, address + offsetof(struct mbcf_fifo, stopped), &one,
                sizeof(one));
}

static uint32_t check_room(struct process *p, uint32_t address,
                           const struct mbcf_fifo *f, uint32_t room,
                           uint32_t command, uint32_t named)
{
    if (command == MBCF_FIFOE && fifo_refuses(f, named)) {
        return MBCF_STOPPED;
    }
    if (room <= f->size - f->used) {
        return MBCF_DONE;
    }
    if (command == MBCF_FIFO || command == MBCF_SIGNAL || f->stopped) {
        return MBCF_FULL;
    }
    stop(p, address);
    return MBCF_STOPS;
}

uint32_t fifo_check(struct process *p, uint32_t agent, uint32_t address,
                    uint32_t bytes, uint32_t command, uint32_t named)
{
    uint32_t room = fifo_room(bytes), status;
    struct mbcf_fifo f;
    struct part part;

    if (address & 3) {
        return MBCF_UNALIGNED;
    }
    status = reach_check(p, agent, address, sizeof(f), command == MBCF_SIGNAL
                         ? REACH_INNER : REACH_STRUCTURE);
    if (status != MBCF_DONE) {
        return status;
    }
    reach_load(p, &f, address, sizeof(f));
    if (!fifo_makes_sense(&f)) {
        return MBCF_BAD_STRUCTURE;
    }
    replies_epoch = mbcf_epoch_now(&f);
    status = check_room(p, address, &f, room, command, named);
    part = part_at(&f, f.head + f.used, room);
    for (unsigned k = 0; k < 2 && status == MBCF_DONE; k++) {
        if (part.bytes[k]) {
            status = reach_check(p, agent, part.address[k], part.bytes[k],
                                 REACH_POINTED);
        }
    }
    return status;
}

uint32_t fifo_end(struct process *p, uint32_t address)
{
    struct mbcf_fifo f;

    reach_load(p, &f, address, sizeof(f));
    return part_at(&f, f.head + f.used, 1).address[0];
}

/* Stores bytes at an offset of the buffer. Returns the offset after them. */
static uint32_t ring_put(struct process *p, const struct mbcf_fifo *f,
                         uint32_t offset, const void *from, uint32_t bytes)
{
    struct part part = part_at(f, offset, bytes);

    reach_store(p, part.address[0], from, part.bytes[0]);
    reach_store(p, part.address[1], (const char *)from + part.bytes[0],
                part.bytes[1]);
    return offset + bytes;
}

void fifo_part(struct process *p, uint32_t address, uint32_t offset,
               const void *from, uint32_t bytes)
{
    struct mbcf_fifo f;

    reach_load(p, &f, address, sizeof(f));
    ring_put(p, &f, f.head + f.used + sizeof(uint32_t) + offset, from, bytes);
}

void fifo_put(struct process *p, uint32_t command, uint32_t address,
              const void *head, uint32_t before, const void *data,
              uint32_t bytes, uint32_t done)
{
    uint32_t all = before + bytes, offset;
    struct mbcf_fifo f;

    reach_load(p, &f, address, sizeof(f));
    offset = ring_put(p, &f, f.head + f.used, &all, sizeof(all));
    offset = ring_put(p, &f, offset, head, before);
    ring_put(p, &f, offset + done, (const char *)data + done, bytes - done);
    f.used += fifo_room(all);
    if (command == MBCF_FIFOE_RETRY && f.stopped) {
        f.stopped = 0;
        f.epoch++;
    }
    reach_store(p, address, &f, sizeof(f));
}

/* ---- The task takes an entry --------------------------------------------- */

/* Copies part of the current process's buffer to the kernel. */
static enum memory_result get(const struct mbcf_fifo *f, uint32_t offset,
                              void *to, uint32_t bytes)
{
    struct part part = part_at(f, offset, bytes);
    enum memory_result result = memory_read(current, to, part.address[0],
                                            part.bytes[0]);

    if (result == MEMORY_OK) {
        result = memory_read(current, (char *)to + part.bytes[0],
                             part.address[1], part.bytes[1]);
    }
    return result;
}

/* Cycles to copy a byte, if neither source nor target is in the cache. */
#define COPY_CYCLES     4

/* Bytes between two looks for pieces of pages. */
#define COPY_LOOKS      256

/* Copies bytes within the current process's memory. */
static enum memory_result copy(uint32_t to, uint32_t from, uint32_t bytes)
{
    enum memory_result result = MEMORY_OK;

    while (bytes && result == MEMORY_OK) {
        uint32_t part = GLAZE_PAGE - from % GLAZE_PAGE;

        part = part < COPY_LOOKS ? part : COPY_LOOKS;
        part = part < bytes ? part : bytes;
        message_look(COPY_CYCLES * bytes);
        result = memory_touch(current, from, false);
        if (result == MEMORY_OK) {
            result = memory_write(current, to, (void *)reach_physical(current, from),
                                  part);
        }
        from += part;
        to += part;
        bytes -= part;
    }
    return result;
}

/* Copies bytes of the oldest entry, from one of them on, to the current process's
 * memory. */
static enum memory_result copy_entry(const struct mbcf_fifo *f, uint32_t from,
                                     uint32_t to, uint32_t bytes)
{
    struct part part = part_at(f, f->head + sizeof(uint32_t) + from, bytes);
    enum memory_result result = copy(to, part.address[0], part.bytes[0]);

    if (result == MEMORY_OK) {
        result = copy(to + part.bytes[0], part.address[1], part.bytes[1]);
    }
    return result;
}

/* Bytes that are copied even if there is no time, and at most: so there is time for
 * pieces of pages. */
#define COPY_LEAST      1024
#define COPY_MOST       1536

/*
 * Moves the oldest entry's bytes to the current process's memory, as many as there is
 * time for. MEMORY_LATER: the call has to be made again. It goes on if it has the same
 * arguments, and the entry is the same.
 */
static enum memory_result move_entry(struct mbcf_taken taken, const struct mbcf_fifo *f)
{
    struct mbcf_call *call = task_call(current);
    uint32_t done, part = kernel_time_left() / COPY_CYCLES & ~7u;
    enum memory_result result;

    if (memcmp(&call->taken, &taken, sizeof(taken))) {
        call->taken = taken;
        call->taken_bytes = 0;
    }
    done = call->taken_bytes;
    part = part < COPY_MOST ? part : COPY_MOST;
    part = part > COPY_LEAST ? part : COPY_LEAST;
    part = part < taken.bytes - done ? part : taken.bytes - done;
    result = copy_entry(f, done, taken.to + done, part);
    if (result == MEMORY_OK) {
        call->taken_bytes += part;
        result = done + part < taken.bytes ? MEMORY_LATER : MEMORY_OK;
    }
    return result;
}

int32_t fifo_take(uint32_t address, uint32_t to, uint32_t most)
{
    struct mbcf_fifo f;
    uint32_t bytes;
    enum memory_result result = memory_read(current, &f, address, sizeof(f));

    if (result != MEMORY_OK) {
        return io_error(result);
    }
    if (!fifo_makes_sense(&f)) {
        return -EINVAL;
    }
    if (!f.used) {
        return -EAGAIN;
    }
    result = get(&f, f.head, &bytes, sizeof(bytes));
    if (result != MEMORY_OK) {
        return io_error(result);
    }
    if (bytes > FIFO_BYTES_MAX || fifo_room(bytes) > f.used) {
        return -EINVAL;
    }
    if (bytes > most) {
        return -EMSGSIZE;
    }
    result = move_entry((struct mbcf_taken) { address, to, f.head, bytes }, &f);
    f.head = wrap(&f, f.head + fifo_room(bytes));
    f.used -= fifo_room(bytes);
    if (result == MEMORY_OK) {
        result = memory_write(current, address, &f, sizeof(f));
    }
    if (result != MEMORY_LATER) {
        task_call(current)->taken_bytes = 0;
    }
    return result == MEMORY_OK ? (int32_t)bytes : io_error(result);
}
