/*
 * The end of the machine: why it ends, and what it has to say then
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_ENDING_H
#define FUGU_ENDING_H

#include "qemu/notify.h"

struct FuguMachineState;

/* docs/machine.md, "The end", has the exit statuses. */
typedef enum FuguReason {
    FUGU_ENDING_NONE,           /* it goes on */
    FUGU_ENDING_STOPPED,        /* a program, or error mode, ended it */
    FUGU_ENDING_DONE,           /* all nodes have ended */
    FUGU_ENDING_DEADLOCK,
    FUGU_ENDING_TIMEOUT,
} FuguReason;

typedef struct FuguEnding {
    struct FuguMachineState *machine;
    FuguReason reason;          /* other than NONE: the last round is over */
    bool ended;                 /* and the report has been written */
    uint32_t status;            /* then: QEMU's exit status */
    Notifier shutdown;          /* when QEMU ends without us */
} FuguEnding;

/* From now on it hears of QEMU's own end, and of output that is lost. */
void fugu_ending_init(FuguEnding *e, struct FuguMachineState *machine);
void fugu_ending_reset(FuguEnding *e);

/*
 * The round that is over was the last. fugu_ending_begin() is called once,
 * then fugu_ending_finish() until @e->ended is set: it collects the states of
 * all nodes, writes the report and ends QEMU, and returns early when the
 * thread is wanted elsewhere. For the hub, or the only process.
 */
void fugu_ending_begin(FuguEnding *e, FuguReason reason);
void fugu_ending_finish(FuguEnding *e);

/* Ends the machine, with this round, if its trace cannot be written any
 * more. */
void fugu_ending_check_log(struct FuguMachineState *machine);

#endif /* FUGU_ENDING_H */
