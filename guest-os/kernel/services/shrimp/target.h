/*
 * The target of mappings: what it grants to others, and how it takes that back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_TARGET_H
#define GLAZE_SHRIMP_TARGET_H

#include "services/shrimp/state.h"

/* Answers the question of a node. Returns false if a page has to come first. */
bool target_answer(uint32_t node, struct peer *peer);

/*
 * Goes on with the ends of p's grants: tells their sources, awaits their answers, and
 * then that what they have sent has left the Incoming FIFO. Returns whether something
 * is left that no message will note.
 */
bool target_end_grants(struct process *p);

/* Tells nodes whose processes wait for exports of processes in shrimp->exporting. */
void target_retry(void);

/* Returns whether others have this grant of a page. */
static inline bool target_covers(const struct grant *g, uint32_t page)
{
    return g->state != GRANT_FREE && page - g->first < g->pages * GLAZE_PAGE;
}

/* Lets others send to a page in memory once more, if they have a grant of it. Returns
 * whether they have. */
bool target_lets_in(struct process *p, uint32_t page);

/* Returns whether p has grants. */
bool target_has_grants(const struct process *p);

#endif /* GLAZE_SHRIMP_TARGET_H */
