/*
 * Node control: ends a node or the machine, and shows counters
 * (docs/machine.md, "Node control")
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_CONTROL_H
#define FUGU_CONTROL_H

#include "hw/qdev-core.h"
#include "hw/fugu/node/node.h"

#define TYPE_FUGU_CONTROL "fugu-control"
OBJECT_DECLARE_SIMPLE_TYPE(FuguControl, FUGU_CONTROL)

struct FuguControl {
    DeviceState parent_obj;

    /* Wiring: the board sets node before it realizes the device. */
    FuguNode *node;
    MemoryRegion mmio;
};

#endif /* FUGU_CONTROL_H */
