/*
 * Snapshots: what is on the disks (see snapshot.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SNAPSHOT_DISKS_H
#define FUGU_SNAPSHOT_DISKS_H

#include "qobject/qdict.h"

struct FuguMachineState;

/* Functions that return bool return false, with @errp, if they fail. */

/* Checks that all writable disks are qcow2 images, which hold snapshots. */
bool fugu_snapshot_check_disks(struct FuguMachineState *m, Error **errp);
/* Returns the paths of all writable disks, by node number as text. */
QDict *fugu_snapshot_disk_paths(struct FuguMachineState *m);

/* Make, delete, or go back to the snapshot @name of all writable disks. */
bool fugu_snapshot_disks_save(struct FuguMachineState *m, const char *name,
                              Error **errp);
void fugu_snapshot_disks_forget(struct FuguMachineState *m, const char *name);
bool fugu_snapshot_disks_load(struct FuguMachineState *m, const char *name,
                              Error **errp);

#endif /* FUGU_SNAPSHOT_DISKS_H */
