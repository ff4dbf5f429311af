/*
 * Message slots.
 *
 * A slot at fault interrupts until the kernel has served the fault. It never waits for
 * a page that is out: messages of other jobs would wait behind it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "buffer/end.h"
#include "image.h"
#include "machine/debts.h"
#include "machine/kind.h"
#include "machine/message.h"
#include "machine/pending.h"
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

static bool is_mm(void)
{
    return kind->number == FUGU_NETIF_M_MACHINE;
}

/* The rest of the current message is dropped. */
static void begin(unsigned priority)
{
    mm_write(NI_K(MM_START), priority, (uint32_t)slot_begin);
}

/*
 * Cycles of a slot for a message, by which the interface stops it. A handler has 1,000
 * instructions at most (docs/m-machine.md, "Certification"): some 30,000 cycles if each
 * of them and its data miss the cache.
 */
#define WATCHDOG        32768

__attribute__((cold)) void message_slots_init(void)
{
    if (!is_mm()) {
        return;
    }
    write32(NI_K(MM_WATCHDOG), WATCHDOG);
    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
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
    case FUGU_TT_MM_WATCHDOG:
        return "its handler takes more than 32,768 cycles";
    default:
        return "unknown trap";
    }
}

/*
 * While a page is cleared, messages of all jobs wait for the slot. So handlers of a
 * process may touch so many pages in a row that nothing has touched before, and one
 * more in each 2^FILL_TIME_LOG cycles.
 */
#define FILLS_MOST      64
#define FILL_TIME_LOG   19

/* Counts a page. Returns whether there have been too many of late. */
static bool is_one_too_many(struct process *p)
{
    uint32_t forgiven = (now() - p->slot_fills_at) >> FILL_TIME_LOG;

    p->slot_fills_at += (uint64_t)forgiven << FILL_TIME_LOG;
    p->slot_fills -= forgiven < p->slot_fills ? forgiven : p->slot_fills;
    return ++p->slot_fills > FILLS_MOST;
}

/* The most cycles of a page that is filled. */
#define FILL_MOST       11000

/*
 * Serves an access to a page that is not in memory. One that nothing has touched is
 * filled, if a frame is free: its process may not have begun yet. If this entry has no
 * time for that, the slot stays at fault, and interrupts again. The time is that of the
 * message's job.
 */
static void serve_absent(struct process *p, unsigned priority, uint32_t address)
{
    static unsigned put_off;
    uint32_t page = memory_page(p, address);

    if (!kernel_begins(kernel_has_time(now(), FILL_MOST), &put_off)) {
        return;
    }
    if (space_is_out(p, page) || is_one_too_many(p) || !memory_fill(p, page)) {
        end_job(p, priority, "its page is not in memory: use mm_share()", &address);
    } else {
        mm_write(NI_K(MM_STATE), priority, FUGU_MM_SLOT_ON);
    }
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
        serve_absent(p, priority, address);
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

/* ---- Ends ----------------------------------------------------------------- */

/* A slot that waits for a message is still in the memory of the last one's process. */
void message_slots_end(struct process *p)
{
    if (!is_mm()) {
        return;
    }
    p->slot_fills = 0;
    space_leave(p);
    tables_forget(p);
    segments_forget(p);
    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        if (mm_read(NI_K(MM_GID), i) == p->gid) {
            begin(i);
        }
    }
}
