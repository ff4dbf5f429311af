/*
 * A program of the host that says more about the end of the machine
 *
 * The machine knows nodes and their pcs. What a pc means, and what a thread of
 * a guest's program waits for, is the knowledge of the guest's tools. So the
 * option `reporter` names a program of the host. The report of the machine's
 * end starts it, and asks it for a text about each node.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_REPORTER_H
#define FUGU_REPORTER_H

#include "hw/fugu/board/machine.h"

typedef struct FuguReporter FuguReporter;

/* Starts the reporter. Returns NULL if the machine has none, or if it does not
 * start. */
FuguReporter *fugu_reporter_start(FuguMachineState *machine);

/*
 * Returns what the reporter says about node @node, whose pc is @pc; the caller
 * frees the text with g_free(). Returns NULL if @r is NULL or the reporter has
 * failed, now or before. Caller must call it while no node runs.
 */
char *fugu_reporter_ask(FuguReporter *r, uint32_t node, uint32_t pc);

/* Ends the reporter. @r may be NULL. */
void fugu_reporter_end(FuguReporter *r);

#endif /* FUGU_REPORTER_H */
