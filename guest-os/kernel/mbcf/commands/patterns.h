/*
 * Multicasting patterns (MBCF paper, section 4.1.4): for each page that has
 * copies, where these are. Each task knows the next copies alone; together the
 * tasks' patterns form a tree.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PATTERNS_H
#define GLAZE_PATTERNS_H

#include "mbcf/task.h"

/*
 * MBCF_PATTERN of the current process, which is task t. Returns 0, or the
 * errors that mbcf.h names.
 */
int32_t patterns_set(struct mbcf_task *t, const struct mbcf_pattern *pattern);

/* Returns the pattern of a task's page; NULL: the page has no copies. */
const struct mbcf_pattern *patterns_of(const struct mbcf_task *t,
                                       uint32_t page);

#endif /* GLAZE_PATTERNS_H */
