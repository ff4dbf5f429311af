/*
 * The files of a node (docs/machine.md, "Files")
 *
 * A guest makes files here, and reads them back. Their contents stay in the
 * host's memory, at most `output-max` bytes for a node. When the machine has
 * ended, files-host.h writes them to the directory that the machine's
 * option `output` names. So the host's file system takes no part in a run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_FILES_H
#define FUGU_FILES_H

#include "hw/qdev-core.h"
#include "hw/fugu/devices/file-list.h"
#include "hw/fugu/node/node.h"

#define TYPE_FUGU_FILES "fugu-files"
OBJECT_DECLARE_SIMPLE_TYPE(FuguFiles, FUGU_FILES)

struct FuguFiles {
    DeviceState parent_obj;

    /* Wiring: the board sets node before it realizes the device. */
    FuguNode *node;
    MemoryRegion mmio;

    /* Registers. */
    uint8_t name[FUGU_FILES_NAME_MAX + 1];
    uint32_t name_len;          /* above FUGU_FILES_NAME_MAX: too long */
    uint32_t id, position, result;

    FuguFileList list;
};

/* Saved as part of the node's state. */
extern const VMStateDescription vmstate_fugu_files;

#endif /* FUGU_FILES_H */
