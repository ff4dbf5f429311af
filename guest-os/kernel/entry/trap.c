/*
 * Traps and interrupts that C handles.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "delivery/delivery.h"
#include "delivery/fault.h"
#include "machine/pending.h"
#include "delivery/soft.h"
#include "delivery/upcall.h"
#include "delivery/instruction.h"
#include "machine/hardware.h"
#include "policy/call.h"
#include "machine/chores.h"
#include "machine/kind.h"
#include "machine/debts.h"
#include "machine/disk.h"
#include "buffer/end.h"
#include "machine/message.h"
#include "machine/ni.h"
#include "machine/print.h"
#include "delivery/fpu.h"
#include "policy/schedule.h"
#include "services/shrimp/maps.h"
#include "services/shrimp/waits.h"
#include "services/mm/message_slots.h"
#include "memory/memory.h"
#include "memory/space.h"

/* A bit of the MMU's fault status: the access was a store. */
#define FAULT_STORE     0x80

void kernel_trap(void) __attribute__((noreturn));

/* Returns what the program did wrong, for traps that end its job. */
static const char *mistake(uint32_t trap)
{
    switch (trap) {
    case TT_ILLEGAL:
        return "illegal instruction";
    case TT_PRIVILEGED:
        return "privileged instruction";
    case TT_MISALIGNED:
        return "address not aligned";
    case TT_TAG_OVERFLOW:
        return "tag overflow";
    case TT_INSTRUCTION_ERROR:
    case TT_DATA_ERROR:
        return "access to a device that is not there";
    case TT_CP_DISABLED:
        return "unknown network operation";
    case FUGU_TT_BAD_DISPOSE:
        return "bad-dispose: there is no message";
    case FUGU_TT_PROTECTION_VIOLATION:
        return "protection-violation: the network interface refuses this";
    case TT_SOFTWARE + GLAZE_TRAP_BREAK:
        return "breakpoint";
    case TT_SOFTWARE + GLAZE_TRAP_DIVIDE:
        return "division by zero";
    case TT_SOFTWARE + GLAZE_TRAP_COMPILER:
        return "__builtin_trap";
    default:
        return "unknown trap";
    }
}

static __attribute__((cold, noinline)) void end_for_access(uint32_t address, bool store)
{
    static const char *const causes[2][2] = {
        { "access to memory that is not its own",
          "store to memory that is not its own" },
        { "stack overflow: access to memory that is not its own",
          "stack overflow: store to memory that is not its own" },
    };
    uint32_t sp = registers_sp(&current->registers, 0);

    job_fault_at(current, causes[memory_is_below_stack(address, sp)][store],
                 address);
}

static void page_fault(uint32_t address, bool store)
{
    switch (memory_touch(current, address, store)) {
    case MEMORY_OK:
        break;
    case MEMORY_NOT_THERE:
        if (!maps_command(address)) {
            end_for_access(address, store);
        }
        break;
    default:                    /* the pager brings the page, or an upcall
                                   tells the process */
        if (space_is_out(current, address) && fault_reflect(address)) {
            process_page_came(current);
        }
        break;
    }
}

static void data_fault(void)
{
    bool store = mmu_read(MMU_FAULT_STATUS) & FAULT_STORE;
    uint32_t page = mmu_read(MMU_FAULT_ADDRESS) & ~(GLAZE_PAGE - 1);
    uint32_t address = instruction_address(current);

    /*
     * The MMU reports the page. The instruction tells the address, unless the
     * page is a body's.
     */
    if ((address ^ page) >= GLAZE_PAGE) {
        address = page;
    }
    page_fault(address, store);
}

static void atomicity_extended(void)
{
    uint32_t mask = instruction_mask(current);

    registers_skip(&current->registers);
    delivery_endatom(mask);
}

static void flush_windows(void)
{
    while (current->registers.windows > 1) {
        if (!registers_spill()) {
            return;
        }
    }
    registers_skip(&current->registers);
}

static void dispose_failure(void)
{
    bool ends = instruction_mask(current) & FUGU_UAC_DISPOSE_PENDING;

    job_dispose_failure(ends ? ENDED_TOO_EARLY : ENABLED_TOO_EARLY);
}

/* The disk interrupts at the lowest level: others may come all the time. */
static void look_at_disk(void)
{
    if (disk_asks()) {
        chores_wait |= CHORE_SERVER;
    }
}

/*
 * With soft atomicity, these three traps have more causes.
 *
 * Chores that are owed come first, and the message interrupts again: once. Messages of
 * the second network may leave chores no time in entry after entry.
 */
static void mismatch(void)
{
    static bool waited;

    if (chores_owed && !waited) {
        waited = true;
        schedule_slot_ended();
    } else if (pending() & FUGU_PEND_MISMATCH) {
        waited = false;
        delivery_take_head();
    }
}

static void timer(void)
{
    if (soft) {
        soft_timer();
    }
    if (schedule_slot_is_over()) {
        schedule_slot_ended();
    }
    look_at_disk();
}

/*
 * The second network interrupts at the highest level. While its messages come
 * without a pause, no other interrupt would: slots and sections would not end, and
 * the first network would be full. So this does once what other interrupts ask for.
 *
 * That may end the current process. Then its end comes first (process_reap()). An
 * upcall would let it wait for a page of its stack, as if it had not ended; and a
 * packet for it would be answered before those that wait.
 */
static void lower_levels(void)
{
    look_at_disk();
    if (read32(FUGU_TIMER_BASE + FUGU_TIMER_STATUS)) {
        timer();
    }
    if (ni_pending() & FUGU_PEND_TIMEOUT) {
        delivery_enter(current, GLAZE_IN_TIMEOUT);
    }
    if (!process_doomed && (current->registers.psr & PSR_PIL) < PSR_PIL_STARVED &&
        pending() & FUGU_PEND_MISMATCH) {
        uint64_t began = now();

        mismatch();
        debts_other_work(now() - began);
    }
    if (!process_doomed && !(current->registers.psr & PSR_PIL) &&
        pending() & FUGU_PEND_MESSAGE && !(ni_uac() & FUGU_UAC_INTERRUPT_DISABLE)) {
        upcall_message(GLAZE_U_MESSAGE);
    }
}

/* An interrupt at a level of FUGU's messages, on a machine without them. */
static void interface_asks(void)
{
    if (kind->number == FUGU_NETIF_M_MACHINE) {
        message_slots_interrupt();
    } else {
        waits_interrupt();
    }
}

static void operation(void)
{
    if (soft) {
        soft_operation();
    } else {
        job_fault(current, mistake(TT_CP_DISABLED));
    }
}

static void dispatch(uint32_t trap)
{
    switch (trap) {
    case TT_INSTRUCTION_ACCESS:
        /* Text is mapped from the start, and no other page can be executed. */
        job_fault_at(current, "execution of what is not its program's text",
                     current->registers.pc);
        break;
    case TT_DATA_ACCESS:
        data_fault();
        break;
    case TT_FP_DISABLED:
        fpu_use();
        break;
    case TT_FP_EXCEPTION:
        fpu_exception();
        job_fault(current, "floating-point exception");
        break;
    case TT_WINDOW_OVERFLOW:
        registers_spill();
        break;
    case TT_WINDOW_UNDERFLOW:
        registers_refill();
        break;
    case FUGU_TT_IRQ(FUGU_IRQ_MESSAGE):
        if (kind->messages) {
            upcall_message(GLAZE_U_MESSAGE);
        } else {
            interface_asks();
        }
        break;
    case FUGU_TT_IRQ(FUGU_IRQ_MISMATCH):
        if (kind->messages) {
            look_at_disk();
            mismatch();
        } else {
            interface_asks();
        }
        break;
    case FUGU_TT_IRQ(FUGU_IRQ_TIMEOUT):
        delivery_enter(current, GLAZE_IN_TIMEOUT);
        break;
    case FUGU_TT_IRQ(FUGU_IRQ_TIMER):
        timer();
        break;
    case FUGU_TT_IRQ(FUGU_IRQ_SECOND):
        debts_arrive();
        message_serve();
        lower_levels();
        break;
    case FUGU_TT_IRQ(FUGU_IRQ_DISK):
        debts_arrive();
        chores_wait |= CHORE_SERVER;
        break;
    case FUGU_TT_MM_MISS:
        message_slots_miss();
        break;
    case FUGU_TT_DISPOSE_EXTEND:
        delivery_dispose();
        break;
    case FUGU_TT_STOREBACK_EXTEND:
        delivery_storeback(instruction_stored(current));
        break;
    case FUGU_TT_ATOMICITY_EXTEND:
        atomicity_extended();
        break;
    case TT_CP_DISABLED:
        operation();
        break;
    case TT_SOFTWARE + GLAZE_TRAP_CALL:
        call();
        break;
    case TT_SOFTWARE + GLAZE_TRAP_FLUSH:
        flush_windows();
        break;
    case TT_SOFTWARE + GLAZE_TRAP_RETURN:
        delivery_return();
        break;
    case TT_SOFTWARE + GLAZE_TRAP_RESUME:
        fault_resume();
        break;
    case TT_SOFTWARE + GLAZE_TRAP_CLOSE:
        if (soft) {
            soft_close();
        } else {
            job_fault(current, mistake(trap));
        }
        break;
    case FUGU_TT_DISPOSE_FAILURE:
        dispose_failure();
        break;
    default:
        job_fault(current, mistake(trap));
        break;
    }
}

/* Called by trap_slow, with the user's registers in the process's page. */
void kernel_trap(void)
{
    struct registers *r = &current->registers;

    if (r->psr & PSR_PS) {
        panic("trap 0x%02x at 0x%08x", (unsigned)r->trap, (unsigned)r->pc);
    }
    kernel_since = now();
    r->psr = (r->psr & (PSR_ICC | PSR_EF | PSR_PIL)) | PSR_S;
    if (soft) {
        soft_take_section();
    }
    dispatch(r->trap);
    schedule_resume();
}
