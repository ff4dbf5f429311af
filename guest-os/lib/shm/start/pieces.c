/*
 * The first process's memory in pieces.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>
#include <unistd.h>

#include "glaze-calls.h"
#include "start.h"

/* program.ld */
extern char program_copy_start[], program_copy_end[], heap_start[];

#define ZERO_MOST       (8 * GLAZE_PAGE)

static uint32_t page_up(uint32_t address)
{
    return (address + GLAZE_PAGE - 1) & -GLAZE_PAGE;
}

struct range data_range(void)
{
    return (struct range) { (uintptr_t)program_copy_start,
                            (uintptr_t)program_copy_end };
}

struct range data_pages(void)
{
    struct range range = { page_up((uintptr_t)program_copy_start),
                           (uintptr_t)program_copy_end & -GLAZE_PAGE };

    if (range.to < range.from) {
        range.to = range.from;
    }
    return range;
}

struct range heap_range(void)
{
    return (struct range) { (uintptr_t)heap_start,
                            page_up((uintptr_t)sbrk(0)) };
}

/* Returns how many bytes of a range begin it with pages that a system call
 * counts. It counts no stacks. */
static uint32_t pages_of(int32_t call(uint32_t, uint32_t),
                         const struct range *range)
{
    uint32_t bytes = (range->to - range->from) & -GLAZE_PAGE;
    int32_t found = 0;

    if (range->from % GLAZE_PAGE == 0 && range->to <= GLAZE_PROGRAM_END) {
        found = call(range->from, bytes);
    }
    return found > 0 ? found : 0;
}

static bool is_zero(const char *from, uint32_t bytes)
{
    while (bytes && (uintptr_t)from % 4) {
        if (*from++) {
            return false;
        }
        bytes--;
    }
    for (; bytes >= 4; bytes -= 4, from += 4) {
        if (*(const uint32_t *)from) {
            return false;
        }
    }
    while (bytes--) {
        if (*from++) {
            return false;
        }
    }
    return true;
}

bool piece_next(struct range *range, enum pieces which, struct piece *piece)
{
    while (range->from < range->to) {
        uint32_t end = (range->from | (GLAZE_PAGE - 1)) + 1, skip = 0;

        if (which == PIECES_CHANGED || which == PIECES_CHANGED_ONCE) {
            skip = pages_of(glaze_unchanged, range);
        }
        if (skip) {
            range->from += skip;
            continue;
        }
        if (which == PIECES_CHANGED_ONCE) {     /* before the page is read */
            glaze_watch(range->from, GLAZE_PAGE);
        }
        piece->at = range->from;
        piece->bytes = pages_of(glaze_fresh, range);
        piece->zero = piece->bytes;
        if (piece->bytes > ZERO_MOST) {
            piece->bytes = ZERO_MOST;
        }
        if (piece->bytes && which == PIECES_CHANGED_ONCE) {
            piece->bytes = GLAZE_PAGE;
        }
        if (!piece->zero) {
            piece->bytes = (end < range->to ? end : range->to) - piece->at;
            piece->zero = is_zero((char *)piece->at, piece->bytes);
        }
        range->from += piece->bytes;
        if (!piece->zero || which != PIECES_NOT_ZERO) {
            return true;
        }
    }
    return false;
}

void zero_clear(uint32_t at, uint32_t bytes)
{
    uint32_t end = at + bytes;

    while (at < end) {
        uint32_t next = (at | (GLAZE_PAGE - 1)) + 1;

        if (at % GLAZE_PAGE || glaze_fresh(at, GLAZE_PAGE) <= 0) {
            memset((void *)at, 0, (next < end ? next : end) - at);
        }
        at = next;
    }
}

void copy_watch(void)
{
    struct range data = data_pages(), heap = heap_range();

    glaze_watch(data.from, data.to - data.from);
    glaze_watch(heap.from, heap.to - heap.from);
}

static bool is_unchanged(struct range range)
{
    while (range.from < range.to) {
        uint32_t found = pages_of(glaze_unchanged, &range);

        if (!found) {
            return false;
        }
        range.from += found;
    }
    return true;
}

bool copy_is_unchanged(void)
{
    return is_unchanged(data_pages()) && is_unchanged(heap_range());
}
