/*
 * The way of the nodes' files to the host, when the machine has ended
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_FILES_HOST_H
#define FUGU_FILES_HOST_H

struct FuguMachineState;

/*
 * Writes the files of this process's nodes, except unlinked ones, to the
 * directory machine->output: node 0's as NAME, node k's as nodek/NAME. Replaces
 * files that are there, and goes on after a file that cannot be written. Does
 * nothing if the machine has no such directory. Returns 0, or after messages
 * FUGU_STATUS_FILE.
 */
uint32_t fugu_files_write_all(struct FuguMachineState *machine);

#endif /* FUGU_FILES_HOST_H */
