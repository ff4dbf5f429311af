/*
 * Segments.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>

#include "glaze-mm.h"
#include "machine/ni.h"
#include "machine/pending.h"
#include "memory/frames.h"
#include "memory/memory.h"
#include "memory/space.h"
#include "services/io.h"
#include "services/mm/segments.h"
#include "services/mm/tables.h"

_Static_assert(SEGMENTS_MAX == MM_SEGMENTS, "as glaze-mm.h says");

static uint32_t pinned;         /* frames of this node that stay for segments */

/* ---- Pins ----------------------------------------------------------------- */

static uint32_t *note_of(struct process *p, uint32_t page)
{
    return frame_note(pte_physical(*space_entry(p, page)));
}

/* Frames that a process may pin however many others have: one for collective
 * operations, and one of its own. */
#define PINS_ALWAYS     2

/* Returns whether p may pin another frame. All may pin half of the node's, and one
 * process a quarter. */
static bool may_pin(const struct process *p)
{
    return p->pinned < frames_total() / 4 &&
           (pinned < frames_total() / 2 || p->pinned < PINS_ALWAYS);
}

/* Pins a page in memory once more. Returns false if too many frames are pinned. */
static bool pin(struct process *p, uint32_t page)
{
    uint32_t *note = note_of(p, page);

    if (!*note) {
        if (!may_pin(p)) {
            return false;
        }
        pinned++;
        p->pinned++;
    }
    ++*note;
    return true;
}

static void unpin(struct process *p, uint32_t page)
{
    uint32_t *note = note_of(p, page);

    if (!--*note) {
        pinned--;
        p->pinned--;
    }
}

/* Pages that are let go between two looks at the clock: 70 cycles each. */
#define PAGES_AT_ONCE   8

/*
 * Lets the pages of a segment go, and frees it. Returns s->result; IO_AGAIN, if another
 * call has to go on.
 */
static int32_t release(struct process *p, struct segment *s)
{
    s->state = SEGMENT_ENDS;
    while (s->pages) {
        for (unsigned k = 0; k < PAGES_AT_ONCE && s->pages; k++) {
            unpin(p, s->address + --s->pages * GLAZE_PAGE);
        }
        if (s->pages && !kernel_has_time(now(), 70 * PAGES_AT_ONCE)) {
            return IO_AGAIN;
        }
    }
    s->state = SEGMENT_FREE;
    return s->result;
}

/* ---- Share ---------------------------------------------------------------- */

static bool is_range(const struct glaze_segment *w)
{
    return w->bytes >= GLAZE_PAGE && w->bytes <= MM_SEGMENT_MOST &&
           !(w->bytes & (w->bytes - 1)) && !(w->window & (GLAZE_PAGE - 1)) &&
           memory_in_program(w->address, w->bytes);
}

/* Returns whether the parts of all nodes are in the window. */
static bool is_in_window(const struct glaze_segment *w)
{
    uint32_t offset = w->window - MM_WINDOW;

    return offset < MM_WINDOW_SIZE &&
           ni_nodes() <= (MM_WINDOW_SIZE - offset) / w->bytes;
}

static uint32_t bytes_of(const struct segment *s)
{
    return 1u << s->log;
}

static bool is_same(const struct segment *s, const struct glaze_segment *w)
{
    return s->window == w->window && s->address == w->address &&
           bytes_of(s) == w->bytes;
}

/* Returns whether the parts of all nodes share an address with those of a segment. */
static bool overlaps(const struct segment *s, const struct glaze_segment *w)
{
    return w->window < s->window + ni_nodes() * bytes_of(s) &&
           s->window < w->window + ni_nodes() * w->bytes;
}

/*
 * Finds the segment that a call makes: the one that it has begun before, or a free one.
 * What other calls have begun and left is given up. Returns NULL, and sets *error, if
 * the call is refused, or has to be made again.
 */
static struct segment *segment_for(const struct glaze_segment *w, int32_t *error)
{
    struct segment *found = NULL, *end = current->segment + SEGMENTS_MAX;

    *error = -ENOSPC;
    for (struct segment *s = current->segment; s < end; s++) {
        bool ends = s->state == SEGMENT_ENDS;

        if ((s->state == SEGMENT_BEGUN || (ends && s->result)) && is_same(s, w)) {
            return s;
        }
        if ((s->state == SEGMENT_BEGUN || ends) && release(current, s) == IO_AGAIN) {
            *error = IO_AGAIN;
            return NULL;
        }
    }
    for (struct segment *s = current->segment; s < end; s++) {
        if (s->state == SEGMENT_FREE) {
            found = found ? found : s;
        } else if (overlaps(s, w)) {
            *error = -EEXIST;
            return NULL;
        }
    }
    return found;
}

static unsigned log2_of(uint32_t bytes)
{
    unsigned log = 0;

    while (bytes >> log > 1) {
        log++;
    }
    return log;
}

/* Cycles for a page, and its look-up. */
#define PIN_MOST        600

/* Pins the pages that are left. */
static int32_t pin_pages(struct segment *s)
{
    uint32_t pages = bytes_of(s) / GLAZE_PAGE;

    while (s->pages < pages) {
        uint32_t page = s->address + s->pages * GLAZE_PAGE;
        enum memory_result result = memory_touch(current, page, true);

        if (result == MEMORY_LATER) {
            return IO_AGAIN;
        }
        if (result != MEMORY_OK || !pin(current, page)) {
            s->result = result != MEMORY_OK ? io_error(result) : -ENOMEM;
            return release(current, s);
        }
        s->pages++;
        if (!kernel_has_time(now(), PIN_MOST)) {
            return IO_AGAIN;
        }
    }
    s->state = SEGMENT_LIVE;
    return s - current->segment;
}

int32_t segments_share(uint32_t wanted)
{
    struct glaze_segment w;
    enum memory_result result = memory_read(current, &w, wanted, sizeof(w));
    struct segment *s;
    int32_t error;

    if (result != MEMORY_OK) {
        return io_error(result);
    }
    if (!is_range(&w)) {
        return -EINVAL;
    }
    if (!is_in_window(&w)) {
        return -ERANGE;
    }
    s = segment_for(&w, &error);
    if (!s) {
        return error;
    }
    if (s->state == SEGMENT_FREE) {
        *s = (struct segment) {
            .window = w.window, .address = w.address, .log = log2_of(w.bytes),
            .state = SEGMENT_BEGUN,
        };
    }
    return s->state == SEGMENT_ENDS ? release(current, s) : pin_pages(s);
}

/* ---- End ------------------------------------------------------------------ */

/* Messages that are on their way find the memory as it is then. */
int32_t segments_end(uint32_t number)
{
    struct segment *s = &current->segment[number];

    if (number >= SEGMENTS_MAX || (s->state != SEGMENT_LIVE &&
                                   (s->state != SEGMENT_ENDS || s->result))) {
        return -EINVAL;
    }
    if (s->state == SEGMENT_LIVE) {
        tables_forget_segment(current, s);
        s->result = 0;
    }
    return release(current, s);
}

uint32_t segments_before(struct process *p, uint32_t address, uint32_t bytes)
{
    for (unsigned i = 0; i < SEGMENTS_MAX; i++) {
        const struct segment *s = &p->segment[i];
        uint32_t end = s->pages * GLAZE_PAGE;

        if (s->state != SEGMENT_FREE && address - s->address < end) {
            return 0;
        }
        if (s->state != SEGMENT_FREE && end && s->address - address < bytes) {
            bytes = s->address - address;
        }
    }
    return bytes;
}

void segments_forget(struct process *p)
{
    for (unsigned i = 0; i < SEGMENTS_MAX; i++) {
        p->segment[i].state = SEGMENT_FREE;
    }
    pinned -= p->pinned;
    p->pinned = 0;
}
