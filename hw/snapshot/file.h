/*
 * Snapshots: the file (see snapshot.h)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SNAPSHOT_FILE_H
#define FUGU_SNAPSHOT_FILE_H

#include "qobject/qdict.h"

/*
 * Must be raised when the meaning of the state changes and the version numbers
 * in the state do not.
 */
#define FUGU_SNAPSHOT_VERSION   7

struct FuguMachineState;

/* Functions that return bool return false, with @errp, if they fail. */

/*
 * Returns the program of this run, for the heads of its snapshots: path and
 * SHA-256 of the boot image, and the arguments.
 */
QDict *fugu_snapshot_program(struct FuguMachineState *m);

/* Checks that @file does not exist, or is a snapshot and may be overwritten. */
bool fugu_snapshot_may_write(const char *file, Error **errp);

/* Save the machine to @file, or load it. The machine must be stopped. */
bool fugu_snapshot_write(struct FuguMachineState *m, const char *file,
                         Error **errp);
bool fugu_snapshot_read(struct FuguMachineState *m, const char *file,
                        Error **errp);

#endif /* FUGU_SNAPSHOT_FILE_H */
