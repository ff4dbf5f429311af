/*
 * The FUGU network interface: flags, atomicity timer, interrupts
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/flags.h"

/* ---- Flags and the atomicity timer (paper, table 3) --------------------- */

/*
 * With soft atomicity there is no beginatom, no endatom and no timer: timeout
 * stays 0, so the code of the timer need not test for soft atomicity. The
 * kernel can still write UAC, but UAC masks nothing: every message interrupts,
 * and the kernel determines its owner.
 */
bool fugu_ni_soft(FuguNI *ni)
{
    return ni->node->machine->options.atomicity == FUGU_ATOMICITY_SOFT;
}

/* Whether the user sees this head: its GID is that of the user, it is no kernel
 * message, and divert-mode is off. */
static bool head_is_users(FuguNI *ni, FuguPacket *head)
{
    return !(head->words[0] & FUGU_HDR_KERNEL) &&
           fugu_ni_gid(head) == ni->gid && !ni->divert;
}

/* Whether this head causes message-available. Any other head causes
 * mismatch-available. */
static bool head_is_a_message(FuguNI *ni, FuguPacket *head)
{
    return fugu_ni_soft(ni) ? !(head->words[0] & FUGU_HDR_KERNEL)
                            : head_is_users(ni, head);
}

bool fugu_ni_message_available(FuguNI *ni)
{
    FuguPacket *head = fugu_ni_head(ni, FUGU_MAIN_NETWORK);

    return head && head_is_users(ni, head);
}

static bool timer_enabled(FuguNI *ni)
{
    return (ni->uac & FUGU_UAC_TIMER_FORCE) ||
           ((ni->uac & FUGU_UAC_INTERRUPT_DISABLE) &&
            fugu_ni_message_available(ni));
}

int64_t fugu_ni_timer_left(FuguNI *ni, int64_t now)
{
    return ni->timer_runs ? MAX(0, ni->timer_left - (now - ni->timer_mark))
                          : ni->timer_left;
}

/* Brings the counter up to date, and starts or stops it. */
void fugu_ni_update_timer(FuguNI *ni)
{
    int64_t now = fugu_node_time(ni->node);
    bool enabled = timer_enabled(ni);

    ni->timer_left = enabled ? fugu_ni_timer_left(ni, now) : ni->timeout;
    ni->timer_mark = now;
    ni->timer_runs = enabled && ni->timeout && ni->timer_left > 0;
    fugu_event_set(ni->node, &ni->timer_event,
                   ni->timer_runs ? now + ni->timer_left : FUGU_NEVER);
}

void fugu_ni_timer_preset(FuguNI *ni)
{
    ni->timer_left = ni->timeout;
    ni->timer_mark = fugu_node_time(ni->node);
}

static void meter_mode(FuguNI *ni, bool user)
{
    FuguMeter *meter = &ni->node->meter;
    bool forced = ni->uac & FUGU_UAC_TIMER_FORCE;
    int64_t now = fugu_node_time(ni->node);

    if (user) {
        fugu_meter_leave(meter, now, forced);
    } else {
        fugu_meter_enter(meter, now, forced);
    }
    if (ni->node->seen) {
        fugu_seen_mode(ni->node->seen, now, user, ni->uac,
                       fugu_ni_message_available(ni)
                       ? fugu_ni_head(ni, FUGU_MAIN_NETWORK) : NULL);
    }
}

void fugu_ni_mode(FuguNI *ni, bool user)
{
    if (ni->user_mode != user) {
        ni->user_mode = user;
        meter_mode(ni, user);
    }
}

/* ---- Interrupts --------------------------------------------------------- */

uint32_t fugu_ni_pending(FuguNI *ni)
{
    FuguPacket *head = fugu_ni_head(ni, FUGU_MAIN_NETWORK);
    bool message = head && head_is_a_message(ni, head);
    uint32_t set = 0;

    if (message && (fugu_ni_soft(ni) ||
                    !(ni->uac & FUGU_UAC_INTERRUPT_DISABLE))) {
        set |= FUGU_PEND_MESSAGE;
    }
    if (head && !message) {
        set |= FUGU_PEND_MISMATCH;
    }
    if (ni->timeout && timer_enabled(ni) &&
        fugu_ni_timer_left(ni, fugu_node_time(ni->node)) == 0) {
        set |= FUGU_PEND_TIMEOUT;
    }
    if (fugu_ni_head(ni, FUGU_SECOND_NETWORK)) {
        set |= FUGU_PEND_SECOND;
    }
    return set;
}

/* Returns the bit of interrupt level @level if @set has the bit @pend. */
static uint32_t irq_level(uint32_t set, uint32_t pend, unsigned level)
{
    return set & pend ? 1u << level : 0;
}

static void update_irq(FuguNI *ni)
{
    const uint32_t all = 1u << FUGU_IRQ_MESSAGE | 1u << FUGU_IRQ_MISMATCH |
                         1u << FUGU_IRQ_TIMEOUT | 1u << FUGU_IRQ_SECOND;
    uint32_t set = fugu_ni_pending(ni);

    fugu_node_set_irqs(ni->node, all,
                       irq_level(set, FUGU_PEND_MESSAGE, FUGU_IRQ_MESSAGE) |
                       irq_level(set, FUGU_PEND_MISMATCH, FUGU_IRQ_MISMATCH) |
                       irq_level(set, FUGU_PEND_TIMEOUT, FUGU_IRQ_TIMEOUT) |
                       irq_level(set, FUGU_PEND_SECOND, FUGU_IRQ_SECOND));
}

void fugu_ni_update(FuguNI *ni)
{
    fugu_ni_update_timer(ni);
    update_irq(ni);
}

static void ni_timer_expired(void *opaque)
{
    fugu_ni_update(opaque);
}

void fugu_flags_init(FuguNI *ni)
{
    fugu_event_init(ni->node, &ni->timer_event, ni_timer_expired, ni);
}
