/*
 * The M-Machine's message interface: the watchdog of message slots
 *
 * Handlers of all jobs share a slot, so one that does not end takes the messages of
 * all. The paper's handlers are trusted to end. Here the kernel sets a bound.
 *
 * An event looks at the cycles that the slot has used since MsgHead. It comes when they
 * may be too many, at the earliest, so messages that take little cost nothing but a
 * look now and then. Cycles in which a slot waits, or another context runs, do not
 * count.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/ni/m-machine/extract.h"
#include "hw/fugu/ni/m-machine/watchdog.h"

static uint32_t used(MMachineNI *ni, unsigned priority)
{
    return (uint32_t)fugu_node_busy(ni->node, priority + 1) -
           ni->extraction[priority].began;
}

static void look_after(MMachineNI *ni, unsigned priority, int64_t cycles)
{
    fugu_event_set(ni->node, &ni->extraction[priority].watchdog,
                   fugu_node_time(ni->node) + cycles);
}

void mm_watchdog_rearm(MMachineNI *ni, unsigned priority)
{
    MMExtraction *x = &ni->extraction[priority];

    if (ni->watchdog && x->state == FUGU_MM_SLOT_ON &&
        x->watchdog.time == FUGU_NEVER) {
        uint32_t cycles = used(ni, priority);

        look_after(ni, priority, cycles < ni->watchdog ? ni->watchdog - cycles : 1);
    }
}

void mm_watchdog_began(MMachineNI *ni, unsigned priority)
{
    ni->extraction[priority].began = fugu_node_busy(ni->node, priority + 1);
    mm_watchdog_rearm(ni, priority);
}

void mm_watchdog_set(MMachineNI *ni, uint32_t cycles)
{
    ni->watchdog = cycles;
    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        fugu_event_set(ni->node, &ni->extraction[i].watchdog, FUGU_NEVER);
        mm_watchdog_rearm(ni, i);
    }
}

/* A slot that waits is looked at again when it goes on. An instruction that awaits its
 * turn has begun: the slot stops behind it. */
static void look(MMachineNI *ni, unsigned priority)
{
    MMExtraction *x = &ni->extraction[priority];
    uint32_t cycles = used(ni, priority);

    if (!ni->watchdog || x->state != FUGU_MM_SLOT_ON ||
        fugu_node_slot_waits(ni->node, priority + 1)) {
        return;
    }
    if (cycles < ni->watchdog) {
        look_after(ni, priority, ni->watchdog - cycles);
    } else if (ni->node->deferred) {
        look_after(ni, priority, 1);
    } else {
        mm_stop(ni, priority, FUGU_TT_MM_WATCHDOG);
    }
}

static void look_0(void *opaque)
{
    look(opaque, 0);
}

static void look_1(void *opaque)
{
    look(opaque, 1);
}

void mm_watchdog_init(MMachineNI *ni)
{
    static void (*const fire[FUGU_MM_PRIORITIES])(void *) = { look_0, look_1 };

    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        fugu_event_init(ni->node, &ni->extraction[i].watchdog, fire[i], ni);
    }
}

void mm_watchdog_reset(MMachineNI *ni)
{
    ni->watchdog = 0;
    for (unsigned i = 0; i < FUGU_MM_PRIORITIES; i++) {
        ni->extraction[i].began = 0;
        fugu_event_set(ni->node, &ni->extraction[i].watchdog, FUGU_NEVER);
    }
}
