/*
 * Going back: how the machine gets to a place, and what it looks for there
 *
 * To go back is to restore a checkpoint and to run forward again to an exact
 * place. All functions run in the vCPU thread, between two instructions,
 * without the BQL, and take a while. A search returns FUGU_TRAVEL_INTERRUPTED,
 * with the machine somewhere on its way, as soon as the machine is to stop.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_TRAVEL_H
#define FUGU_TRAVEL_H

#include "hw/fugu/history/checkpoint.h"

struct FuguNode;

typedef enum FuguTravelEnd {
    FUGU_TRAVEL_THERE,
    FUGU_TRAVEL_BEGIN,          /* there is nothing to find since the first
                                   checkpoint; the machine stands there */
    FUGU_TRAVEL_ENDED,          /* the machine has ended on its way */
    FUGU_TRAVEL_INTERRUPTED,
    FUGU_TRAVEL_FAILED,         /* a message was printed */
} FuguTravelEnd;

typedef struct FuguTravel {
    FuguMachineState *machine;
    FuguCheckpoints *all;
    uint64_t rounds;            /* that the run has executed, until now */
    uint64_t interval;          /* rounds between two checkpoints */
    uint64_t compared;          /* checkpoints that were passed again */
    bool differs;               /* from one of them: this was reported */
    int64_t leave_for;          /* start of a round: leave checkpoints on the
                                   way there; or FUGU_NEVER */
    unsigned left;              /* of those, how many */
} FuguTravel;

/* Where a search for breakpoints has stopped. */
typedef struct FuguHit {
    struct FuguNode *node;
    CPUWatchpoint *watchpoint;  /* NULL: a breakpoint */
} FuguHit;

/* As fugu_rounds_finish(). Takes the checkpoints that are due when a round
 * begins, and compares the machine with those that it passes again. */
bool fugu_travel_finish(FuguTravel *t);

/* Takes a checkpoint now. */
void fugu_travel_checkpoint(FuguTravel *t, bool changed);

/* Goes to @place, which the run has been at. */
FuguTravelEnd fugu_travel_to(FuguTravel *t, const FuguPlace *place);

/* Goes to the first place of @node whose local time is @time or later, as
 * steps and starts of turns make them. It may be in the future. */
FuguTravelEnd fugu_travel_to_time(FuguTravel *t, struct FuguNode *node,
                                  int64_t time);

/*
 * Goes to the start of the last instruction of @node that it had completed at
 * local time @time and at @limit. FUGU_NEVER is a time.
 */
FuguTravelEnd fugu_travel_before(FuguTravel *t, struct FuguNode *node,
                                 int64_t time, const FuguPlace *limit);

/*
 * Goes to the last breakpoint before the present, or to the start of the last
 * instruction that has hit a watchpoint; sets *@hit.
 */
FuguTravelEnd fugu_travel_to_hit(FuguTravel *t, FuguHit *hit);

#endif /* FUGU_TRAVEL_H */
