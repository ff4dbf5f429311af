/*
 * The parts of a mapping's own pages.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "machine/nipt.h"
#include "memory/space.h"
#include "services/shrimp/parts.h"
#include "services/shrimp/pins.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)

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

/* What is in a page already. */
struct taken {
    bool lower, upper;
    uint32_t split;
};

static int32_t check_piece(const struct map *m, const struct piece *piece,
                           const struct taken *taken)
{
    bool lower = taken->lower, upper = taken->upper;

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
    if ((lower || upper) && taken->split != (piece->from ? piece->from : piece->to)) {
        return upper && !taken->split ? -EBUSY : -EINVAL;
    }
    return 0;
}

struct piece parts_next(const struct map *m, uint32_t at, unsigned *k)
{
    uint32_t before = (m->local + m->displacement) & PAGE_MASK;
    uint32_t end = m->local + m->bytes, next;

    *k = (at - m->local + before) / GLAZE_PAGE;
    next = m->local + (*k + 1) * GLAZE_PAGE - before;
    return piece_at(at, next - m->local < m->bytes ? next : end);
}

uint32_t parts_range(const struct map *m, unsigned k, uint32_t *from)
{
    uint32_t before = (m->local + m->displacement) & PAGE_MASK;
    uint32_t to = (k + 1) * GLAZE_PAGE - before;

    *from = m->local + (k ? k * GLAZE_PAGE - before : 0);
    return m->local + (to < m->bytes ? to : m->bytes);
}

/* Adds what one mapping has in a page. */
static __attribute__((cold)) void take(const struct map *m, uint32_t page,
                                       struct taken *taken)
{
    uint32_t end = m->local + m->bytes;
    unsigned k;

    end = end - page < GLAZE_PAGE ? end : page + GLAZE_PAGE;
    for (uint32_t at = m->local > page ? m->local : page; at != end;) {
        struct piece piece = parts_next(m, at, &k);

        if (piece.to == GLAZE_PAGE) {
            taken->split = taken->lower ? taken->split : piece.from;
            taken->upper = true;
        } else {
            taken->split = taken->upper ? taken->split : piece.to;
            taken->lower = true;
        }
        at = page + piece.to;
    }
}

/* What other mappings have in a page. */
static __attribute__((cold)) struct taken taken_by(const struct map *const *maps,
                                                   unsigned count, uint32_t page)
{
    struct taken taken = { false };

    for (unsigned i = 0; i < count; i++) {
        if (maps[i]->granted && parts_covers(maps[i], page)) {
            take(maps[i], page, &taken);
        }
    }
    return taken;
}

static struct taken taken_in(struct process *p, uint32_t page)
{
    nipt_select(pins_frame(p, page));
    return (struct taken) { nipt_lower(), nipt_upper(), nipt_split() };
}

/* Lists the other mappings of p that share pages with m. Returns how many. */
static __attribute__((cold)) unsigned list_near(struct process *p, const struct map *m,
                                                const struct map **near)
{
    uint32_t first = m->local & ~PAGE_MASK, end = m->local + m->bytes;
    unsigned count = 0;

    for (unsigned i = 0; i < p->shrimp->maps_used; i++) {
        const struct map *o = &p->shrimp->maps[i];

        if (o != m && o->state != MAP_FREE && (o->local & ~PAGE_MASK) < end &&
            first < o->local + o->bytes) {
            near[count++] = o;
        }
    }
    return count;
}

/*
 * Returns whether the NIPT has all parts that are taken: pages stay in memory, and no
 * other mapping of p has been granted only some of its pages, or ends and has yet to
 * let pages go, whose entries it then clears. (One that has died in the midst of this
 * waits for an answer, and no other one is checked before that has come.)
 */
static bool nipt_tells(struct process *p, const struct map *m)
{
    for (unsigned i = 0; i < p->shrimp->maps_used; i++) {
        const struct map *o = &p->shrimp->maps[i];

        if (o != m && o->pinned && o->granted && o->state != MAP_LIVE &&
            o->state != MAP_DEAD) {
            return false;
        }
    }
    return !shrimp_paging;
}

int32_t parts_check(struct process *p, const struct map *m)
{
    const struct map *near[SHRIMP_MAPS];
    bool tells = nipt_tells(p, m);
    unsigned count = tells ? 0 : list_near(p, m, near);
    uint32_t end = m->local + m->bytes;
    struct piece piece;
    int32_t result = 0;

    for (uint32_t at = m->local; at != end && !result; at = piece.page + piece.to) {
        struct taken taken;

        piece = piece_at(at, end);
        taken = tells ? taken_in(p, piece.page) : taken_by(near, count, piece.page);
        result = check_piece(m, &piece, &taken);
    }
    return result;
}

unsigned parts_pages(const struct map *m)
{
    uint32_t first = (m->local + m->displacement) & PAGE_MASK;

    return (first + m->bytes + PAGE_MASK) / GLAZE_PAGE;
}

void parts_set_piece(struct process *p, const struct piece *piece, uint64_t part)
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

bool parts_has_piece(struct process *p, const struct piece *piece)
{
    nipt_select(pins_frame(p, piece->page));
    return piece->to == GLAZE_PAGE ? nipt_upper() : nipt_lower();
}

void parts_set(struct process *p, const struct map *m, unsigned k, uint32_t frame)
{
    uint64_t part = nipt_part(m->mode, m->node, frame, m->displacement);
    uint32_t at, to = parts_range(m, k, &at);

    while (at != to) {
        struct piece piece = piece_at(at, to);

        parts_set_piece(p, &piece, part);
        at = piece.page + piece.to;
    }
}

uint64_t parts_dead(const struct map *m)
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
    if (!space_is_in(p, piece->page)) {
        return;                 /* it went out, and its entry was cleared then */
    }
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
    uint64_t part = dead ? parts_dead(m) : 0;
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

__attribute__((cold)) void parts_clear_page(struct process *p, const struct map *m,
                                            unsigned k)
{
    uint32_t at, to = parts_range(m, k, &at);

    while (at != to) {
        struct piece piece = piece_at(at, to);

        if (space_is_in(p, piece.page) && parts_has_piece(p, &piece)) {
            if (piece.to == GLAZE_PAGE) {
                nipt_set_upper(0);
            } else {
                nipt_set_lower(0);
            }
        }
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
