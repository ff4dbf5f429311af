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

    /* Registers. */
    uint64_t compare;
    bool enabled;
    uint32_t compare_high;      /* the high word of compare as last written; it
                                   takes effect with the low word */
    uint32_t now_low;           /* the low word of NOW; a load of the high word
                                   latches it */

    FuguEvent event;            /* fires when timer_reached() changes next */
};

/*
 * The network interface calls this when its cycle-offset has changed: the
 * timer compares with local time + cycle-offset.
 */
void fugu_timer_offset_changed(FuguTimer *s);

/* Saved as part of the node's state. */
extern const VMStateDescription vmstate_fugu_timer;

#endif /* FUGU_TIMER_H */
