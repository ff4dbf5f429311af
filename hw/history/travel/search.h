/*
 * Going back: looking for an instruction, a breakpoint or a store
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SEARCH_H
#define FUGU_SEARCH_H

#include "hw/fugu/history/travel/forward.h"

/* Where a search for breakpoints has stopped. */
typedef struct FuguHit {
    struct FuguNode *node;
    CPUWatchpoint *watchpoint;  /* NULL: a breakpoint */
} FuguHit;

/*
 * Goes to the start of the last instruction of @node that it had completed at
 * local time @time and at @limit. FUGU_NEVER is a time. The caller must hold
 * all breakpoints (held.h).
 */
FuguTravelEnd fugu_search_before(FuguTravel *t, struct FuguNode *node,
                                 int64_t time, const FuguPlace *limit);

/*
 * Goes to the last breakpoint before the present, or to the start of the last
 * instruction that has hit a watchpoint; sets *@hit. Breakpoints must not be
 * held.
 */
FuguTravelEnd fugu_search_hit(FuguTravel *t, FuguHit *hit);

/*
 * Goes to the start of the last instruction of @node that has stored to any of
 * the @len bytes of its RAM from physical address @addr on, or has started DMA
 * there. The bytes must lie in a page. The caller must hold all breakpoints.
 */
FuguTravelEnd fugu_search_store(FuguTravel *t, struct FuguNode *node,
                                hwaddr addr, unsigned len);

#endif /* FUGU_SEARCH_H */
