/*
 * The observer of a machine: figures, timeline and profile of a run
 *
 * The machine's option `observe` names a directory. There the observer reads
 * what to observe (`plan`, see plan.h). When QEMU exits, it writes what it has
 * found to `figures.I`, for process I of the machine, and the events of a
 * timeline to `timeline.I`. The launcher (tools/fugu/observe) makes of these
 * what the user has asked for.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_OBSERVER_H
#define FUGU_OBSERVER_H

#include "hw/fugu/machine/machine.h"

/* Makes the machine's observer if the options ask for one. Exits QEMU if the
 * plan cannot be read. Caller must have made the nodes. */
void fugu_observer_init(FuguMachineState *m);

/* To be called before the first round, when a snapshot has been loaded. Later
 * calls do nothing. */
void fugu_observer_start(FuguMachineState *m);

/* A round begins. */
void fugu_observer_round(FuguMachineState *m);

/* The run ends: what is known of accesses is written. */
void fugu_observer_end(FuguMachineState *m);

/* Returns the name of a file of the observer that could not be written, or NULL. */
const char *fugu_observer_failed(const FuguMachineState *m);

#endif /* FUGU_OBSERVER_H */
