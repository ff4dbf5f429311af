/*
 * Snapshots: the disks (see snapshot.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "block/block_int.h"
#include "block/qapi.h"
#include "block/snapshot.h"
#include "system/block-backend.h"
#include "hw/fugu/devices/disk.h"
#include "hw/fugu/machine/machine.h"
#include "hw/fugu/snapshot/disks.h"

/* Returns the disk image of node @i, or NULL without a writable one. */
static BlockDriverState *writable_image(FuguMachineState *m, uint32_t i)
{
    BlockBackend *blk = m->parts.nodes[i]->disk->blk;

    return blk && blk_is_writable(blk) ? blk_bs(blk) : NULL;
}

static char *image_path(BlockDriverState *bs)
{
    return g_canonicalize_filename(bs->filename, NULL);
}

bool fugu_snapshot_check_disks(FuguMachineState *m, Error **errp)
{
    GRAPH_RDLOCK_GUARD_MAINLOOP();

    for (uint32_t i = 0; i < m->options.node_count; i++) {
        BlockDriverState *bs = writable_image(m, i);

        if (bs && !bdrv_can_snapshot(bs)) {
            error_setg(errp, "the disk of node %u, %s, is no qcow2 image, and "
                       "cannot hold a snapshot: qemu-img convert -O qcow2 "
                       "makes one of it", i, bs->filename);
            return false;
        }
    }
    return true;
}

QDict *fugu_snapshot_disk_paths(FuguMachineState *m)
{
    QDict *dict = qdict_new();

    for (uint32_t i = 0; i < m->options.node_count; i++) {
        BlockDriverState *bs = writable_image(m, i);

        if (bs) {
            g_autofree char *node = g_strdup_printf("%u", i);
            g_autofree char *path = image_path(bs);

            qdict_put_str(dict, node, path);
        }
    }
    return dict;
}

static strList *disk_images(FuguMachineState *m)
{
    strList *list = NULL;

    for (uint32_t i = 0; i < m->options.node_count; i++) {
        BlockDriverState *bs = writable_image(m, i);

        if (bs) {
            QAPI_LIST_PREPEND(list, g_strdup(bdrv_get_node_name(bs)));
        }
    }
    return list;
}

bool fugu_snapshot_disks_save(FuguMachineState *m, const char *name,
                              Error **errp)
{
    g_autoptr(strList) images = disk_images(m);
    QEMUSnapshotInfo sn = {
        .date_sec = g_get_real_time() / G_USEC_PER_SEC,
        .vm_clock_nsec = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL),
        .icount = -1ULL,
    };
    bool ok;

    if (!images) {
        return true;
    }
    pstrcpy(sn.name, sizeof(sn.name), name);
    bdrv_drain_all_begin();
    ok = bdrv_all_create_snapshot(&sn, NULL, 0, true, images, errp) == 0;
    if (!ok) {
        bdrv_all_delete_snapshot(name, true, images, NULL);
    }
    bdrv_drain_all_end();
    return ok;
}

void fugu_snapshot_disks_forget(FuguMachineState *m, const char *name)
{
    g_autoptr(strList) images = disk_images(m);

    if (images) {
        bdrv_all_delete_snapshot(name, true, images, NULL);
    }
}

bool fugu_snapshot_disks_load(FuguMachineState *m, const char *name,
                              Error **errp)
{
    g_autoptr(strList) images = disk_images(m);
    int found;

    if (!images) {
        return true;
    }
    found = bdrv_all_has_snapshot(name, true, images, errp);
    if (found == 0) {
        error_setg(errp, "a disk has no snapshot %s: it is not the disk that "
                   "was saved, or its snapshot was deleted", name);
    }
    if (found != 1) {
        return false;
    }
    bdrv_drain_all_begin();
    found = bdrv_all_goto_snapshot(name, true, images, errp);
    bdrv_drain_all_end();
    return found == 0;
}
