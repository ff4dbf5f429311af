/*
 * Two-case delivery.
 *
 * A process is in fast mode, where the NI shows it its messages, or in
 * buffered mode, where the kernel inserts them into its buffer: records of
 * RECORD_SIZE bytes, laid out as the NI's, in pages from GLAZE_BUFFER on, a
 * ring of virtual addresses with frames only where there are messages.
 *
 *      head                      tail
 *       v                         v
 *  ...][r|r|r|...|r|r|-][r|r|r|...|0|0|-][ no pages ...
 *
 * head (in the information page, which the user reads) and tail are the
 * kernel's; users have the pages read-only. A page ends 16 bytes early, and
 * goes back when its last record has been taken. While the buffer is empty,
 * head is the empty record, or in fast mode the NI's, and tail stands at the
 * end of a page that is not there. Bodies have a page each from
 * GLAZE_BODIES on, in the order of their messages, which the user never sees:
 * its storeback traps, and the kernel copies.
 *
 * insert.S does the common insertion and the common dispose. It is let in by
 * what note() leaves for it, and everything here that changes head, tail or
 * hold calls note().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "backing.h"
#include "buffer.h"
#include "chores.h"
#include "evict.h"
#include "fault.h"
#include "fpu.h"
#include "frames.h"
#include "hardware.h"
#include "job.h"
#include "memory.h"
#include "message.h"
#include "overflow.h"
#include "soft.h"
#include "space.h"
#include "upcall.h"

#define PAGE_MASK       (GLAZE_PAGE - 1)
#define PAGE_END        (RECORDS_A_PAGE * RECORD_SIZE)
#define EMPTY           (GLAZE_INFO + GLAZE_I_EMPTY)

static uint32_t page_of(uint32_t address)
{
    return address & ~PAGE_MASK;
}

/* The page behind, in a ring from first to end. */
static uint32_t page_behind(uint32_t address, uint32_t first, uint32_t end)
{
    uint32_t next = page_of(address) + GLAZE_PAGE;

    return next == end ? first : next;
}

static uint32_t physical(struct process *p, uint32_t address)
{
    return pte_physical(*space_entry(p, address, false)) +
           (address & PAGE_MASK);
}

/* ---- What insert.S goes by ----------------------------------------------- */

static bool head_is_out(struct process *p)
{
    return !buffer_is_empty(p) && space_is_out(p, p->info->head);
}

/* Users can only read the record, so what it says is the kernel's word. */
static bool has_body(uint32_t record)
{
    return read32(record + FUGU_REC_BODY) != 0;
}

static bool head_has_body(struct process *p)
{
    return has_body(physical(p, p->info->head));
}

/*
 * The record in the head's page behind whose dispose the fast path must not
 * go: the first with a body, or the last one there is.
 */
static uint32_t last_without_body(struct process *p)
{
    uint32_t head = p->info->head, offset = physical(p, head) - head;
    uint32_t end = page_of(head) == page_of(p->tail)
                 ? p->tail : page_of(head) + PAGE_END;

    while (head + RECORD_SIZE < end && !has_body(head + offset)) {
        head += RECORD_SIZE;
    }
    return head;
}

/*
 * Messages are for the thread that was in a handler or polling: usually the
 * one that runs, but not while that one is suspended.
 */
static bool may_read(const struct process *p)
{
    return !p->info->hold || p->reads;
}

/*
 * Which record's dispose dispose_extend leaves to C: what needs care, or the
 * last record of the buffer or its page. In the page at the end of the buffer
 * that changes with each insertion.
 */
static void note_stop(struct process *p)
{
    struct information *info = p->info;

    p->tail_note = &p->tail_unnoted;
    if (buffer_is_empty(p) || !may_read(p) || head_is_out(p)) {
        info->stop = info->head;
    } else if (p->body_head != p->body_tail) {
        info->stop = last_without_body(p);
    } else if (page_of(info->head) == page_of(p->tail)) {
        info->stop = p->tail - RECORD_SIZE;
        p->tail_note = &info->stop;
    } else {
        info->stop = page_of(info->head) + PAGE_END - RECORD_SIZE;
    }
}

static void note(struct process *p)
{
    note_stop(p);
    if (buffer_is_empty(p)) {
        p->insert_next = p->insert_end = 0;     /* the first goes through C */
    } else {
        p->insert_next = physical(p, page_of(p->tail)) +
                         (p->tail & PAGE_MASK);
        p->insert_end = page_of(p->insert_next) + PAGE_END;
    }
}

/* ---- Pages ---------------------------------------------------------------- */

static bool add_page(struct process *p, uint32_t address, unsigned access)
{
    uint32_t frame = frame_for(p);

    if (!frame) {
        return false;
    }
    if (!space_map(p, address, frame, access)) {
        frame_free(frame);
        return false;
    }
    p->pages++;
    p->buffer_pages++;
    if (p->buffer_pages > p->buffer_pages_most) {
        p->buffer_pages_most = p->buffer_pages;
    }
    overflow_check(p);
    return true;
}

static void remove_page(struct process *p, uint32_t address)
{
    backing_leave_page(p, page_of(address));
    if (space_is_out(p, address)) {
        p->buffer_pages_out--;
    } else {
        p->buffer_pages--;
    }
    space_unmap(p, page_of(address));
}

static bool is_buffer(uint32_t page)
{
    return page >= GLAZE_BUFFER && page < GLAZE_BODIES_END;
}

bool buffer_pins(const struct process *p, uint32_t page)
{
    return is_buffer(page) &&
           (page == page_of(p->tail) || page == page_of(p->info->head) ||
            page == p->body_head);
}

void buffer_page_gone(struct process *p, uint32_t page)
{
    if (is_buffer(page)) {
        p->buffer_pages--;
        p->buffer_pages_out++;
    }
}

void buffer_page_came(struct process *p, uint32_t page)
{
    if (is_buffer(page)) {
        p->buffer_pages++;
        p->buffer_pages_out--;
        note(p);
    }
}

/* The newest page in memory of a ring's part: behind `from`, up to `to`. */
static uint32_t newest(struct process *p, uint32_t from, uint32_t to,
                       uint32_t first, uint32_t end)
{
    while (to != from) {
        to = (to == first ? end : to) - GLAZE_PAGE;
        if (to != from && space_is_in(p, to)) {
            return to;
        }
    }
    return 0;
}

uint32_t buffer_victim(struct process *p)
{
    uint32_t page;

    if (p->buffer_pages <= 1) {
        return 0;               /* spares a look at those that are out */
    }
    page = newest(p, p->body_head, p->body_tail, GLAZE_BODIES,
                  GLAZE_BODIES_END);
    if (!page && !buffer_is_empty(p)) {
        page = newest(p, page_of(p->info->head), page_of(p->tail),
                      GLAZE_BUFFER, GLAZE_BUFFER_END);
    }
    return page;
}

/* Room for one more record at p->tail. */
static bool make_room(struct process *p)
{
    uint32_t next;

    if ((p->tail & PAGE_MASK) != PAGE_END) {
        return true;
    }
    next = page_behind(p->tail, GLAZE_BUFFER, GLAZE_BUFFER_END);
    if (!add_page(p, next, ACCESS_R_RW)) {
        return false;
    }
    p->tail = next;
    return true;
}

uint32_t buffer_ahead(struct process *p)
{
    uint32_t next;

    if (buffer_is_empty(p) || head_is_out(p)) {
        return 0;
    }
    if (p->body_head != p->body_tail && space_is_out(p, p->body_head)) {
        return p->body_head;
    }
    next = page_behind(p->info->head, GLAZE_BUFFER, GLAZE_BUFFER_END);
    return page_of(p->info->head) != page_of(p->tail) &&
           space_is_out(p, next) ? next : 0;
}

/* ---- Insertion ------------------------------------------------------------- */

/* The body of the head message goes to a page of its own, by DMA. */
static bool store_body(struct process *p, uint32_t bytes)
{
    uint32_t address = read32(NI_U(SB_ADDR)), offset = read32(NI_U(SB_OFFSET));
    uint32_t frame;

    if (!add_page(p, p->body_tail, ACCESS_NONE_RWX)) {
        return false;
    }
    frame = physical(p, p->body_tail);
    write32(NI_U(SB_ADDR), frame);
    write32(NI_U(SB_OFFSET), 0);
    write32(NI_U(SB_COUNT), bytes);
    write32(NI_U(SB_ADDR), address);    /* the user may be about to use them */
    write32(NI_U(SB_OFFSET), offset);
    p->body_tail = page_behind(p->body_tail, GLAZE_BODIES, GLAZE_BODIES_END);
    return true;
}

static void copy_words(uint32_t record, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        write32(record + 4 * i, read32(NI_HEAD(WORDS) + 4 * i));
    }
}

/*
 * The head message goes to the end of p's buffer. Without a body DMA writes
 * it; DMA would put a body right behind the words, so with one they are
 * copied.
 */
static bool insert(struct process *p)
{
    uint32_t length = read32(NI_HEAD(LENGTH)), body = read32(NI_HEAD(BODY));
    uint32_t record;

    if (!make_room(p) || (body && !store_body(p, body))) {
        return false;
    }
    record = physical(p, p->tail);
    if (body) {
        copy_words(record, length);
    } else {
        write32(NI_K(DMA_ADDR), record);
        write32(NI_K(DMA_ARM), 1);
    }
    ni_dispose();
    write32(record + FUGU_REC_LENGTH, length);
    write32(record + FUGU_REC_BODY, body);
    write32(record + FUGU_REC_AVAILABLE, 1);
    if (buffer_is_empty(p)) {
        p->info->head = p->tail;
    }
    p->tail += RECORD_SIZE;
    p->info->inserted++;
    note(p);
    return true;
}

void buffer_take_head(void)
{
    uint32_t gid = read32(NI_HEAD(GID));
    struct process *p = gid <= JOBS_MAX ? processes[gid] : NULL;

    if (!read32(NI_HEAD(PRESENT))) {
        return;
    }
    if (read32(NI_HEAD(KERNEL))) {
        message_from_kernel();
    } else if (!p) {
        job_wrong_gid(gid, read32(NI_HEAD(SOURCE)));
        ni_dispose();
    } else if (p->state == PROCESS_ENDED) {
        job_count_dropped();
        ni_dispose();
    } else {
        if (p->info->mode == GLAZE_FAST) {
            buffer_enter(p, GLAZE_IN_MISMATCH);
        }
        if (!insert(p)) {
            if (current->state == PROCESS_ENDED) {
                return;         /* to make room: the message comes again */
            }
            job_overflow(p);
        }
        process_wake(p);
    }
}

/* ---- Modes ------------------------------------------------------------------ */

bool buffer_head_is_mine(void)
{
    return read32(NI_HEAD(PRESENT)) && !read32(NI_HEAD(KERNEL)) &&
           read32(NI_HEAD(GID)) == current->gid;
}

void buffer_enter(struct process *p, unsigned cause)
{
    struct information *info = p->info;

    if (info->mode == GLAZE_BUFFERED) {
        return;
    }
    info->mode = GLAZE_BUFFERED;
    info->head = EMPTY;
    info->entries++;
    info->causes[cause]++;
    note(p);
    if (p != current) {
        return;
    }
    write32(NI_K(DIVERT), 1);
    write32(NI_K(TIMEOUT), 0);
    if (buffer_head_is_mine()) {
        buffer_take_head();
    }
    if (read32(NI_K(UAC)) & FUGU_UAC_INTERRUPT_DISABLE) {
        /* An open atomic section is revoked: its end is to be seen. */
        write32(NI_K(UAC), read32(NI_K(UAC)) | FUGU_UAC_ATOMICITY_EXTEND);
    }
}

void buffer_free_network(unsigned cause)
{
    const uint32_t atomic = FUGU_UAC_INTERRUPT_DISABLE | FUGU_UAC_TIMER_FORCE;

    if (read32(NI_K(UAC)) & atomic ||
        soft_pending(read32(NI_K(PENDING))) & FUGU_PEND_MESSAGE) {
        buffer_enter(current, cause);
    }
}

static void leave(void)
{
    current->info->mode = GLAZE_FAST;
    current->info->head = FUGU_NI_USER_BASE + FUGU_U_RECORD;
    note(current);
    if (!fpu_put_aside()) {     /* else the handler's end is to be seen */
        write32(NI_K(UAC), read32(NI_K(UAC)) & ~FUGU_UAC_ATOMICITY_EXTEND);
    }
    write32(NI_K(TIMEOUT), atomicity_timeout);
    write32(NI_K(DIVERT), 0);
}

/* Nothing is left for anybody, and no atomic section is suspended. */
static void leave_if_done(void)
{
    if (current->info->mode == GLAZE_BUFFERED && buffer_is_empty(current) &&
        !current->info->hold) {
        leave();
    }
}

/* ---- What the user does in buffered mode --------------------------------- */

static void drop_head(struct process *p)
{
    struct information *info = p->info;

    if (head_has_body(p)) {
        remove_page(p, p->body_head);
        p->body_head = page_behind(p->body_head, GLAZE_BODIES,
                                   GLAZE_BODIES_END);
    }
    info->head += RECORD_SIZE;
    if (info->head == p->tail) {
        p->tail = page_of(info->head) + PAGE_END;
        remove_page(p, info->head);
        info->head = EMPTY;
    } else if ((info->head & PAGE_MASK) == PAGE_END) {
        remove_page(p, info->head);
        info->head = page_behind(info->head, GLAZE_BUFFER, GLAZE_BUFFER_END);
        if (space_is_out(p, info->head)) {
            backing_fetch(p, info->head);
        }
    }
    chores_wait |= p->buffer_pages_out > 0;     /* to read ahead */
    note(p);
}

/* Whether the thread that runs sees the buffer. Else %g6 is at no message. */
static bool sees_message(void)
{
    return !buffer_is_empty(current) && may_read(current);
}

void buffer_dispose(void)
{
    if (!sees_message()) {
        job_fault(current, "bad-dispose: there is no message");
        return;
    }
    if (head_is_out(current)) {
        backing_fetch(current, current->info->head);
        return;
    }
    drop_head(current);
    write32(NI_K(UAC), read32(NI_K(UAC)) & ~FUGU_UAC_DISPOSE_PENDING);
    registers_skip(&current->registers);
    leave_if_done();
}

/* Copied page to page, by the user's rights at the destination. */
void buffer_storeback(uint32_t bytes)
{
    uint32_t to = read32(NI_U(SB_ADDR)), offset = read32(NI_U(SB_OFFSET));
    uint32_t body = 0, frame = 0;

    if (!sees_message()) {
        job_fault(current, "bad-dispose: storeback without a message");
        return;
    }
    if (head_is_out(current)) {
        backing_fetch(current, current->info->head);
        return;
    }
    if (head_has_body(current)) {
        if (space_is_out(current, current->body_head)) {
            backing_fetch(current, current->body_head);
            return;
        }
        frame = physical(current, current->body_head);
        body = read32(physical(current, current->info->head) + FUGU_REC_BODY);
        body = body < FUGU_BODY_MAX ? body : FUGU_BODY_MAX;
    }
    if ((to | offset | bytes) & 3 || offset > body || bytes > body - offset) {
        job_fault(current, "protection-violation: storeback of what is not "
                  "there");
        return;
    }
    switch (memory_write(current, to, (void *)(frame + offset), bytes)) {
    case MEMORY_OK:
        registers_skip(&current->registers);
        break;
    case MEMORY_NOT_THERE:
        job_fault_at(current, "storeback to memory that cannot be written",
                     to);
        break;
    default:
        job_overflow(current);
        break;
    }
}

void buffer_endatom(uint32_t mask)
{
    uint32_t uac = read32(NI_K(UAC));

    uac &= ~(FUGU_UAC_ATOMICITY_EXTEND | (mask & FUGU_UAC_USER));
    if (fpu_put_aside() || (current->info->mode == GLAZE_BUFFERED &&
                            uac & FUGU_UAC_INTERRUPT_DISABLE)) {
        uac |= FUGU_UAC_ATOMICITY_EXTEND;       /* another end is to be seen */
    }
    write32(NI_K(UAC), uac);
    if (!(uac & FUGU_UAC_INTERRUPT_DISABLE)) {
        current->reads = false;
        note(current);
        leave_if_done();
    }
}

#define SECTION (FUGU_UAC_USER | FUGU_UAC_DISPOSE_PENDING)

uint32_t buffer_suspend(void)
{
    uint32_t word;

    buffer_enter(current, GLAZE_IN_HOLD);
    word = read32(NI_K(UAC)) & SECTION;
    if (may_read(current)) {
        word |= GLAZE_HOLD_READER;
        current->reader_suspended = true;
    }
    current->reads = false;
    current->info->hold++;
    write32(NI_K(UAC), 0);
    note(current);
    return word;
}

bool buffer_may_resume(uint32_t word)
{
    return current->info->hold && !(word & ~(SECTION | GLAZE_HOLD_READER));
}

void buffer_resume(uint32_t word)
{
    bool reader = word & GLAZE_HOLD_READER;

    if (read32(NI_K(UAC)) & FUGU_UAC_DISPOSE_PENDING) {
        job_fault(current, "dispose-failure: a handler that has extracted no "
                  "message leaves the processor");
        return;
    }
    current->reads = reader || !current->reader_suspended;
    current->reader_suspended = current->reader_suspended && !reader;
    current->info->hold--;
    write32(NI_K(UAC), word & SECTION);
    note(current);
    buffer_endatom(0);          /* sets atomicity-extend for its end */
}

void buffer_settle(void)
{
    struct registers *r = &current->registers;
    uint32_t uac;

    fault_settle();
    if (sees_message()) {
        uac = read32(NI_K(UAC));
        write32(NI_K(UAC), uac | FUGU_UAC_ATOMICITY_EXTEND);
        if (!(uac & FUGU_UAC_INTERRUPT_DISABLE)) {
            upcall_message(GLAZE_U_BUFFERED);
        }
    }
    r->g[5] = may_read(current) ? current->info->head : EMPTY;
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
    p->info->head = FUGU_NI_USER_BASE + FUGU_U_RECORD;
    note(p);
}

void buffer_destroy(struct process *p)
{
    p->info->head = EMPTY;
    p->buffer_pages = p->buffer_pages_out = 0;
}
