/*
 * The source of mappings: it asks their targets for pages, and ends them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_SOURCE_H
#define GLAZE_SHRIMP_SOURCE_H

#include "services/shrimp/state.h"

/*
 * Carry out SHRIMP_MAP and SHRIMP_UNMAP for the current process, which has a task. They
 * return as system calls do: the process makes the same call again until it is over.
 */
int32_t source_map(uint32_t structure);
int32_t source_unmap(uint32_t map);

/*
 * Does the next step for one of p's mappings: clears entries, or asks the target, if
 * the node awaits no other answer. Returns whether something is left that no message
 * will note.
 */
bool source_step(struct process *p);

/* Acts on the answer that has come. */
void source_answered(void);

/* A process's exports on a node have changed: its mappings to there are asked for
 * anew. */
void source_retry(uint32_t node, uint32_t gid);

/*
 * Ends a mapping because its target says so, and tells the target when all that was
 * sent is there. Returns false if it is not yet.
 */
bool source_end(uint32_t node, struct peer *peer);

/* p has ended: so do its mappings. source_has_maps() returns whether some are left. */
void source_end_all(struct process *p);
bool source_has_maps(const struct process *p);

#endif /* GLAZE_SHRIMP_SOURCE_H */
