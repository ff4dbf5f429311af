/*
 * Shoot-downs: a page with mappings goes out (SHRIMP paper, section 4.4, the solution
 * borrowed from TLB consistency).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHOOT_H
#define GLAZE_SHOOT_H

#include "services/shrimp/state.h"

/*
 * Begins to send a page in memory out, if it has mappings. Returns false if it has
 * none: it can go at once. Caller must have seen that no page is being shot down.
 */
bool shoot_begin(struct process *p, uint32_t page);

/* Returns whether a page is being shot down, or one of p. */
bool shoot_is_on(void);
bool shoot_is_of(const struct process *p);

/* Does the next step, as a chore. */
void shoot_step(void);

#endif /* GLAZE_SHOOT_H */
