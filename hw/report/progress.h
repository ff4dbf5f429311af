/*
 * Progress: how far a run is, on a terminal
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_PROGRESS_H
#define FUGU_PROGRESS_H

#include "hw/fugu/machine/machine.h"

/*
 * Shows or updates the line of progress, if the machine is to have one, the
 * run has lasted long enough, and the last line is old enough. To be called
 * every few milliseconds, between two rounds or in one.
 */
void fugu_progress_update(FuguMachineState *m);

#endif /* FUGU_PROGRESS_H */
