/*
 * Going back: looking for an instruction, a breakpoint or a store
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SEARCH_H
#define FUGU_SEARCH_H

#include "hw/fugu/history/forward.h"
#include "hw/fugu/node/node.h"

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

/* What a search for a store is about: bytes of a node's RAM, in a page. */
typedef struct FuguTarget {
    struct FuguNode *node;
    hwaddr addr;                /* physical */
    unsigned len;
    bool change;                /* a store that changes nothing does not count */
    uint8_t *mask;              /* if change: the bits that matter, in @len
                                   bytes; NULL: all of them */
    FuguCame came;              /* the update that has stored; bytes 0: a
                                   processor has, or other DMA */
    uint8_t *by_hand;           /* set if the debugger has changed the bytes
                                   later than any store: those before, for
                                   g_free(). Else NULL */
} FuguTarget;

/*
 * Goes to the start of the last instruction of the node that has stored to any
 * of the bytes, or has started DMA there; or to the place where the debugger
 * has changed them, if that was later: then to after the change. The caller
 * must hold all breakpoints.
 */
FuguTravelEnd fugu_search_store(FuguTravel *t, FuguTarget *target);

#endif /* FUGU_SEARCH_H */
