/*
 * Properties of the whole machine for debuggers (tools/gdb/fugu.py)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_INSPECT_H
#define FUGU_INSPECT_H

#include "qom/object.h"

/*
 * Returns true if the machine is stopped, otherwise false with @errp. Code
 * that shows nodes or messages to a monitor or debugger must call this first:
 * while the machine runs, the vCPU thread changes them without a lock.
 */
bool fugu_inspect_allowed(Error **errp);

/*
 * Adds properties to the class of the scheduler of rounds:
 *
 * "flight": the messages that no node has disposed of yet, as JSON
 * "saved-windows": write-only; tells where the kernel saves register windows,
 *                  so that debuggers find them
 */
void fugu_inspect_add_properties(ObjectClass *klass);

#endif /* FUGU_INSPECT_H */
