/*
 * Places: points of a run that a debugger can stop at
 *
 * The nodes take their turns in a fixed order, so a place names the round, the
 * node whose turn it is, and that node's local time. The nodes before it have
 * finished the round; those after it have not begun it. Each instruction takes
 * a cycle at least, so local time tells the instructions of a node apart.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_PLACE_H
#define FUGU_PLACE_H

#include "hw/fugu/machine/machine.h"

typedef struct FuguPlace {
    int64_t round;              /* start of the round */
    uint32_t cursor;            /* the node; machine->end: all had their turn */
    int64_t time;               /* of that node */
    bool inside;                /* inside a stretch: the events of this time
                                   have fired. A breakpoint stops there, a step
                                   that ends a stretch stops before */
} FuguPlace;

/* Returns where the machine is. Between two instructions. */
FuguPlace fugu_place(const FuguMachineState *machine);

/* Returns a number below 0, 0, or above 0 if @a is before, at, or after @b. */
int fugu_place_compare(const FuguPlace *a, const FuguPlace *b);

#endif /* FUGU_PLACE_H */
