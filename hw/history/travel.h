/*
 * Going back: the way to a place
 *
 * The caller must hold all breakpoints (held.h): the functions stop at none.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_TRAVEL_H
#define FUGU_TRAVEL_H

#include "hw/fugu/history/forward.h"

/* Restores a checkpoint. */
void fugu_travel_restore(FuguTravel *t, const FuguCheckpoint *c);

/*
 * Goes to the start of the turn of @to->cursor in the round @to->round, and
 * leaves checkpoints on the way. With @from, the place of a checkpoint,
 * restores none before that: to go back past a change by the debugger would
 * undo the change.
 */
FuguTravelEnd fugu_travel_near(FuguTravel *t, const FuguPlace *to,
                               const FuguPlace *from);

/* Goes to @place, which the run has been at. */
FuguTravelEnd fugu_travel_to(FuguTravel *t, const FuguPlace *place);

/* Goes to the first place of @node whose local time is @time or later, as
 * steps and starts of turns make them. It may be in the future. */
FuguTravelEnd fugu_travel_to_time(FuguTravel *t, struct FuguNode *node,
                                  int64_t time);

#endif /* FUGU_TRAVEL_H */
