/*
 * What the fast path of MBCF seldom does. This file is compiled without register
 * windows (-mflat), because the fast path has one window, and is in it already.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/hardware.h"
#include "machine/ni.h"
#include "memory/quick_memory.h"
#include "services/mbcf/fifo.h"
#include "services/mbcf/quick_rare.h"
#include "services/mbcf/task.h"

bool rare_must_wait(uint64_t *time)
{
    if (now() < *time) {
        return true;
    }
    *time = 0;
    return false;
}

/* Somewhat more than a body of 4,096 bytes takes from launch to launch. */
#define BODY_WAIT       6000

bool rare_wait_for_body(void)
{
    volatile uint32_t *ni = quick_ni();
    uint32_t start = now();

    while (!ni_body_space()) {
        if (QUICK_K(ni, PENDING) ||
            read32(FUGU_TIMER_BASE + FUGU_TIMER_STATUS) ||
            (uint32_t)now() - start > BODY_WAIT) {
            return false;
        }
    }
    return true;
}

bool rare_take_pieces(struct process *p, uint32_t address, uint32_t bytes)
{
    uint32_t piece = quick_piece(address, bytes), bad = 0;
    uint32_t *to = quick_writable(p, address, piece, &bad);
    uint32_t *rest_to = quick_writable(p, address + piece, bytes - piece, &bad);
    uint32_t user, offset;

    if (bad) {
        return false;
    }
    user = ni_user_storeback();
    offset = ni_user_storeback_offset();
    ni_storeback((uint32_t)to, 0, piece);
    ni_storeback((uint32_t)rest_to, piece, bytes - piece);
    ni_set_user_storeback(user, offset);
    ni_dispose();
    return true;
}

bool rare_store(struct process *p, const struct mbcf_fifo *f, uint32_t at,
                uint32_t room, bool write)
{
    uint32_t *from = (uint32_t *)task_scratch, bad = 0;

    while (room && !bad) {
        uint32_t piece = fifo_piece(f, at, room);
        uint32_t *to = quick_writable(p, f->buffer + at, piece, &bad);

        if (write) {
            quick_copy(to, from, piece);
        }
        from += piece / sizeof(*from);
        at = fifo_after(f, at, piece);
        room -= piece;
    }
    return !bad;
}

bool rare_fetch(const struct mbcf_fifo *f, uint32_t to, uint32_t bytes, bool write)
{
    uint32_t at = fifo_after(f, f->head, sizeof(uint32_t)), bad = 0;

    while (bytes && !bad) {
        uint32_t rest = GLAZE_PAGE - (to & (GLAZE_PAGE - 1));
        uint32_t piece = fifo_piece(f, at, bytes < rest ? bytes : rest);
        uint32_t *from = quick_readable(current, f->buffer + at, piece, &bad);
        uint32_t *place = quick_writable(current, to, piece, &bad);

        if (write) {
            quick_copy(place, from, piece);
        }
        at = fifo_after(f, at, piece);
        to += piece;
        bytes -= piece;
    }
    return !bad;
}
