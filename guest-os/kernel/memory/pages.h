/*
 * Pages of the message buffer: what buffer.c and extend.c share. The functions
 * are inline, because extend.c has one register window.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PAGES_H
#define GLAZE_PAGES_H

#include "machine/latency.h"
#include "marks.h"
#include "memory/space.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)
#define PAGE_END        (RECORDS_A_PAGE * RECORD_SIZE)

static inline uint32_t page_of(uint32_t address)
{
    return address & ~PAGE_MASK;
}

/* Returns the next page in a ring from first to end. */
static inline uint32_t page_after(uint32_t address, uint32_t first,
                                  uint32_t end)
{
    uint32_t next = page_of(address) + GLAZE_PAGE;

    return next == end ? first : next;
}

/* Makes a frame a page of p's buffer, at an entry that is 0. */
static inline void pages_put(struct process *p, uint32_t *entry,
                             uint32_t frame, unsigned access)
{
    *entry = pte_frame(frame, access);
    p->pages++;
    p->buffer_pages++;
    p->pages_away += p != current;
    MARK_VALUE("buffer_pages", p->gid, p->buffer_pages);
    if (p->buffer_pages > p->buffer_pages_most) {
        p->buffer_pages_most = p->buffer_pages;
    }
}

/*
 * Tells insert.S where the next record goes, a physical address in the page of
 * p->tail.
 */
static inline void pages_note_room(struct process *p, uint32_t next)
{
    p->insert_next = next;
    p->insert_late_end = page_of(next) + PAGE_END;
    p->insert_end = buffer_latency ? 0 : p->insert_late_end;
}

#endif /* GLAZE_PAGES_H */
