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
 * The machine writes a new file, under a name that no file had, beside the old
 * one, and then renames the new one, so that a failure leaves the old file, and
 * all others, as they were. The contents of disks are not in the file. Each qcow2
 * image keeps them as an internal snapshot; the head says under which name.
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

#define TYPE_FUGU_SAVE  "fugu-save"

struct FuguMachineState;

/*
 * Starts a save when its cycle has come. No round runs until the save is done.
 * For the vCPU thread, between two rounds.
 */
void fugu_save_due(struct FuguMachineState *m);

/* Prints which saves were not done when the run has ended at @cycle. Returns
 * whether all were done. */
bool fugu_save_complete(struct FuguMachineState *m, int64_t cycle);

/* Loads the file of the machine's option "load" before the first round. */
void fugu_snapshot_load_at_start(struct FuguMachineState *m);

#endif /* FUGU_SNAPSHOT_H */
