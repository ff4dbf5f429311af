/*
 * The parts of a mapping's own pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "machine/nipt.h"
#include "services/shrimp/parts.h"
#include "services/shrimp/pins.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)

/* A range of offsets in one page. */
struct piece {
    uint32_t page;
    uint32_t from, to;          /* to: the first offset after it */
};

/* Returns the piece of a range that is in the page of its address `at`. */
static struct piece piece_at(uint32_t at, uint32_t end)
{
    struct piece piece = { .page = at & ~PAGE_MASK, .from = at & PAGE_MASK };

    piece.to = end - piece.page < GLAZE_PAGE ? end - piece.page : GLAZE_PAGE;
    return piece;
}

/* Returns the offset in a piece's page from which on bytes go to the target's next
 * page; 0 if there is none. */
static uint32_t crossing(const struct map *m, const struct piece *piece)
{
    uint32_t at = (GLAZE_PAGE - m->displacement) & PAGE_MASK;

    return at > piece->from && at < piece->to ? at : 0;
}

static bool is_whole(const struct piece *piece)
{
    return !piece->from && piece->to == GLAZE_PAGE;
}

static int32_t check_piece(const struct map *m, const struct piece *piece)
{
    bool lower = nipt_lower(), upper = nipt_upper();

    if (crossing(m, piece) && !is_whole(piece)) {
        return -EINVAL;
    }
    if (is_whole(piece)) {
        return lower || upper ? -EBUSY : 0;
    }
    if (piece->from && piece->to != GLAZE_PAGE) {
        return -EINVAL;
    }
    if (piece->from ? upper : lower) {
        return -EBUSY;
    }
    if ((lower || upper) && nipt_split() != (piece->from ? piece->from : piece->to)) {
        return upper && !nipt_split() ? -EBUSY : -EINVAL;
    }
    return 0;
}

int32_t parts_check(struct process *p, const struct map *m)
{
    uint32_t end = m->local + m->bytes;
    struct piece piece;
    int32_t result = 0;

    for (uint32_t at = m->local; at != end && !result; at = piece.page + piece.to) {
        piece = piece_at(at, end);
        nipt_select(pins_frame(p, piece.page));
        result = check_piece(m, &piece);
    }
    return result;
}

unsigned parts_pages(const struct map *m)
{
    uint32_t first = (m->local + m->displacement) & PAGE_MASK;

    return (first + m->bytes + PAGE_MASK) / GLAZE_PAGE;
}

/* Sets a piece that goes to one page of the target. */
static void set_piece(struct process *p, const struct piece *piece, uint64_t part)
{
    nipt_select(pins_frame(p, piece->page));
    if (piece->to == GLAZE_PAGE) {
        if (!nipt_lower()) {
            nipt_set_split(piece->from);
        }
        nipt_set_upper(part);
    } else {
        if (!nipt_upper()) {
            nipt_set_split(piece->to);
        }
        nipt_set_lower(part);
    }
}

void parts_set(struct process *p, const struct map *m, unsigned k, uint32_t frame)
{
    uint32_t before = (m->local + m->displacement) & PAGE_MASK;
    uint32_t from = k ? k * GLAZE_PAGE - before : 0;
    uint32_t to = (k + 1) * GLAZE_PAGE - before;
    uint64_t part = nipt_part(m->mode, m->node, frame, m->displacement);

    to = m->local + (to < m->bytes ? to : m->bytes);
    for (uint32_t at = m->local + from; at != to;) {
        struct piece piece = piece_at(at, to);

        set_piece(p, &piece, part);
        at = piece.page + piece.to;
    }
}

/* No page of RAM has this address: the node itself drops what is sent there. */
static uint64_t dead_part(const struct map *m)
{
    return nipt_part(m->mode, ni_node(), 0, m->displacement);
}

/* Returns what is in place of a part that has been set. */
static uint64_t end_of(uint64_t part, uint64_t dead)
{
    return part ? dead : 0;
}

static void clear_piece(struct process *p, const struct piece *piece, uint64_t part)
{
    nipt_select(pins_frame(p, piece->page));
    if (!piece->from && nipt_split()) {
        nipt_set_lower(end_of(nipt_lower(), part));
    }
    if (piece->to == GLAZE_PAGE) {
        nipt_set_upper(end_of(nipt_upper(), part));
    }
}

void parts_clear(struct process *p, const struct map *m, bool dead)
{
    uint64_t part = dead ? dead_part(m) : 0;
    uint32_t page = m->local & ~PAGE_MASK, end = m->local + m->bytes;

    if (page + m->pinned * GLAZE_PAGE < end) {
        end = page + m->pinned * GLAZE_PAGE;
    }
    for (uint32_t at = m->local; at < end;) {
        struct piece piece = piece_at(at, end);

        clear_piece(p, &piece, part);
        at = piece.page + piece.to;
    }
}

void parts_clear_last(struct process *p, const struct map *m)
{
    uint32_t page = (m->local & ~PAGE_MASK) + (m->pinned - 1) * GLAZE_PAGE;
    struct piece piece = piece_at(m->local > page ? m->local : page,
                                  m->local + m->bytes);

    clear_piece(p, &piece, 0);
}
