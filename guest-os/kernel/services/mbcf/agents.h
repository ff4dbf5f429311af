/*
 * Agents: what a task lets its clients reach.
 *
 * Two rules keep a client from forging structures (struct mbcf_fifo, struct
 * mbcf_signal), wherever the task's structures point:
 *
 *   - A command through an agent uses a structure only in a range with
 *     MBCF_RANGE_STRUCTURE.
 *   - No byte of a client gets into such a range: no range with
 *     MBCF_RANGE_WRITE overlaps one, and no structure that a client uses may
 *     store there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_AGENTS_H
#define GLAZE_AGENTS_H

#include "services/mbcf/task.h"

/*
 * Makes or changes agent number `index` of the current process, which is task
 * t. Returns false if the number or a range is wrong, or if a range that
 * clients can write overlaps one with structures, of any agent of the task. All
 * agents then stay as they were; otherwise *agent gets the key and the number
 * of the task.
 */
bool agents_make(struct mbcf_task *t, uint32_t index, struct mbcf_agent *agent);

/*
 * Returns whether one range of an agent, 1 to MBCF_AGENTS, covers all of the
 * memory, with all of the rights. AGENTS_ANY: of any agent of the task.
 */
#define AGENTS_ANY 0
bool agents_cover(const struct mbcf_task *t, uint32_t agent, uint32_t address,
                  uint32_t bytes, uint32_t rights);

/*
 * Returns whether a range of any agent of the task, with one of the rights, has
 * a byte of the memory.
 */
bool agents_touch(const struct mbcf_task *t, uint32_t address, uint32_t bytes,
                  uint32_t rights);

#endif /* GLAZE_AGENTS_H */
