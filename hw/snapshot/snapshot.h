/*
 * Snapshots: the whole machine in one file, and back
 *
 * A snapshot file is made of
 *
 *   fugu snapshot VERSION           a line
 *   {"cycle": ..., ...}             a line: what runs need to know of it
 *   the machine's state             as QEMU's migration writes it
 *   SHA-256 of all that, in hex     the last line
 *
 * It is written beside the file that it becomes, so that a failure leaves
 * what was there. What is on disks stays there, as an internal snapshot of
 * each qcow2 image; the file says which.
 *
 *   snapshot.c  when: the device fugu-save, the machine's option load
 *   file.c      how
 *   disks.c     the same for what is on disks
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SNAPSHOT_H
#define FUGU_SNAPSHOT_H

#include "qobject/qdict.h"

#define TYPE_FUGU_SAVE  "fugu-save"

/* Changes with what the state means, if its own versions do not. */
#define FUGU_SNAPSHOT_VERSION   2

struct FuguMachineState;

/* Whether the machine can be saved and loaded: all of it is in here. */
bool fugu_snapshot_possible(struct FuguMachineState *m, Error **errp);

/* The program of this run, for the heads of its snapshots: the file and its
 * SHA-256, and the arguments. */
QDict *fugu_snapshot_program(struct FuguMachineState *m);

/* Whether @file can be written: it is not there, or a snapshot of ours. */
bool fugu_snapshot_may_write(const char *file, Error **errp);

/* Whether all disks can be part of a snapshot; their images, by nodes. */
bool fugu_snapshot_check_disks(struct FuguMachineState *m, Error **errp);
QDict *fugu_snapshot_disk_paths(struct FuguMachineState *m);

/* Make, delete, or go back to a snapshot @name of all disks. */
bool fugu_snapshot_disks_save(struct FuguMachineState *m, const char *name,
                              Error **errp);
void fugu_snapshot_disks_forget(struct FuguMachineState *m, const char *name);
bool fugu_snapshot_disks_load(struct FuguMachineState *m, const char *name,
                              Error **errp);

/* The machine must be stopped. */
bool fugu_snapshot_write(struct FuguMachineState *m, const char *file,
                         Error **errp);
bool fugu_snapshot_read(struct FuguMachineState *m, const char *file,
                        Error **errp);

/* The cycle of the next save has come: hold the rounds until it is done.
 * In the vCPU thread, between two rounds. */
void fugu_save_due(struct FuguMachineState *m);

/* The run is over at @cycle: name the saves that it did not come to. */
void fugu_save_warn(struct FuguMachineState *m, int64_t cycle);

/* Load what the machine's option "load" names before the first round. */
void fugu_snapshot_load_at_start(struct FuguMachineState *m);

#endif /* FUGU_SNAPSHOT_H */
