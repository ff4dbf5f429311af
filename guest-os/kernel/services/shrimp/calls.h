/*
 * Calls that wait for a mapping: MAP until its last page is there, UNMAP until what was
 * sent is there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_CALLS_H
#define GLAZE_SHRIMP_CALLS_H

#include "services/shrimp/state.h"

/* Returns the call that the current process makes once more: MAP, or UNMAP of a mapping
 * if there is no `wanted`. NULL: it makes it for the first time. */
struct call *calls_find(struct shrimp_task *t, unsigned map,
                        const struct shrimp_map *wanted);

/* Whether the code of this call makes another one now: it was given up (longjmp()). */
bool calls_is_given_up(const struct call *c);

/* Returns a place for a new call; NULL: all calls wait. No code may ever come for the
 * result of others that are over, so a new call can take their places. */
struct call *calls_free(struct shrimp_task *t);

/* Begins a MAP, or an UNMAP if there is no `wanted`, in a place that calls_free() has
 * returned. */
void calls_begin(struct shrimp_task *t, struct call *c, unsigned map,
                 const struct shrimp_map *wanted);

/* Returns a call's result, or makes the process wait: it makes the same call again when
 * it has been woken. */
int32_t calls_wait(struct call *c);

/* Returns the call that waits for a mapping; NULL. */
struct call *calls_of(struct process *p, const struct map *m);

/* The call that waits for a mapping, if there is one, is over. */
void calls_over(struct process *p, const struct map *m, int32_t result);

/* A mapping ends: no code gets its number any more. But a MAP that has failed, whose
 * number this was before, has its result. */
void calls_forget(struct shrimp_task *t, unsigned map);

/* Returns whether code has still to hear that a mapping of this number has ended. */
bool calls_unheard(const struct shrimp_task *t, unsigned map);

#endif /* GLAZE_SHRIMP_CALLS_H */
