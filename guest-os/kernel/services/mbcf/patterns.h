/*
 * Multicasting patterns (MBCF paper, section 4.1.4): for each page that has
 * copies, where these are. Each task knows the next copies alone; together the
 * tasks' patterns form a tree.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PATTERNS_H
#define GLAZE_PATTERNS_H

#include "services/mbcf/task.h"

/*
 * MBCF_PATTERN of a process, which is a task. Returns 0, or the errors that
 * glaze-mbcf.h names. After -ENOMEM the call can be repeated: the process has to
 * wait for a frame (memory_wait_for_frame()).
 */
int32_t patterns_set(struct process *p, const struct mbcf_pattern *pattern);

/* Returns the pattern of a task's page; NULL: the page has no copies. */
const struct mbcf_pattern *patterns_of(const struct mbcf_task *t,
                                       uint32_t page);

#endif /* GLAZE_PATTERNS_H */
