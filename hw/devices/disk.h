/*
 * The disk of a node (docs/machine.md, "Disk")
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_DISK_H
#define FUGU_DISK_H

#include "hw/qdev-core.h"
#include "migration/vmstate.h"
#include "hw/fugu/node/node.h"

#define TYPE_FUGU_DISK "fugu-disk"
OBJECT_DECLARE_SIMPLE_TYPE(FuguDisk, FUGU_DISK)

struct FuguDisk {
    DeviceState parent_obj;

    /* Wiring: the board sets node before it realizes the disk. */
    FuguNode *node;
    MemoryRegion mmio;
    BlockBackend *blk;          /* property "drive", or NULL: no disk */

    /* Registers. */
    uint32_t sectors;           /* capacity, in sectors of 512 bytes */
    uint32_t sector, count, addr;
    uint32_t status;
    bool irq_enabled;
    bool failed;                /* the command in progress will fail */

    FuguEvent event;            /* end of the command */
};

/* Saved as part of the node's state. */
extern const VMStateDescription vmstate_fugu_disk;

#endif /* FUGU_DISK_H */
