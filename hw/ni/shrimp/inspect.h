/*
 * The SHRIMP network interface: what debuggers ask of it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_INSPECT_H
#define FUGU_SHRIMP_INSPECT_H

#include "qom/object.h"

/*
 * Adds a property to the device, for tools/gdb/fugu_debug/updates.py. The machine
 * has to be stopped.
 *
 * "updates": JSON: "maps": the entries of the table that are not empty, as the
 *            registers have them; "outgoing" and "incoming": the FIFOs; "open": the
 *            packet of blocked-write; "engine"
 */
void shrimp_class_init_inspect(ObjectClass *klass);

#endif /* FUGU_SHRIMP_INSPECT_H */
