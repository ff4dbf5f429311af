/*
 * The system part of a network interface: UAC, atomicity timer, interrupts
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/ni/system/flags.h"

/* ---- Flags and the atomicity timer (paper, table 3) --------------------- */

/*
 * With soft atomicity there is no beginatom, no endatom and no timer: timeout
 * stays 0, so the code of the timer need not test for soft atomicity. The
 * kernel can still write UAC, but UAC masks nothing.
 */

static bool timer_enabled(FuguSystemNI *ni)
{
    return (ni->uac & FUGU_UAC_TIMER_FORCE) ||
           ((ni->uac & FUGU_UAC_INTERRUPT_DISABLE) && ni->part->message(ni));
}

int64_t fugu_system_timer_left(FuguSystemNI *ni, int64_t now)
{
    return ni->timer_runs ? MAX(0, ni->timer_left - (now - ni->timer_mark))
                          : ni->timer_left;
}

/* Brings the counter up to date, and starts or stops it. */
void fugu_system_update_timer(FuguSystemNI *ni)
{
    int64_t now = fugu_node_time(ni->node);
    bool enabled = timer_enabled(ni);

    ni->timer_left = enabled ? fugu_system_timer_left(ni, now) : ni->timeout;
    ni->timer_mark = now;
    ni->timer_runs = enabled && ni->timeout && ni->timer_left > 0;
    fugu_event_set(ni->node, &ni->timer_event,
                   ni->timer_runs ? now + ni->timer_left : FUGU_NEVER);
}

void fugu_system_timer_preset(FuguSystemNI *ni)
{
    ni->timer_left = ni->timeout;
    ni->timer_mark = fugu_node_time(ni->node);
}

/* ---- Modes --------------------------------------------------------------- */

static void meter_mode(FuguSystemNI *ni, bool user)
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
                       ni->part->message(ni));
    }
}

void fugu_system_mode(FuguSystemNI *ni, bool user)
{
    if (ni->user_mode != user) {
        ni->user_mode = user;
        meter_mode(ni, user);
    }
}

/* ---- Interrupts --------------------------------------------------------- */

uint32_t fugu_system_pending(FuguSystemNI *ni)
{
    uint32_t set = ni->part->pending(ni);

    if (ni->timeout && timer_enabled(ni) &&
        fugu_system_timer_left(ni, fugu_node_time(ni->node)) == 0) {
        set |= FUGU_PEND_TIMEOUT;
    }
    if (!QTAILQ_EMPTY(&ni->second.queue)) {
        set |= FUGU_PEND_SECOND;
    }
    return set;
}

/* Returns the bit of interrupt level @level if @set has the bit @pend. */
static uint32_t irq_level(uint32_t set, uint32_t pend, unsigned level)
{
    return set & pend ? 1u << level : 0;
}

static void update_irq(FuguSystemNI *ni)
{
    const uint32_t all = 1u << FUGU_IRQ_MESSAGE | 1u << FUGU_IRQ_MISMATCH |
                         1u << FUGU_IRQ_TIMEOUT | 1u << FUGU_IRQ_SECOND;
    uint32_t set = fugu_system_pending(ni);

    fugu_node_set_irqs(ni->node, all,
                       irq_level(set, FUGU_PEND_MESSAGE | FUGU_PEND_ARRIVAL,
                                 FUGU_IRQ_MESSAGE) |
                       irq_level(set, FUGU_PEND_MISMATCH | FUGU_PEND_OUTGOING |
                                 FUGU_PEND_ROOM | FUGU_PEND_DROPPED |
                                 FUGU_PEND_FAULT, FUGU_IRQ_MISMATCH) |
                       irq_level(set, FUGU_PEND_TIMEOUT, FUGU_IRQ_TIMEOUT) |
                       irq_level(set, FUGU_PEND_SECOND, FUGU_IRQ_SECOND));
}

void fugu_system_update(FuguSystemNI *ni)
{
    fugu_system_update_timer(ni);
    update_irq(ni);
}

static void system_timer_expired(void *opaque)
{
    fugu_system_update(opaque);
}

void fugu_system_flags_init(FuguSystemNI *ni)
{
    fugu_event_init(ni->node, &ni->timer_event, system_timer_expired, ni);
}
