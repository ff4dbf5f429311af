/*
 * Pages with mappings that may go out.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/nipt.h"
#include "memory/space.h"
#include "services/shrimp/pages.h"
#include "services/shrimp/pins.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)

bool pages_goes(const struct process *p, uint32_t page)
{
    const struct shoot *s = &shrimp->shoot;

    return s->state != SHOOT_NONE && s->gid == p->gid && s->page == page;
}

/* ---- Frames --------------------------------------------------------------- */

/* Returns the word of a page's frame; NULL: the page is not in memory. */
static uint32_t *note_of(struct process *p, uint32_t page)
{
    return space_is_in(p, page) ? frame_note(pins_frame(p, page)) : NULL;
}

static void attach(struct process *p, uint32_t *note, uint32_t which)
{
    *note |= p->gid << PIN_GID_SHIFT | FRAME_MAY_GO | which;
}

__attribute__((cold)) void pages_attach_in(struct process *p, uint32_t page)
{
    uint32_t *note = note_of(p, page);

    *space_entry(p, page) |= PTE_MODIFIED;
    if (!(*note & PIN_IN)) {
        nipt_select(pins_frame(p, page));
        nipt_set_in(true);
        attach(p, note, PIN_IN);
    }
    pages_settle(p, page);
}

__attribute__((cold)) void pages_detach_in(struct process *p, uint32_t page)
{
    uint32_t *note = note_of(p, page);

    if (note && *note & PIN_IN) {
        nipt_select(pins_frame(p, page));
        nipt_set_in(false);
        *note &= ~PIN_IN;
        pages_settle(p, page);
        shrimp_arrive(p);
    }
}

/* ---- Own pages ------------------------------------------------------------ */

/* What a page's mappings to others are like. */
enum mapped { MAPPED_NOT, MAPPED_IN_PART, MAPPED };

/* Adds what one mapping of the page says. Only granted pages of the target count. */
static enum mapped look_at(struct process *p, const struct map *m, uint32_t page,
                           enum mapped mapped, bool in)
{
    uint32_t end = m->local + m->bytes;
    unsigned k;

    end = end - page < GLAZE_PAGE ? end : page + GLAZE_PAGE;
    for (uint32_t at = m->local > page ? m->local : page; at != end;) {
        struct piece piece = parts_next(m, at, &k);

        if (k < m->granted) {
            mapped = in && mapped != MAPPED_IN_PART && !m->closing &&
                     parts_has_piece(p, &piece) ? MAPPED : MAPPED_IN_PART;
        }
        at = page + piece.to;
    }
    return mapped;
}

static enum mapped look(struct process *p, uint32_t page, bool in)
{
    enum mapped mapped = MAPPED_NOT;

    for (unsigned i = 0; i < p->shrimp->maps_used; i++) {
        const struct map *m = &p->shrimp->maps[i];

        if (parts_covers(m, page)) {
            mapped = look_at(p, m, page, mapped, in);
        }
    }
    return mapped;
}

/* Sets the entry of a page's command page. Without one, modes stay there: see below. */
static void set_command(struct process *p, uint32_t page, uint32_t value)
{
    uint32_t *entry = space_entry(p, page + SHRIMP_COMMANDS);
    bool had = entry && pte_is_page(*entry);

    /* The MMU may have noted accesses. */
    if (had != (value != 0)) {
        *entry = value;
        if (had) {
            mmu_flush(p == current ? page + SHRIMP_COMMANDS + MMU_FLUSH_PAGE
                                   : MMU_FLUSH_ALL);
        }
    }
}

__attribute__((cold)) void pages_settle(struct process *p, uint32_t page)
{
    bool goes = pages_goes(p, page);
    uint32_t *note = note_of(p, page);
    enum mapped mapped = look(p, page, note && !goes);

    if (note && mapped == MAPPED_NOT) {
        *note &= ~PIN_OUT;
    }
    if (note && !(*note & (PIN_IN | PIN_OUT))) {
        *note = 0;
    }
    space_close(p, page, mapped == MAPPED_IN_PART);
    set_command(p, page, note && *note && !goes && mapped != MAPPED_IN_PART
                         ? pins_command_entry(pins_frame(p, page)) : 0);
}

/* ---- Modes ---------------------------------------------------------------- */

/*
 * The process may have switched a part between the modes of automatic update. While
 * the part has no entry, nor the process the command page, the entry of that page,
 * which is invalid for the MMU then, says the part's mode. 0: it is the mapping's.
 */
#define MODE_MASK       3u
#define MODE_LOWER      11
#define MODE_UPPER      13
#define MODE_IN_PART    (32 + FUGU_NIPT_MODE_SHIFT)

static uint32_t *modes_of(struct process *p, uint32_t page)
{
    uint32_t *entry = space_entry(p, page + SHRIMP_COMMANDS);

    return entry && !pte_is_page(*entry) ? entry : NULL;
}

static unsigned mode_shift(const struct piece *piece)
{
    return piece->to == GLAZE_PAGE ? MODE_UPPER : MODE_LOWER;
}

static void note_mode(uint32_t *modes, unsigned shift, uint64_t part)
{
    if (part) {
        *modes = (*modes & ~(MODE_MASK << shift)) |
                 (uint32_t)(part >> MODE_IN_PART) << shift;
    }
}

__attribute__((cold)) void pages_note_modes(struct process *p, uint32_t page)
{
    uint32_t *modes = modes_of(p, page);

    if (modes) {
        nipt_select(pins_frame(p, page));
        note_mode(modes, MODE_LOWER, nipt_lower());
        note_mode(modes, MODE_UPPER, nipt_upper());
    }
}

/* Returns a part in the mode that has been noted. */
static uint64_t in_noted_mode(struct process *p, const struct piece *piece,
                              uint64_t part)
{
    const uint32_t *modes = modes_of(p, piece->page);
    uint32_t mode = modes ? *modes >> mode_shift(piece) & MODE_MASK : 0;

    return mode ? (part & ~((uint64_t)MODE_MASK << MODE_IN_PART)) |
                  (uint64_t)mode << MODE_IN_PART : part;
}

static void forget_mode(struct process *p, const struct piece *piece)
{
    uint32_t *modes = modes_of(p, piece->page);

    if (modes) {
        *modes &= ~(MODE_MASK << mode_shift(piece));
    }
}

/* ---- Entries -------------------------------------------------------------- */

__attribute__((cold)) void pages_set_piece(struct process *p, const struct piece *piece,
                                           uint64_t part)
{
    attach(p, note_of(p, piece->page), PIN_OUT);
    parts_set_piece(p, piece, in_noted_mode(p, piece, part));
}

__attribute__((cold)) void pages_set(struct process *p, struct map *m, unsigned k,
                                     uint32_t frame, bool anew)
{
    uint64_t part = nipt_part(m->mode, m->node, frame, m->displacement);
    uint32_t at, end = parts_range(m, k, &at);

    while (at != end) {
        unsigned of;
        struct piece piece = parts_next(m, at, &of);

        if (anew) {
            forget_mode(p, &piece);
        }
        if (space_is_in(p, piece.page) && !pages_goes(p, piece.page)) {
            pages_set_piece(p, &piece, part);
        }
        pages_settle(p, piece.page);
        at = piece.page + piece.to;
    }
}

/* ---- Ranges --------------------------------------------------------------- */

/* Returns how many bytes come before a range of pages that begins at `first`. */
static uint32_t before(uint32_t address, uint32_t bytes, uint32_t first,
                       uint32_t pages)
{
    if (address - first < pages * GLAZE_PAGE) {
        return 0;
    }
    return pages && first - address < bytes ? first - address : bytes;
}

__attribute__((cold)) uint32_t pages_before_maps(const struct process *p,
                                                 uint32_t address, uint32_t bytes)
{
    const struct shrimp_task *t = p->shrimp;

    for (unsigned i = 0; t && i < t->maps_used; i++) {
        const struct map *m = &t->maps[i];

        if (m->state != MAP_FREE) {
            bytes = before(address, bytes, m->local & ~PAGE_MASK, m->pinned);
        }
    }
    for (unsigned i = 0; t && i < t->grants_used; i++) {
        const struct grant *g = &t->grants[i];

        if (g->state != GRANT_FREE) {
            bytes = before(address, bytes, g->first, g->pages);
        }
    }
    return bytes;
}
