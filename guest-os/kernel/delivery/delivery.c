/*
 * Two-case delivery. In fast mode a process reads its messages from the NI. In
 * buffered mode the kernel inserts them into the process's buffer (paper,
 * section 4.3; docs/glaze.md says how a process enters and leaves buffered
 * mode).
 *
 * buffer.c knows how messages lie in the buffer. Each function here that
 * changes mode, hold or reads calls buffer_note(), which tells insert.S and
 * the fast dispose what they may do.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "buffer/buffer.h"
#include "delivery/delivery.h"
#include "machine/pending.h"
#include "delivery/upcall.h"
#include "machine/hardware.h"
#include "machine/chores.h"
#include "buffer/end.h"
#include "marks.h"
#include "services/mbcf/arrive.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "machine/debts.h"
#include "delivery/fpu.h"
#include "memory/frames.h"
#include "memory/memory.h"

/* ---- Messages that come ------------------------------------------------- */

static struct process *starved;

struct process *delivery_starved(void)
{
    return starved;
}

bool delivery_can_take(void)
{
    return !starved || frames_free() || process_has_ended(starved);
}

bool delivery_stops(const struct process *p)
{
    return starved && (soft || p == starved);
}

/* The head message waits in the network for a frame. */
static void starve(struct process *p)
{
    starved = p;
    chores_wait |= CHORE_PAGER;
}

static void insert(struct process *p)
{
    if (p->info->mode == GLAZE_FAST) {
        delivery_enter(p, GLAZE_IN_MISMATCH);
        if (p == current) {
            return;             /* delivery_enter() has moved the message */
        }
    }
    if (buffer_insert(p)) {
        process_wake(p);
        if (p->pages_away >= DEBTS_PAGES) {
            debts_check(p);
        }
    } else if (buffer_is_full(p)) {
        job_overflow(p);        /* a free frame would not help */
    } else {
        starve(p);
    }
}

/*
 * Returns a process for which a frame can be made free: that of a GID, or any
 * other one that has not ended.
 */
static struct process *process_near(unsigned gid)
{
    for (unsigned i = 0; i < GID_MAX; i++, gid = gid % GID_MAX + 1) {
        if (gid <= GID_MAX && processes[gid] &&
            !process_has_ended(processes[gid])) {
            return processes[gid];
        }
    }
    return NULL;
}

static void take_of_kernel(void)
{
    if (!arrive_is_head()) {
        message_from_kernel();
    } else if (!arrive()) {
        starve(process_near(arrive_gid()));
    }
}

void delivery_take_head(void)
{
    uint32_t gid = ni_head_gid();
    struct process *p = gid <= GID_MAX ? processes[gid] : NULL;

    starved = NULL;
    if (!ni_head_present()) {
        return;
    }
    if (ni_head_of_kernel()) {
        take_of_kernel();
    } else if (!p) {
        job_wrong_gid(gid, ni_head_source());
        MARK("dropped", gid);
        ni_dispose();
    } else if (process_has_ended(p)) {
        job_count_dropped();
        debts_waste(p);
        MARK("dropped", gid);
        ni_dispose();
    } else {
        insert(p);
    }
}

/* ---- Modes -------------------------------------------------------------- */

void delivery_enter(struct process *p, unsigned cause)
{
    struct information *info = p->info;

    if (__builtin_expect(info->mode != GLAZE_FAST, false)) {
        return;
    }
    info->mode = GLAZE_BUFFERED;
    info->head = BUFFER_EMPTY;
    info->entries++;
    info->causes[cause]++;
    MARK_VALUE("buffered", p->gid, cause);
    buffer_note(p);
    if (p != current) {
        return;
    }
    ni_divert(true);
    ni_set_timeout(0);
    if (pending_is_mine()) {
        delivery_take_head();
    }
    if (ni_uac() & FUGU_UAC_INTERRUPT_DISABLE) {
        /* An open atomic section is revoked: its end must come to C. */
        ni_set_uac(ni_uac() | FUGU_UAC_ATOMICITY_EXTEND);
    }
}

void delivery_free_network(unsigned cause)
{
    const uint32_t atomic = FUGU_UAC_INTERRUPT_DISABLE | FUGU_UAC_TIMER_FORCE;

    if (ni_uac() & atomic ||
        pending() & FUGU_PEND_MESSAGE) {
        delivery_enter(current, cause);
    }
}

static void leave(void)
{
    current->info->mode = GLAZE_FAST;
    MARK("fast", current->gid);
    current->info->head = NI_RECORD;
    buffer_note(current);
    if (!fpu_put_aside()) {     /* else the handler's end must come to C */
        ni_set_uac(ni_uac() & ~FUGU_UAC_ATOMICITY_EXTEND);
    }
    ni_set_timeout(atomicity_timeout);
    ni_divert(false);
}

/* Leaves buffered mode if no message is left and no section is suspended. */
static void leave_if_done(void)
{
    if (current->info->mode == GLAZE_BUFFERED && buffer_is_empty(current) &&
        !current->info->hold) {
        leave();
    }
}

/* ---- What the user does in buffered mode -------------------------------- */

/*
 * Returns whether the running thread has a message in the buffer. If not, %g6
 * points at the empty record.
 */
static bool sees_message(void)
{
    return !buffer_is_empty(current) && buffer_may_read(current);
}

void delivery_dispose(void)
{
    if (!sees_message()) {
        job_fault(current, "bad-dispose: there is no message");
        return;
    }
    /*
     * This does not happen: buffer_drop() waits for the page of the next record,
     * and buffer_victim() leaves that page in memory. It would make the machine
     * count the dispose twice (METER_RECEIVED).
     */
    if (buffer_head_is_out(current)) {
        process_wait_for_page(current, current->info->head);
        return;
    }
    buffer_drop(current);
    ni_set_uac(ni_uac() & ~FUGU_UAC_DISPOSE_PENDING);
    registers_skip(&current->registers);
    leave_if_done();
}

/*
 * The kernel takes no interrupt while it copies, so after each part it looks
 * whether one is pending.
 */
#define STOREBACK_PART  512

/*
 * Notes the operands of the current storeback. Returns the structure: `done` is
 * 0 for a new storeback. A program that writes to the body's destination in the
 * middle of a storeback, and repeats it exactly, changes its own data only.
 */
static struct storeback *storeback_begin(uint32_t bytes)
{
    struct storeback *old = &current->storeback;
    struct storeback new = {
        .pc = current->registers.pc,
        .head = current->info->head,
        .to = ni_user_storeback(),
        .offset = ni_user_storeback_offset(),
        .bytes = bytes,
    };

    new.done = old->done;
    if (memcmp(old, &new, sizeof(new))) {
        new.done = 0;
        *old = new;
    }
    return old;
}

/*
 * Copies from the body's page, with the user's rights at the destination. If
 * an interrupt is pending or a page is missing, this function returns, and the
 * user's instruction is repeated: it continues with the next part.
 */
static void storeback(struct storeback *s, uint32_t body)
{
    while (s->done < s->bytes) {
        uint32_t part = s->bytes - s->done, to = s->to + s->done;

        part = part < STOREBACK_PART ? part : STOREBACK_PART;
        switch (memory_write(current, to, (void *)(body + s->done), part)) {
        case MEMORY_OK:
            s->done += part;
            break;
        case MEMORY_NOT_THERE:
            job_fault_at(current, "storeback to memory that cannot be written",
                         to);
            return;
        default:
            return;
        }
        if (s->done < s->bytes && pending_interrupt()) {
            return;
        }
    }
    s->pc = s->done = 0;
    registers_skip(&current->registers);
}

void delivery_storeback(uint32_t bytes)
{
    struct storeback *s = storeback_begin(bytes);
    uint32_t body, length, out;

    if (!sees_message()) {
        job_fault(current, "bad-dispose: storeback without a message");
        return;
    }
    out = buffer_out(current);
    if (out) {
        process_wait_for_page(current, out);
        return;
    }
    body = buffer_body(current, &length);
    if ((s->to | s->offset | bytes) & 3 || s->offset > length ||
        bytes > length - s->offset) {
        job_fault(current, "protection-violation: storeback of what is not "
                  "there");
        return;
    }
    storeback(s, body + s->offset);
}

void delivery_endatom(uint32_t mask)
{
    uint32_t uac = ni_uac();

    uac &= ~(FUGU_UAC_ATOMICITY_EXTEND | (mask & FUGU_UAC_USER));
    if (fpu_put_aside() || (current->info->mode == GLAZE_BUFFERED &&
                            uac & FUGU_UAC_INTERRUPT_DISABLE)) {
        uac |= FUGU_UAC_ATOMICITY_EXTEND;       /* the next end comes to C */
    }
    ni_set_uac(uac);
    if (!(uac & FUGU_UAC_INTERRUPT_DISABLE)) {
        current->reads = false;
        buffer_note(current);
        leave_if_done();
    }
}

void delivery_return(void)
{
    if (ni_uac() & FUGU_UAC_DISPOSE_PENDING) {
        job_dispose_failure(ENDED_TOO_EARLY);
    } else if (upcall_leave()) {
        fpu_upcall_end();
        delivery_endatom(FUGU_UAC_USER);
    }
}

uint32_t delivery_suspend(void)
{
    uint32_t word;

    delivery_enter(current, GLAZE_IN_HOLD);
    word = ni_uac() & DELIVERY_SECTION;
    if (buffer_may_read(current)) {
        word |= GLAZE_HOLD_READER;
        current->reader_suspended = true;
    }
    current->reads = false;
    current->info->hold++;
    ni_set_uac(0);
    buffer_note(current);
    return word;
}

bool delivery_may_resume(uint32_t word)
{
    return current->info->hold &&
           !(word & ~(DELIVERY_SECTION | GLAZE_HOLD_READER));
}

void delivery_resume(uint32_t word)
{
    bool reader = word & GLAZE_HOLD_READER;

    if (ni_uac() & FUGU_UAC_DISPOSE_PENDING) {
        job_dispose_failure("a handler that has extracted no message leaves "
                            "the processor");
        return;
    }
    current->reads = reader || !current->reader_suspended;
    current->reader_suspended = current->reader_suspended && !reader;
    current->info->hold--;
    ni_set_uac(word & DELIVERY_SECTION);
    buffer_note(current);
    delivery_endatom(0);        /* sets atomicity-extend */
}

void delivery_settle(void)
{
    struct registers *r = &current->registers;
    uint32_t uac;

    if (sees_message()) {
        uac = ni_uac();
        ni_set_uac(uac | FUGU_UAC_ATOMICITY_EXTEND);
        if (!(uac & FUGU_UAC_INTERRUPT_DISABLE)) {
            upcall_message(GLAZE_U_BUFFERED);
        }
    }
    r->g[5] = buffer_may_read(current) ? current->info->head : BUFFER_EMPTY;
}
