/*
 * The options of -machine fugu (docs/machine.md has the table)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_OPTIONS_H
#define FUGU_OPTIONS_H

#include "qom/object.h"

struct FuguMachineState;

/* Add the options to the machine's class; set their defaults in a machine. */
void fugu_options_class_init(ObjectClass *oc);
void fugu_options_init(Object *obj);

/* Checks all options. Exits with a message if one is invalid, or two do not fit
 * together. */
void fugu_options_check(struct FuguMachineState *machine);

#endif /* FUGU_OPTIONS_H */
