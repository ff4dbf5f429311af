/*
 * The end of the machine: why it ends, and what it has to say then
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_ENDING_H
#define FUGU_ENDING_H

#include "hw/fugu/wire/codec.h"

struct FuguRounds;

/* docs/machine.md, "The end", has the exit statuses. */
typedef enum FuguEnding {
    FUGU_ENDING_NONE,           /* it goes on */
    FUGU_ENDING_STOPPED,        /* a program, or error mode, ended it */
    FUGU_ENDING_DONE,           /* all nodes have ended */
    FUGU_ENDING_DEADLOCK,
    FUGU_ENDING_TIMEOUT,
} FuguEnding;

/* What QEMU says of its own end is heard from now on. */
void fugu_ending_init(struct FuguRounds *rounds);

/*
 * The round that is over was the last. Then the nodes' states are collected,
 * the user is told, and QEMU ends: that may take several calls, since the
 * thread may be wanted elsewhere meanwhile. In the hub, or the only process.
 */
void fugu_ending_begin(struct FuguRounds *rounds, FuguEnding ending);
void fugu_ending_finish(struct FuguRounds *rounds);

/*
 * Output of the console could not be written: the machine ends, with status
 * FUGU_STATUS_READER if the other end of a pipe was closed.
 */
void fugu_ending_output_lost(struct FuguRounds *rounds);

/* Ends the machine if its trace cannot be written any more. */
void fugu_ending_check_log(struct FuguRounds *rounds);

/* What a node does, in words; g_free() it. */
char *fugu_ending_describe(const LinkNode *node);

#endif /* FUGU_ENDING_H */
