/*
 * Stores of processors that their network interfaces snoop
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SNOOPER_H
#define FUGU_SNOOPER_H

#include "hw/fugu/machine/machine.h"

/* Lets the machine's network interfaces snoop stores, if their kind does. To be
 * called once, before processors run. */
void fugu_snooper_init(FuguMachineState *machine);

#endif /* FUGU_SNOOPER_H */
