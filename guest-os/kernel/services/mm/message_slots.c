/*
 * Message slots.
 *
 * A slot at fault interrupts until the kernel has served the fault. One that waits for
 * a page is held meanwhile, and interrupts no more.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "buffer/end.h"
#include "image.h"
#include "machine/chores.h"
#include "machine/debts.h"
#include "machine/gids.h"
#include "machine/kind.h"
#include "machine/message.h"
#include "memory/frames.h"
#include "memory/memory.h"
#include "memory/space.h"
#include "services/mm/guard.h"
#include "services/mm/markers.h"
#include "services/mm/segments.h"
#include "services/mm/mm_regs.h"
#include "services/mm/message_slots.h"
#include "services/mm/tables.h"

/* A bit of the fault status: the access was a store. */
#define FAULT_STORE     0x80

/* Where a slot begins: it waits for a message, and goes to its handler. */
extern const char slot_begin[];
asm (".pushsection .text\n"
     "\t.balign 16\n"
     "slot_begin:\n"
     "\tjmp %g6\n"
     "\t nop\n"
     "\t.popsection");

/* What a slot is held for. */
static struct held {
    uint8_t gid;                /* GID_NONE: it is not held */
    uint32_t page;
} held[FUGU_MM_PRIORITIES];

/*
 * While a slot is held, messages of all jobs behind it wait. So a process may have
 * slots held for so many pages in a row, and for one more in each 2^PAGE_TIME_LOG
 * cycles: a dozen times what a page takes after another one has gone out. Pages count,
 * and not the time that they take: other jobs may keep the disk. A page for which a
 * frame is free, and that has only to be cleared, does not count.
 */
#define PAGES_MOST      48
#define PAGE_TIME_LOG   21

static bool is_mm(void)
{
    return kind->number == FUGU_NETIF_M_MACHINE;
}

/* The rest of the current message is dropped. */
static void begin(unsigned priority)
{
    held[priority].gid = GID_NONE;
    mm_write(NI_K(MM_START), priority, (uint32_t)slot_begin);
}

__attribute__((cold)) void message_slots_init(void)
{
    for (unsigned i = 0; is_mm() && i < FUGU_MM_PRIORITIES; i++) {
        begin(i);
    }
}

/* ---- Faults --------------------------------------------------------------- */

static void end_job(struct process *p, unsigned priority, const char *cause,
                    const uint32_t *address)
{
    job_handler_fault(p, cause, address, mm_read(NI_K(MM_START), priority));
    begin(priority);
}

static const char *mistake(uint32_t trap)
{
    switch (trap) {
    case TT_ILLEGAL:
        return "illegal instruction";
    case TT_MISALIGNED:
        return "address not aligned";
    case TT_DATA_ERROR:
        return "access to a device that is not there";
    case FUGU_TT_PROTECTION_VIOLATION:
        return "protection-violation: the network interface refuses this";
    default:
        return "unknown trap";
    }
}

/* Asks the pager for the page that a slot is held for, if p needs no other one for a
 * slot. Otherwise message_slots_step() does. */
static void ask_for_page(struct process *p, uint32_t page)
{
    if (!p->remote) {
        p->remote = page;
        p->remote_own = true;   /* p ends if no frame can be found */
        gids_add(&processes_needy, p->gid);
        chores_wait |= CHORE_PAGER;
    }
}

static void wait_for_page(struct process *p, unsigned priority, uint32_t page)
{
    mm_write(NI_K(MM_STATE), priority, FUGU_MM_SLOT_HELD);
    held[priority] = (struct held) { p->gid, page };
    ask_for_page(p, page);
}

/* Counts a page for which a slot of p has to be held. Returns whether there have been
 * too many of late. */
static bool is_one_too_many(struct process *p, uint32_t page)
{
    uint32_t forgiven = (now() - p->slot_pages_at) >> PAGE_TIME_LOG;

    if (frames_free() && !space_is_out(p, page)) {
        return false;
    }
    p->slot_pages_at += (uint64_t)forgiven << PAGE_TIME_LOG;
    p->slot_pages -= forgiven < p->slot_pages ? forgiven : p->slot_pages;
    return ++p->slot_pages > PAGES_MOST;
}

static void serve_access(struct process *p, unsigned priority)
{
    uint32_t address = mm_read(NI_K(MM_ADDRESS), priority);
    bool store = mm_read(NI_K(MM_CAUSE), priority) & FAULT_STORE;

    guard_access(p, address);
    switch (memory_look(p, address, store)) {
    case MEMORY_OK:             /* it has come meanwhile */
        mm_write(NI_K(MM_STATE), priority, FUGU_MM_SLOT_ON);
        break;
    case MEMORY_LATER:
        if (is_one_too_many(p, memory_page(p, address))) {
            end_job(p, priority, "its messages wait for too many pages: use mm_share()",
                    &address);
        } else {
            wait_for_page(p, priority, memory_page(p, address));
        }
        break;
    default:
        end_job(p, priority, store ? "store to memory that is not its own"
                                   : "access to memory that is not its own", &address);
    }
}

static void serve_miss(struct process *p, unsigned priority)
{
    const char *wrong = tables_enter(p, mm_read(NI_K(MM_ADDRESS), priority),
                                     mm_read(NI_K(MM_CAUSE), priority));

    if (wrong) {
        end_job(p, priority, wrong, NULL);
    } else {
        mm_write(NI_K(MM_STATE), priority, FUGU_MM_SLOT_ON);
    }
}

/* Serves a slot at fault, whose message has the GID of p. */
static void serve(struct process *p, unsigned priority)
{
    uint32_t trap = mm_read(NI_K(MM_FAULT), priority);

    switch (trap) {
    case TT_DATA_ACCESS:
        serve_access(p, priority);
        break;
    case FUGU_TT_MM_MISS:
        serve_miss(p, priority);
        break;
    case TT_INSTRUCTION_ACCESS:
        end_job(p, priority, "execution of what is not its program's text", NULL);
        break;
    default:
        end_job(p, priority, mistake(trap), NULL);
    }
}

/* Cycles of the way here and back, for the process that runs. */
#define WAY             900

/* The rest of a message is dropped that no process gets: it may be a marker. */
static void leave(uint32_t gid, unsigned priority)
{
    if (gid == GID_NONE && markers_at(mm_read(NI_K(MM_START), priority))) {
        message_marks++;
    } else {
        job_count_dropped();
    }
    begin(priority);
}

/* The time of this is that of the message's job. */
void message_slots_interrupt(void)
{
    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        uint32_t gid = mm_read(NI_K(MM_GID), i);
        struct process *p = gid <= GID_MAX ? processes[gid] : NULL;

        if (mm_read(NI_K(MM_STATE), i) != FUGU_MM_SLOT_FAULT) {
            continue;
        }
        ni_set_gid(gid);
        debts_charge(gid, WAY);
        if (p && !process_has_ended(p)) {
            serve(p, i);
        } else {
            leave(gid, i);
        }
    }
    ni_set_gid(current->gid);
}

void message_slots_miss(void)
{
    const char *wrong = is_mm() ? tables_enter(current, read32(NI_K(MM_MISS_DEST)),
                                               read32(NI_K(MM_MISS_IP)))
                                : "unknown trap";

    if (wrong) {
        job_fault(current, wrong);
    }
}

/* ---- Pages ---------------------------------------------------------------- */

/*
 * A slot whose page has come tries again. So does one whose page the process has given
 * back meanwhile: it stops again, and that ends the job. A process asks the pager for
 * one page at a time, so the page of its other slot may have its turn now.
 */
void message_slots_step(void)
{
    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        struct process *p = processes[held[i].gid];

        if (!p || held[i].gid == GID_NONE) {
            continue;
        }
        if (p->lost) {
            end_job(p, i, "a page of it cannot be read: the disk of the backing store "
                          "has failed", &held[i].page);
        } else if (memory_look(p, held[i].page, false) == MEMORY_LATER) {
            ask_for_page(p, held[i].page);
        } else {
            held[i].gid = GID_NONE;
            mm_write(NI_K(MM_STATE), i, FUGU_MM_SLOT_ON);
        }
    }
}

/* ---- Ends ----------------------------------------------------------------- */

/* A slot that waits for a message is still in the memory of the last one's process. */
void message_slots_end(struct process *p)
{
    if (!is_mm()) {
        return;
    }
    p->remote = 0;
    p->slot_pages = 0;
    space_leave(p);
    tables_forget(p);
    segments_forget(p);
    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        if (mm_read(NI_K(MM_GID), i) == p->gid) {
            begin(i);
        }
    }
}
