/*
 * Which files of the node a process has open.
 *
 * The machine counts how often each file is open (docs/machine.md, "Files"), and
 * keeps one without a name until nobody has it open. The kernel notes each
 * opening in the process, so that the end of the process closes what it has left
 * open.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_OPENED_H
#define GLAZE_OPENED_H

#include "machine/process.h"

/*
 * Opens the file of number `id` for p. A file may be open several times. Returns
 * 0, -EMFILE if p has GLAZE_OPEN_MAX files open, or -EBADF if there is no such
 * file.
 */
int32_t opened_add(struct process *p, uint32_t id);

/* Undoes one opened_add(). Returns 0, or -EBADF if p does not have it open. */
int32_t opened_remove(struct process *p, uint32_t id);

/* Closes all that p has open: at most GLAZE_OPEN_MAX files, in one go. */
void opened_remove_all(struct process *p);

#endif /* GLAZE_OPENED_H */
