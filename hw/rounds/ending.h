/*
 * The end of the machine: its reason, the report, QEMU's exit status
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_ENDING_H
#define FUGU_ENDING_H

#include "qemu/notify.h"

struct FuguMachineState;

/* docs/machine.md, "The end", has the exit statuses. */
typedef enum FuguReason {
    FUGU_ENDING_NONE,           /* the machine goes on */
    FUGU_ENDING_STOPPED,        /* by a program, error mode, or lost output */
    FUGU_ENDING_DONE,           /* all nodes have ended */
    FUGU_ENDING_DEADLOCK,
    FUGU_ENDING_TIMEOUT,
} FuguReason;

typedef struct FuguEnding {
    struct FuguMachineState *machine;
    FuguReason reason;          /* not NONE: the last round is over */
    bool ended;                 /* the report has been written ... */
    uint32_t status;            /* ... and this is QEMU's exit status */
    bool told;                  /* the report has been written, even if the
                                   machine has gone back since */
    Notifier shutdown;          /* QEMU ends for another reason */
} FuguEnding;

/* Registers for QEMU's own end, and for output that is lost. */
void fugu_ending_init(FuguEnding *e, struct FuguMachineState *machine);
void fugu_ending_reset(FuguEnding *e);

/*
 * End the machine: the round that is over was the last. For the hub, or the
 * only process. fugu_ending_begin() is to be called once, fugu_ending_finish()
 * until @e->ended is set. The latter collects the states of all nodes, writes
 * the report and ends QEMU; it returns early if QEMU wants the thread.
 */
void fugu_ending_begin(FuguEnding *e, FuguReason reason);
void fugu_ending_finish(FuguEnding *e);

/* Ends the machine with this round if the trace could not be written. */
void fugu_ending_check_log(struct FuguMachineState *machine);

#endif /* FUGU_ENDING_H */
