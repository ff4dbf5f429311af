/*
 * The message buffer of a process. Each message has a record of RECORD_SIZE
 * bytes, laid out as the NI's receive record. The records are in pages from
 * GLAZE_BUFFER on: a ring of virtual addresses, with frames only for the pages
 * that hold messages.
 *
 *      head                      tail
 *       v                         v
 *  ...][r|r|r|...|r|r|-][r|r|r|...|0|0|-][ no pages ...
 *
 * The kernel writes head, which is in the information page for the user to
 * read, and tail. The user can read the pages. The last 16 bytes of a page are
 * not used. A page goes back when its last record has been dropped. While the
 * buffer is empty, head points at the empty record, or in fast mode at the
 * NI's record, and tail is the end of a page that has no frame.
 *
 * Bodies are in pages from GLAZE_BODIES on, another ring, in the order of the
 * messages. Each body begins at a multiple of 8 bytes and lies within one page;
 * its record has its address. A page goes back when a record is dropped and no
 * record after it has a body there. The user cannot read these pages: its
 * storeback traps, and the kernel copies the body.
 *
 * The assembly does the common insertion and the common dispose (insert.S,
 * fast.h). buffer_note() sets the words that tell the assembly what it may do.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "buffer/buffer.h"
#include "machine/debts.h"
#include "machine/latency.h"
#include "memory/pages.h"
#include "machine/hardware.h"
#include "machine/chores.h"
#include "machine/pending.h"
#include "marks.h"
#include "machine/ni.h"
#include "memory/water.h"
#include "memory/frames.h"
#include "memory/space.h"

/* A page of at most this many used bytes (12 records) is cleared at once. */
#define FEW             1024

static uint32_t physical(struct process *p, uint32_t address)
{
    return pte_physical(*space_entry(p, address)) + (address & PAGE_MASK);
}

/* ---- What tells insert.S and fast.h what they may do -------------------- */

bool buffer_head_is_out(struct process *p)
{
    return !buffer_is_empty(p) && space_is_out(p, p->info->head);
}

/*
 * Return whether a record has a body, and where that is. Users cannot write
 * records, so the kernel can trust them.
 */
static bool has_body(uint32_t record)
{
    return read32(record + FUGU_REC_BODY) != 0;
}

static uint32_t body_of(uint32_t record)
{
    return read32(record + RECORD_BODY);
}

static bool head_has_body(struct process *p)
{
    return has_body(physical(p, p->info->head));
}

/* Returns the end of the records in the head's page. */
static uint32_t records_end(const struct process *p)
{
    uint32_t page = page_of(p->info->head);

    return page == page_of(p->tail) ? p->tail : page + PAGE_END;
}

/*
 * Returns the first record of the head's page, from the head on, that has a
 * body which is not in `page`; 0 if there is none. Sets *before to the last
 * record before it that has a body; 0: none has.
 */
static uint32_t body_elsewhere(struct process *p, uint32_t page,
                               uint32_t *before)
{
    uint32_t record = p->info->head, end = records_end(p);
    uint32_t offset = physical(p, record) - record;

    for (*before = 0; record < end; record += RECORD_SIZE) {
        if (!has_body(record + offset)) {
            continue;
        }
        if (page_of(body_of(record + offset)) != page) {
            return record;
        }
        *before = record;
    }
    return 0;
}

bool buffer_may_read(const struct process *p)
{
    return !p->info->hold || p->reads;
}

/*
 * Notes the record whose dispose the fast path (DISPOSE_EXTEND) must leave to
 * C: a record that needs care, the last one whose body is in the page of the
 * oldest body, or the last record of the buffer or of its page. If the last
 * record of the buffer is noted, each insertion notes its own record instead,
 * through tail_note.
 */
static void note_stop(struct process *p)
{
    struct information *info = p->info;
    uint32_t last;

    p->tail_note = &p->tail_unnoted;
    if (buffer_is_empty(p) || !buffer_may_read(p) || buffer_head_is_out(p)) {
        info->stop = info->head;
    } else if (p->body_head != p->body_tail &&
               body_elsewhere(p, p->body_head, &last)) {
        info->stop = last ? last : info->head;
    } else if (page_of(info->head) == page_of(p->tail)) {
        info->stop = p->tail - RECORD_SIZE;
        p->tail_note = &info->stop;
    } else {
        info->stop = page_of(info->head) + PAGE_END - RECORD_SIZE;
    }
}

void buffer_note(struct process *p)
{
    note_stop(p);
    if (buffer_is_empty(p)) {
        p->insert_next = 0;                     /* C inserts the first one */
        p->insert_end = p->insert_late_end = 0;
    } else {
        pages_note_room(p, physical(p, page_of(p->tail)) +
                           (p->tail & PAGE_MASK));
    }
}

/* ---- Pages -------------------------------------------------------------- */

/* The most cycles for a frame that has to be cleared. */
#define CLEAR_MOST      6000

/* Returns a frame for a page; 0: none is free, or there is no time to clear one. */
static uint32_t page_frame(uint32_t address)
{
    static unsigned put_off;

    bool has_time = frames_clean() || kernel_has_time(now(), CLEAR_MOST);

    return kernel_begins(has_time, &put_off) ? frame_alloc(frame_colour(address)) : 0;
}

/*
 * Gives p a page of the buffer at an address. Returns false if no frame is free, or if
 * the message has to wait for another entry into the kernel, since this one has no time
 * to clear a frame. If the function has made a page table, the table stays even then,
 * so each frame that becomes free brings progress.
 */
static bool add_page(struct process *p, uint32_t address, unsigned access)
{
    uint32_t *entry = space_make_entry(p, address);
    uint32_t frame = entry ? page_frame(address) : 0;

    if (!frame) {
        return false;
    }
    pages_put(p, entry, frame, access);
    water_check(p);
    return true;
}

/*
 * Takes away a page whose records or body have been dropped. Only its first
 * `used` bytes have been written. If these are few, the frame goes back clean.
 * So a program that enters buffered mode now and then uses up no clean frames.
 */
static void remove_page(struct process *p, uint32_t address, uint32_t used)
{
    uint32_t frame;

    if (space_is_out(p, address)) {
        p->buffer_pages_out--;
    } else {
        p->buffer_pages--;
    }
    MARK_VALUE("buffer_pages", p->gid, p->buffer_pages);
    frame = space_take(p, page_of(address));
    if (frame && used <= FEW) {
        frame_free_clean(frame, used);
    } else if (frame) {
        frame_free(frame);
    }
}

/* Returns the page after that of the newest body. */
static uint32_t next_body_page(const struct process *p)
{
    return page_after(p->body_tail - 1, GLAZE_BODIES, GLAZE_BODIES_END);
}

/* Takes away the pages of bodies before `page`. */
static void remove_bodies(struct process *p, uint32_t page)
{
    while (p->body_head != page) {
        bool newest = p->body_head == page_of(p->body_tail);

        remove_page(p, p->body_head, newest ? p->body_tail & PAGE_MASK
                                            : GLAZE_PAGE);
        p->body_head = page_after(p->body_head, GLAZE_BODIES,
                                  GLAZE_BODIES_END);
    }
}

/*
 * Takes away the pages whose bodies have all been dropped. If the records in
 * the head's page have no body, the oldest body is not known, and one page may
 * stay until it is.
 */
static void release_bodies(struct process *p)
{
    uint32_t record, unused;

    if (p->body_head == p->body_tail || buffer_head_is_out(p)) {
        return;
    }
    if (buffer_is_empty(p)) {
        remove_bodies(p, next_body_page(p));
        p->body_tail = p->body_head;
        return;
    }
    record = body_elsewhere(p, 0, &unused);
    if (record) {
        remove_bodies(p, page_of(body_of(physical(p, record))));
    }
}

void buffer_page_gone(struct process *p)
{
    p->buffer_pages--;
    p->buffer_pages_out++;
    MARK_VALUE("buffer_pages", p->gid, p->buffer_pages);
}

static bool is_buffer(uint32_t page)
{
    return page >= GLAZE_BUFFER && page < GLAZE_BODIES_END;
}

void buffer_page_came(struct process *p, uint32_t page)
{
    if (is_buffer(page)) {
        p->buffer_pages++;
        p->buffer_pages_out--;
        p->searched[0].tail = p->searched[1].tail = 0;
        MARK_VALUE("buffer_pages", p->gid, p->buffer_pages);
        release_bodies(p);
        buffer_note(p);
    }
}

/* Pages at which one search looks, so that it is short. */
#define SEARCH_MOST     80

bool buffer_searches;

/*
 * Returns the newest page that is in memory, of the ring's pages after `from`
 * and before `to`; 0: none. Goes on where the last search has ended, if no page has
 * come since. Sets buffer_searches if the search is not over.
 */
static __attribute__((cold, noinline))
uint32_t newest(struct process *p, unsigned ring, uint32_t from, uint32_t to,
                uint32_t first, uint32_t end)
{
    uint32_t bytes = end - first, at = p->searched[ring].at;
    const uint32_t *entry = NULL;

    if (p->searched[ring].tail != to ||
        ((at - from) & (bytes - 1)) > ((to - from) & (bytes - 1))) {
        at = to;
    }
    p->searched[ring].tail = to;
    for (unsigned most = SEARCH_MOST; at != from && most; most--) {
        uint32_t page = (at == first ? end : at) - GLAZE_PAGE;

        p->searched[ring].at = at;
        entry = entry && at & (SPACE_SEGMENT - 1) ? entry - 1 : space_entry(p, page);
        if (page != from && entry && pte_is_page(*entry)) {
            return page;
        }
        at = page;
    }
    p->searched[ring].at = at;
    buffer_searches = at != from;
    return 0;
}

uint32_t buffer_victim(struct process *p)
{
    uint32_t page;

    buffer_searches = false;
    if (p->buffer_pages <= 1) {
        return 0;               /* saves a search through pages that are out */
    }
    page = newest(p, 1, p->body_head, page_of(p->body_tail), GLAZE_BODIES,
                  GLAZE_BODIES_END);
    if (!page && !buffer_searches && !buffer_is_empty(p)) {
        page = newest(p, 0, page_of(p->info->head), page_of(p->tail),
                      GLAZE_BUFFER, GLAZE_BUFFER_END);
    }
    return page;
}

_Static_assert(!((GLAZE_BUFFER_END - GLAZE_BUFFER) &
                 (GLAZE_BUFFER_END - GLAZE_BUFFER - 1)) &&
               !((GLAZE_BODIES_END - GLAZE_BODIES) &
                 (GLAZE_BODIES_END - GLAZE_BODIES - 1)),
               "distances in rings");

/*
 * One page of each ring stays free, so that a full ring differs from an empty
 * one: 65,535 pages can hold messages.
 */
static bool records_are_full(const struct process *p)
{
    return (p->tail & PAGE_MASK) == PAGE_END &&
           page_after(p->tail, GLAZE_BUFFER, GLAZE_BUFFER_END) ==
           page_of(p->info->head);
}

static bool bodies_are_full(const struct process *p)
{
    return page_after(next_body_page(p), GLAZE_BODIES, GLAZE_BODIES_END) ==
           p->body_head;
}

bool buffer_is_full(const struct process *p)
{
    return records_are_full(p) || bodies_are_full(p);
}

/*
 * Makes room for one more record at p->tail. Returns false if there is none.
 */
static bool make_room(struct process *p)
{
    uint32_t next;

    if ((p->tail & PAGE_MASK) != PAGE_END) {
        return true;
    }
    next = page_after(p->tail, GLAZE_BUFFER, GLAZE_BUFFER_END);
    if (records_are_full(p) || !add_page(p, next, ACCESS_R_RW)) {
        return false;
    }
    p->tail = next;
    return true;
}

uint32_t buffer_ahead(struct process *p)
{
    uint32_t next;

    if (buffer_is_empty(p) || buffer_head_is_out(p)) {
        return 0;
    }
    if (p->body_head != p->body_tail && space_is_out(p, p->body_head)) {
        return p->body_head;
    }
    next = page_after(p->info->head, GLAZE_BUFFER, GLAZE_BUFFER_END);
    return page_of(p->info->head) != page_of(p->tail) &&
           space_is_out(p, next) ? next : 0;
}

/* ---- Insertion ---------------------------------------------------------- */

/* Returns the bytes of its page that a body takes, a multiple of 8. */
static uint32_t body_size(uint32_t bytes)
{
    return (bytes + 7) & ~7u;
}

/*
 * Makes room for a body at p->body_tail. Returns false if there is no frame or
 * no address for a page.
 */
static bool make_body_room(struct process *p, uint32_t bytes)
{
    uint32_t page = next_body_page(p);

    if (body_size(bytes) <= (-p->body_tail & PAGE_MASK)) {
        return true;
    }
    if (bodies_are_full(p) || !add_page(p, page, ACCESS_NONE_RWX)) {
        return false;
    }
    p->body_tail = page;
    p->body_shift = physical(p, page) - page;
    if (process_can_run(current)) {
        debts_charge(p->gid, debts_wire(GLAZE_PAGE));
    }
    return true;
}

/* Moves the head message to the end of p's buffer. DMA writes it. */
bool buffer_insert(struct process *p)
{
    uint32_t length = ni_head_length(), body = ni_head_body();
    uint32_t record;

    latency_wait();
    if (!make_room(p) || (body && !make_body_room(p, body))) {
        return false;
    }
    record = physical(p, p->tail);
    if (body) {
        ni_store_body(p->body_tail + p->body_shift);
        write32(record + FUGU_REC_BODY, body);
        write32(record + RECORD_BODY, p->body_tail);
        p->body_tail += body_size(body);
    }
    ni_store_words(record);
    ni_dispose();
    write32(record + FUGU_REC_LENGTH, length);
    write32(record + FUGU_REC_AVAILABLE, 1);
    if (buffer_is_empty(p)) {
        p->info->head = p->tail;
    }
    p->tail += RECORD_SIZE;
    p->info->inserted++;
    buffer_note(p);
    return true;
}

/* ---- The oldest message ------------------------------------------------- */

uint32_t buffer_body(struct process *p, uint32_t *bytes)
{
    uint32_t length;

    if (!head_has_body(p)) {
        *bytes = 0;
        return 0;
    }
    length = read32(physical(p, p->info->head) + FUGU_REC_BODY);
    *bytes = length < FUGU_BODY_MAX ? length : FUGU_BODY_MAX;
    return physical(p, body_of(physical(p, p->info->head)));
}

uint32_t buffer_out(struct process *p)
{
    uint32_t body;

    if (buffer_head_is_out(p)) {
        return p->info->head;
    }
    body = head_has_body(p) ? body_of(physical(p, p->info->head)) : 0;
    return body && space_is_out(p, body) ? body : 0;
}

void buffer_drop(struct process *p)
{
    struct information *info = p->info;
    uint32_t used;

    info->head += RECORD_SIZE;
    MARK("taken", p->gid);
    used = info->head & PAGE_MASK;
    if (info->head == p->tail) {
        p->tail = page_of(info->head) + PAGE_END;
        remove_page(p, info->head, used);
        info->head = BUFFER_EMPTY;
    } else if (used == PAGE_END) {
        remove_page(p, info->head, used);
        info->head = page_after(info->head, GLAZE_BUFFER, GLAZE_BUFFER_END);
        if (space_is_out(p, info->head)) {
            process_wait_for_page(p, info->head);
        }
    }
    if (p->buffer_pages_out) {
        chores_wait |= CHORE_PAGER;     /* to read ahead */
    }
    release_bodies(p);
    buffer_note(p);
}

uint32_t buffer_head_words(struct process *p, uint32_t words[FUGU_MSG_WORDS])
{
    uint32_t record, length;

    if (buffer_is_empty(p) || buffer_head_is_out(p)) {
        return 0;
    }
    record = physical(p, p->info->head);
    length = read32(record + FUGU_REC_LENGTH);
    for (uint32_t k = 0; k < length; k++) {
        words[k] = read32(record + FUGU_REC_WINDOW + 4 * k);
    }
    return length;
}

uint32_t buffer_messages(const struct process *p)
{
    uint32_t head = p->info->head, pages;

    if (buffer_is_empty(p)) {
        return 0;
    }
    pages = (page_of(p->tail) - page_of(head)) / GLAZE_PAGE;
    pages &= (GLAZE_BUFFER_END - GLAZE_BUFFER) / GLAZE_PAGE - 1;
    return pages * RECORDS_A_PAGE + (p->tail & PAGE_MASK) / RECORD_SIZE -
           (head & PAGE_MASK) / RECORD_SIZE;
}

void buffer_init(struct process *p)
{
    p->tail = GLAZE_BUFFER_END - GLAZE_PAGE + PAGE_END;
    p->body_head = p->body_tail = GLAZE_BODIES;
    p->info->head = NI_RECORD;
    buffer_note(p);
}

void buffer_destroy(struct process *p)
{
    p->info->head = BUFFER_EMPTY;
    p->buffer_pages = p->buffer_pages_out = 0;
}
