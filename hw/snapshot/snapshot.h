/*
 * Snapshots: save the whole machine to a file, and load it
 *
 * A snapshot file consists of
 *
 *   fugu snapshot VERSION           a line
 *   {"cycle": ..., ...}             a line: the head, for tools and for checks
 *   the machine's state             as QEMU's migration writes it
 *   SHA-256 of all that, in hex     the last line
 *
 * The machine writes a new file beside the old one, and then renames the new
 * one, so that a failure leaves the old file as it was. The contents of disks
 * are not in the file. Each qcow2 image keeps them as an internal snapshot; the
 * head says under which name.
 *
 *   snapshot.c  when to save and load: the device fugu-save, and the
 *               machine's option load
 *   file.c      how: the file
 *   disks.c     how: the disks
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SNAPSHOT_H
#define FUGU_SNAPSHOT_H

#include "qobject/qdict.h"

#define TYPE_FUGU_SAVE  "fugu-save"

/*
 * Must be raised when the meaning of the state changes and the version numbers
 * in the state do not.
 */
#define FUGU_SNAPSHOT_VERSION   2

struct FuguMachineState;

/* Functions that return bool return false, with @errp, if they fail. */

/*
 * Checks that the machine can be saved and loaded: it must have one process
 * only.
 */
bool fugu_snapshot_possible(struct FuguMachineState *m, Error **errp);

/*
 * Returns the program of this run, for the heads of its snapshots: path and
 * SHA-256 of the boot image, and the arguments.
 */
QDict *fugu_snapshot_program(struct FuguMachineState *m);

/* Checks that @file does not exist, or is a snapshot and may be overwritten. */
bool fugu_snapshot_may_write(const char *file, Error **errp);

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

/* Save the machine to @file, or load it. The machine must be stopped. */
bool fugu_snapshot_write(struct FuguMachineState *m, const char *file,
                         Error **errp);
bool fugu_snapshot_read(struct FuguMachineState *m, const char *file,
                        Error **errp);

/*
 * Starts a save when its cycle has come. No round runs until the save is done.
 * For the vCPU thread, between two rounds.
 */
void fugu_save_due(struct FuguMachineState *m);

/* Warns of the saves that were not done when the run has ended at @cycle. */
void fugu_save_warn(struct FuguMachineState *m, int64_t cycle);

/* Loads the file of the machine's option "load" before the first round. */
void fugu_snapshot_load_at_start(struct FuguMachineState *m);

#endif /* FUGU_SNAPSHOT_H */
