/*
 * Properties of the whole machine for debuggers (tools/gdb/fugu.py)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_INSPECT_H
#define FUGU_INSPECT_H

/*
 * Adds properties to the class of the scheduler of rounds:
 *
 * "flight": the messages that no node has disposed of yet, as JSON
 * "memory": a digest of the RAM of all nodes
 * "saved-windows": write-only; tells where the kernel saves register windows,
 *                  so that debuggers find them
 *
 * and to the class of nodes:
 *
 * "state": what the node does, in words
 * "counters": what each GID has sent, received and used (machine/meter.h), as JSON
 *
 * All of them can be used only while the machine is stopped.
 */
void fugu_inspect_init(void);

#endif /* FUGU_INSPECT_H */
