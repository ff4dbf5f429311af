/*
 * The question that a node asks a mapping's target, one at a time, and mappings as
 * targets name them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_ASKS_H
#define GLAZE_SHRIMP_ASKS_H

#include "services/shrimp/state.h"

/* Notes that there is work for p's mappings. */
void asks_note(struct process *p);

/* Returns whether the node's question is about a mapping. */
bool asks_waits(const struct process *p, const struct map *m);

/* Asks a mapping's target for its page number k, or tells it of the mapping's end. The
 * node awaits no other answer. */
void asks_send(struct process *p, struct map *m, unsigned k);

/* Returns the mapping that an ending names, and its process; NULL: it is not there any
 * more. */
struct map *asks_named(struct process **p, uint32_t node, const struct ending *e);

#endif /* GLAZE_SHRIMP_ASKS_H */
