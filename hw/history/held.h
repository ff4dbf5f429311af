/*
 * Breakpoints and watchpoints, out of the way of a journey
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_HELD_H
#define FUGU_HELD_H

#include "hw/core/cpu.h"
#include "hw/fugu/machine/machine.h"

typedef QTAILQ_HEAD(, CPUBreakpoint) FuguBreakpoints;
typedef QTAILQ_HEAD(, CPUWatchpoint) FuguWatchpoints;

/* What GDB has set on each node. */
typedef struct FuguHeld {
    FuguBreakpoints *breakpoints;
    FuguWatchpoints *watchpoints;
    CPUState *watcher;          /* of RAM, or NULL */
    CPUWatchpoint *ram_watchpoint;
} FuguHeld;

/* Takes all breakpoints and watchpoints away, and all single steps. Returns
 * them for fugu_give_back(). */
FuguHeld fugu_hold(FuguMachineState *machine);

/* Sets them again. */
void fugu_give_back(FuguMachineState *machine, FuguHeld *held);

#endif /* FUGU_HELD_H */
