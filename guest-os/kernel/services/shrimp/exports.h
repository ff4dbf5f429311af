/*
 * Exports of a process: ranges to which others may map.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_EXPORTS_H
#define GLAZE_SHRIMP_EXPORTS_H

#include "services/shrimp/state.h"

/* Returns the export of this number; NULL: there is none. */
struct exported *exports_find(struct shrimp_task *t, uint32_t number);

/*
 * Carry out SHRIMP_EXPORT and SHRIMP_UNEXPORT for the current process, which has a task
 * (maps.h). Return as system calls do.
 */
int32_t exports_make(uint32_t number, uint32_t structure);
int32_t exports_end(uint32_t number);

/*
 * Returns the export to which a question may map: the answer to others is in *status, 0
 * or -errno, or ANSWER_WAIT.
 */
struct exported *exports_for(struct process *p, const struct question *q,
                             int32_t *status);

#endif /* GLAZE_SHRIMP_EXPORTS_H */
