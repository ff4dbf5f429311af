/*
 * What debuggers ask of the machine as a whole (tools/gdb/fugu.py)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_INSPECT_H
#define FUGU_INSPECT_H

#include "qom/object.h"

/*
 * The vCPU thread changes nodes, messages and their lists without a lock.
 * Returns false, with @errp, while it may do so: what shows them to monitors
 * and debuggers asks this first.
 */
bool fugu_inspect_allowed(Error **errp);

/*
 * Properties of the scheduler of rounds:
 *
 * "flight": the messages that nobody has taken yet, as JSON
 * "saved-windows": write-only, for the memory that debuggers see
 */
void fugu_inspect_add_properties(ObjectClass *klass);

#endif /* FUGU_INSPECT_H */
