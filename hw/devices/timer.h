/*
 * The cycle timer of a node (docs/machine.md, "Cycle timer")
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_TIMER_H
#define FUGU_TIMER_H

#include "hw/qdev-core.h"
#include "migration/vmstate.h"
#include "hw/fugu/node/node.h"

#define TYPE_FUGU_TIMER "fugu-timer"
OBJECT_DECLARE_SIMPLE_TYPE(FuguTimer, FUGU_TIMER)

struct FuguTimer {
    DeviceState parent_obj;

    /* Wiring: the board sets node before it realizes the timer. */
    FuguNode *node;
    MemoryRegion mmio;

    uint64_t compare;
    bool enabled;
    uint32_t compare_high;      /* written, until the low word is */
    uint32_t now_low;           /* latched when the high word is read */

    /* When reached() may next change. */
    FuguEvent event;
};

/* The network interface has got another cycle-offset. */
void fugu_timer_offset_changed(FuguTimer *s);

/* Part of its node's. */
extern const VMStateDescription vmstate_fugu_timer;

#endif /* FUGU_TIMER_H */
