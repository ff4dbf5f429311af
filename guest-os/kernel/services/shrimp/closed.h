/*
 * Closed pages of a source: a target's page goes out, and a store asks for it again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_CLOSED_H
#define GLAZE_SHRIMP_CLOSED_H

#include "services/shrimp/state.h"

/*
 * The current process stores to a closed page, or to its command page: it waits until
 * the page's targets have been asked for it once more.
 */
void closed_store(uint32_t page);

/* Goes on with the closed page to which p wants to store. Returns whether something is
 * left that no message will note. */
bool closed_step(struct process *p);

/* The target has answered a question for a page that it had granted before. */
void closed_answered(struct process *p, struct map *m, const struct answer *a);

/*
 * Shoots down the entries for a page of that node, and tells it when all that was sent
 * is there. An answer that came before has been acted on. Returns false if it is not
 * yet.
 */
bool closed_shoot(uint32_t node, struct peer *peer);

#endif /* GLAZE_SHRIMP_CLOSED_H */
