/*
 * The end of the machine: why it ends, and what it has to say then
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_ENDING_H
#define FUGU_ENDING_H

#include "hw/fugu/link-codec.h"

struct FuguMachineState;

/* docs/machine.md, "The end", has the exit statuses. */
typedef enum FuguEnding {
    FUGU_ENDING_NONE,           /* it goes on */
    FUGU_ENDING_STOPPED,        /* a program, or error mode, ended it */
    FUGU_ENDING_DONE,           /* all nodes have ended */
    FUGU_ENDING_DEADLOCK,
    FUGU_ENDING_TIMEOUT,
} FuguEnding;

/*
 * Tells the user how the machine ended, at local time @time, by the states
 * of all its nodes. @stop_status is what ENDING_STOPPED ends it with. Returns
 * the exit status. In the process that has the console.
 */
uint32_t fugu_ending_report(struct FuguMachineState *machine,
                            FuguEnding ending, int64_t time,
                            uint32_t stop_status, const LinkNode *nodes);

/* What a node does, in words; g_free() it. */
char *fugu_ending_describe(const LinkNode *node);

#endif /* FUGU_ENDING_H */
