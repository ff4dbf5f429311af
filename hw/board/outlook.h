/*
 * What the nodes of a process are up to, between two rounds
 *
 * The scheduler decides by it when the next round starts, and whether there
 * is one. The outlooks of several processes add up to that of the machine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_OUTLOOK_H
#define FUGU_OUTLOOK_H

#include "hw/fugu/board/machine.h"

typedef struct FuguOutlook {
    int64_t start;              /* of the round that is over */
    int64_t next;               /* event of any node that waits */
    uint32_t ended;             /* nodes */
    bool busy;                  /* some node runs */
    bool wakes;                 /* all wait, but someone may type */
    bool stops;                 /* the machine is to end ... */
    uint32_t status;            /* ... with this status */
} FuguOutlook;

/* Of this process's nodes. */
FuguOutlook fugu_outlook(FuguMachineState *machine);

/* Add those of the processes behind @o, in their order. */
void fugu_outlook_add(FuguOutlook *o, const FuguOutlook *more);

#endif /* FUGU_OUTLOOK_H */
