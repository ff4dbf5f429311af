/*
 * Soft atomicity.
 *
 * One of two states keeps messages away from a user's atomic section or
 * handler:
 *
 * - Divert-mode is set and PIL is 0. Each message interrupts the kernel before
 *   the user can read it. A section is in this state until a message for the
 *   process comes.
 * - PIL masks messages and divert-mode is clear. Messages wait in the network,
 *   the user reads its own, and the cycle timer bounds the time. A handler of
 *   the fast path starts in this state, and a section changes to it when a
 *   message comes.
 *
 * Outside of sections, and in buffered mode, PIL is 0.
 *
 * A library may open a section by a word of its upcall page alone
 * (GLAZE_U_SECTION). Such a section is in no state of its own: PIL is 0, and
 * divert-mode is clear. As soon as the kernel has to know about it, it becomes a
 * section in UAC: when a message meets it (soft_vectors.S), when a signal does on
 * the fast path (signal_due()), and at each entry to C (soft_take_section()). So no
 * other code asks for the word.
 *
 * Who owns COMPARE of the cycle timer:
 *
 * - At PIL 10, the section or handler that holds messages back: COMPARE is at
 *   most atomicity-timeout from now. The fast path or hold_back() has set it. No
 *   other code writes it until PIL is 0 again, whatever interrupts or traps
 *   come in between, and whichever slots end.
 * - At PIL 0, the scheduler: the end of the slot, or an alarm before that.
 *   soft_settle() sets it, or the fast path at a handler's end (P_SLOT_END).
 * - While no process can run, the scheduler's idle loop. A process that waits,
 *   or that the network interface is taken from, has left PIL 10 before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "delivery/delivery.h"
#include "machine/pending.h"
#include "delivery/soft.h"
#include "delivery/upcall.h"
#include "delivery/instruction.h"
#include "machine/hardware.h"
#include "buffer/end.h"
#include "machine/ni.h"
#include "machine/print.h"

void soft_init(void)
{
    soft = read32(FUGU_PARAM_BASE + FUGU_PARAM_ATOMICITY) ==
           FUGU_ATOMICITY_SOFT;
}

void soft_take_section(void)
{
    struct glaze_upcall *message = &process_upcall(current)->message;

    if (message->entry & GLAZE_U_SECTION) {
        message->entry &= ~GLAZE_U_SECTION;
        ni_set_uac(ni_uac() | FUGU_UAC_INTERRUPT_DISABLE);
    }
}

static void timer_set(uint64_t when)
{
    write64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE, when);
    write32(FUGU_TIMER_BASE + FUGU_TIMER_CONTROL, 1);
}

/* Lets an open section go on while its messages wait in the network. */
static void hold_back(void)
{
    current->registers.psr |= PSR_PIL_HOLD;
    ni_divert(false);
    timer_set(now() + atomicity_timeout);
}

static bool holds(void)
{
    return current->registers.psr & PSR_PIL;
}

/* The cycles by which resume.S may have delayed the timer. */
#define DELAY   32

/* Checks that the section that holds messages back has its end in COMPARE. */
static void check_hold(void)
{
    uint64_t end = read64(FUGU_TIMER_BASE + FUGU_TIMER_COMPARE);

    if (end > now() + atomicity_timeout + DELAY) {
        panic("a section at 0x%08x has no end", (unsigned)current->registers.pc);
    }
}

void soft_settle(uint64_t slot_end)
{
    bool fast = current->info->mode == GLAZE_FAST;
    bool atomic = ni_uac() & FUGU_UAC_INTERRUPT_DISABLE;

    current->timeout = atomicity_timeout;
    current->slot_end = slot_end;
    if (fast && atomic && holds()) {
        check_hold();
        return;
    }
    if (fast && atomic && pending_is_mine()) {
        hold_back();
        return;
    }
    current->registers.psr &= ~PSR_PIL;
    ni_divert(!fast || atomic);
    timer_set(slot_end);
}

/*
 * A handler or section has held messages back for as long as it may. For a
 * section that matters only if a message for the process waits.
 */
void soft_timer(void)
{
    if (holds()) {
        if (ni_uac() & FUGU_UAC_TIMER_FORCE ||
            pending_is_mine()) {
            delivery_enter(current, GLAZE_IN_TIMEOUT);
        }
        current->registers.psr &= ~PSR_PIL;
    }
}

static void endatom(uint32_t mask)
{
    uint32_t uac = ni_uac();

    if (uac & FUGU_UAC_DISPOSE_PENDING) {
        job_dispose_failure(ENABLED_TOO_EARLY);
        return;
    }
    registers_skip(&current->registers);
    if (uac & FUGU_UAC_ATOMICITY_EXTEND) {
        delivery_endatom(mask);
    } else {
        ni_set_uac(uac & ~(mask & FUGU_UAC_USER));
    }
}

void soft_close(void)
{
    endatom(FUGU_UAC_USER);
}

void soft_operation(void)
{
    uint32_t mask = instruction_mask(current);

    switch (instruction_operation(current)) {
    case FUGU_OPC_BEGINATOM:
        ni_set_uac(ni_uac() | (mask & FUGU_UAC_USER));
        registers_skip(&current->registers);
        break;
    case FUGU_OPC_ENDATOM:
        endatom(mask);
        break;
    default:
        job_fault(current, "unknown network operation");
        break;
    }
}
