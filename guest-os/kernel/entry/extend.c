/*
 * Pages for insertions in assembly.
 *
 * insert.S calls extend() with traps disabled, in the middle of the interrupted
 * code's windows. So extend() has one register window: it may call functions
 * only that use none, and it must not change %y. tests/glaze/test_windows.py
 * checks that in the compiled code.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "buffer/buffer.h"
#include "memory/pages.h"
#include "entry/extend.h"
#include "machine/ni.h"
#include "memory/water.h"
#include "machine/debts.h"
#include "memory/frames.h"

/*
 * Returns whether extend() may begin p's buffer. Otherwise C has to wake p, or
 * make an upcall, or p has ended.
 */
static inline bool may_begin(const struct process *p)
{
    return p->state == PROCESS_RUNNABLE &&
           (p != current || (p->info->mode == GLAZE_BUFFERED &&
                             !p->info->hold &&
                             ni_uac() & FUGU_UAC_INTERRUPT_DISABLE));
}

/* Begins p's buffer with a page: what C does in delivery_enter(), buffer_note()
 * and delivery_settle(). */
static inline void buffered_begin(struct process *p, uint32_t page)
{
    struct information *info = p->info;

    if (info->mode == GLAZE_FAST) {
        info->mode = GLAZE_BUFFERED;
        info->entries++;
        info->causes[GLAZE_IN_MISMATCH]++;
        MARK_VALUE("buffered", p->gid, GLAZE_IN_MISMATCH);
    }
    info->head = info->stop = page;
    if (!info->hold || p->reads) {
        p->tail_note = &info->stop;
    }
    if (p == current) {
        ni_set_uac(ni_uac() | FUGU_UAC_ATOMICITY_EXTEND);
    }
}

uint32_t extend(struct process *p, uint32_t base)
{
    uint32_t page = page_after(p->tail, GLAZE_BUFFER, GLAZE_BUFFER_END);
    uint32_t *entry = space_entry(p, page), frame;
    bool empty = buffer_is_empty(p);

    if (!entry || page == page_of(p->info->head) ||
        frames_free() <= water_low_frames || p->pages_away >= DEBTS_PAGES ||
        (empty && !may_begin(p))) {
        return 0;
    }
    frame = frame_alloc_clean(frame_colour(page));
    if (!frame) {
        return 0;
    }
    pages_put(p, entry, frame, ACCESS_R_RW);
    p->tail = page;
    pages_note_room(p, frame);
    p->tail_note = &p->tail_unnoted;    /* info->stop is the last record of the
                                           page that is full */
    if (empty) {
        buffered_begin(p, page);
    }
    return empty && p == current ? page : base;
}
