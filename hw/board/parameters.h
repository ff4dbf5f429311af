/*
 * What makes a machine the one that it is: its parameters, by name
 *
 * A snapshot fits only a machine with the same ones. They are compared
 * before any state is loaded, so that the difference is named.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_PARAMETERS_H
#define FUGU_PARAMETERS_H

#include "qobject/qdict.h"

struct FuguMachineState;

/* Each property of the machine that the guest could see the value of. */
QDict *fugu_parameters_get(struct FuguMachineState *m);

/* Whether @saved are the machine's own; the first that is not is named. */
bool fugu_parameters_check(struct FuguMachineState *m, QDict *saved,
                           Error **errp);

/* Make them part of every saved state, whoever saves it: the first part. */
void fugu_parameters_register(struct FuguMachineState *m);

#endif /* FUGU_PARAMETERS_H */
