/*
 * The parameters of a machine, by name: the options that a guest can notice
 *
 * A snapshot can be loaded only by a machine with the same parameters. The
 * parameters are compared before any state is loaded, so that the message can
 * name the difference.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_PARAMETERS_H
#define FUGU_PARAMETERS_H

#include "qobject/qdict.h"

struct FuguMachineState;

/* Returns all parameters and their values. */
QDict *fugu_parameters_get(struct FuguMachineState *m);

/* Whether @saved are the machine's parameters. If not, @errp names the first
 * difference. */
bool fugu_parameters_check(struct FuguMachineState *m, QDict *saved,
                           Error **errp);

/* Makes the parameters the first part of every saved state, including those
 * that QEMU's monitor saves. */
void fugu_parameters_register(struct FuguMachineState *m);

#endif /* FUGU_PARAMETERS_H */
