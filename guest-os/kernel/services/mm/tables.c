/*
 * The interface's tables of segments and handlers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "image.h"
#include "services/mm/mm_regs.h"
#include "services/mm/tables.h"

static uint8_t next_segment, next_handler;      /* entries that are replaced next */

/* ---- Entries -------------------------------------------------------------- */

/* Selects an entry, and returns its first word. */
static uint32_t segment_gid(unsigned entry)
{
    write32(NI_K(MM_GTLB), entry);
    return read32(NI_K(MM_SEGMENT) + 4 * FUGU_MM_SEG_GID);
}

static uint32_t handler_gid(unsigned entry)
{
    write32(NI_K(MM_HANDLER), entry);
    return read32(NI_K(MM_ENTRY) + 4 * FUGU_MM_ENTRY_GID);
}

static uint32_t segment_word(const struct process *p)
{
    return FUGU_MM_VALID | p->gid;
}

static uint32_t handler_word(const struct process *p, unsigned number)
{
    return FUGU_MM_VALID | number << FUGU_MM_INDEX_SHIFT | p->gid;
}

/* Returns the entry of a segment of p, or FUGU_MM_GTLB; of a handler, or
 * FUGU_MM_HANDLERS. */
static unsigned entry_of(const struct process *p, const struct segment *s)
{
    unsigned i = 0;

    while (i < FUGU_MM_GTLB &&
           (segment_gid(i) != segment_word(p) ||
            read32(NI_K(MM_SEGMENT) + 4 * FUGU_MM_SEG_BASE) != s->window)) {
        i++;
    }
    return i;
}

static unsigned entry_of_handler(const struct process *p, unsigned number)
{
    unsigned i = 0;

    while (i < FUGU_MM_HANDLERS && handler_gid(i) != handler_word(p, number)) {
        i++;
    }
    return i;
}

/* An entry is invalid while its words change: SENDs of slots go on meanwhile. */
static void enter_segment(const struct process *p, const struct segment *s)
{
    (void)segment_gid(next_segment);
    next_segment = (next_segment + 1) % FUGU_MM_GTLB;
    mm_segment_word(FUGU_MM_SEG_GID, 0);
    mm_segment_word(FUGU_MM_SEG_BASE, s->window);
    mm_segment_word(FUGU_MM_SEG_SIZE, s->log);
    mm_segment_word(FUGU_MM_SEG_LOCAL, s->address);
    mm_segment_word(FUGU_MM_SEG_GID, segment_word(p));
}

static void enter_handler(const struct process *p, unsigned number, uint32_t pc,
                          uint32_t extent)
{
    (void)handler_gid(next_handler);
    next_handler = (next_handler + 1) % FUGU_MM_HANDLERS;
    mm_handler_word(FUGU_MM_ENTRY_GID, 0);
    mm_handler_word(FUGU_MM_ENTRY_PC, pc);
    mm_handler_word(FUGU_MM_ENTRY_EXTENT, extent);
    mm_handler_word(FUGU_MM_ENTRY_GID, handler_word(p, number));
}

/* ---- Misses --------------------------------------------------------------- */

/* Returns the segment of p whose window has an address; NULL. */
static const struct segment *find_segment(const struct process *p, uint32_t dest)
{
    for (const struct segment *s = p->segment; s < p->segment + SEGMENTS_MAX; s++) {
        if (s->state == SEGMENT_LIVE && dest >= s->window &&
            (dest - s->window) >> s->log < ni_nodes()) {
            return s;
        }
    }
    return NULL;
}

void tables_need(const struct process *p, const struct segment *s, unsigned number,
                 uint32_t pc, uint32_t extent)
{
    if (entry_of(p, s) == FUGU_MM_GTLB) {
        enter_segment(p, s);
    }
    if (entry_of_handler(p, number) == FUGU_MM_HANDLERS) {
        enter_handler(p, number, pc, extent);
    }
}

const char *tables_enter(const struct process *p, uint32_t dest, uint32_t handler)
{
    const struct segment *s = find_segment(p, dest);
    const struct image_handler *h;

    if (!s) {
        return "protection-violation: SEND to an address in no segment of its own";
    }
    if (handler >= p->program->handlers) {
        return "protection-violation: SEND of a handler that its program does not have";
    }
    h = (const struct image_handler *)p->program->handler + handler;
    tables_need(p, s, handler, h->entry, h->extent);
    return NULL;
}

/* ---- Ends ----------------------------------------------------------------- */

void tables_forget_segment(const struct process *p, const struct segment *s)
{
    if (entry_of(p, s) < FUGU_MM_GTLB) {        /* which is selected now */
        mm_segment_word(FUGU_MM_SEG_GID, 0);
    }
}

void tables_forget(const struct process *p)
{
    for (unsigned i = 0; i < FUGU_MM_GTLB; i++) {
        if (segment_gid(i) == segment_word(p)) {
            mm_segment_word(FUGU_MM_SEG_GID, 0);
        }
    }
    for (unsigned i = 0; i < FUGU_MM_HANDLERS; i++) {
        if ((handler_gid(i) & (FUGU_MM_VALID | FUGU_GID_MAX)) == segment_word(p)) {
            mm_handler_word(FUGU_MM_ENTRY_GID, 0);
        }
    }
}
