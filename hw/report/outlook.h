/*
 * What the nodes of a process are going to do, between two rounds
 *
 * From the outlook the scheduler decides whether there is a next round, and
 * when it starts. The outlooks of several processes are added up to that of the
 * machine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_OUTLOOK_H
#define FUGU_OUTLOOK_H

#include "hw/fugu/machine/machine.h"

typedef struct FuguOutlook {
    int64_t start;              /* of the round that is over */
    int64_t next;               /* first event of the nodes, or FUGU_NEVER */
    uint32_t ended;             /* number of nodes that have ended */
    bool busy;                  /* a node runs; other fields may be wrong */
    bool wakes;                 /* all wait, but console input may come */
    bool stops;                 /* the machine is to end ... */
    uint32_t status;            /* ... with this status ... */
    uint32_t cycle;             /* ... for what happened in this cycle of the
                                   round */
} FuguOutlook;

/* Sets *@o to the outlook of this process's nodes. A structure returned by value
 * would be copied right after its fields are stored, which is slow: this
 * happens in every round. */
void fugu_outlook(FuguMachineState *machine, FuguOutlook *o);

/* Adds @more to @o. To be called in the order of the processes: of several
 * statuses the earliest counts, and of those of the same cycle the first. */
void fugu_outlook_add(FuguOutlook *o, const FuguOutlook *more);

#endif /* FUGU_OUTLOOK_H */
