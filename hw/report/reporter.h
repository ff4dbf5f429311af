/*
 * A program of the host that says more about the end of the machine
 *
 * The machine knows nodes and their pcs. What a pc means, and what a thread of
 * a guest's program waits for, is the knowledge of the guest's tools. So the
 * option `reporter` names a program of the host. At the end of the machine,
 * each process starts the reporter, and asks it for a note, which is a text, on
 * each node of the process.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_REPORTER_H
#define FUGU_REPORTER_H

#include "hw/fugu/machine/machine.h"

/*
 * Returns an array with an element for each node of the machine: what the
 * reporter says about the node, or NULL. NULL are the elements of nodes of
 * other processes, of nodes that have ended, of nodes that the reporter has
 * failed to describe, and, unless @ask is set, all others. The caller frees the
 * array with g_ptr_array_unref(), and must call the function while no node
 * runs.
 */
GPtrArray *fugu_reporter_notes(FuguMachineState *machine, bool ask);

#endif /* FUGU_REPORTER_H */
