/*
 * The interface's tables: 16 segments (the GTLB) and 64 handlers, of any GIDs. They
 * are caches of what the processes have. A SEND that misses one is served here, and
 * then tried again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SLOT_TABLES_H
#define GLAZE_SLOT_TABLES_H

#include "machine/process.h"

/*
 * Enters what a SEND of p with these operands needs. Returns NULL, or what the program
 * did wrong if p has no such segment or handler.
 */
const char *tables_enter(const struct process *p, uint32_t dest, uint32_t handler);

/* Enters a segment and a handler, by its number, of p, unless they are there. */
void tables_need(const struct process *p, const struct segment *s, unsigned number,
                 uint32_t pc, uint32_t extent);

/* Takes out a segment of a process, or all that the process has there. */
void tables_forget_segment(const struct process *p, const struct segment *s);
void tables_forget(const struct process *p);

#endif /* GLAZE_SLOT_TABLES_H */
