/*
 * The options of -machine fugu (docs/machine.md has the table)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_OPTIONS_H
#define FUGU_OPTIONS_H

#include "qom/object.h"

struct FuguMachineState;

/* The machine class's properties; an instance's, and their defaults. */
void fugu_options_class_init(ObjectClass *oc);
void fugu_options_init(Object *obj);

/* Exits with a message if an option, or a pair of them, makes no sense. */
void fugu_options_check(struct FuguMachineState *machine);

#endif /* FUGU_OPTIONS_H */
