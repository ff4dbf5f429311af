/*
 * The system part of a network interface: what a kind's device builds on
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SYSTEM_DEVICE_H
#define FUGU_SYSTEM_DEVICE_H

#include "hw/fugu/ni/system/system.h"

/* The state that every kind saves. A kind with more state has it as the first
 * field of its own, and sets FuguNetifClass.state. */
extern const VMStateDescription vmstate_fugu_system_ni;

/* The limits of the second network; those of others are 0. */
FuguNetifLimits fugu_system_limits(const struct FuguMachineState *machine,
                                   int network);

#endif /* FUGU_SYSTEM_DEVICE_H */
