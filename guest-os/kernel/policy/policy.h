/*
 * System calls of the scheduler's server (glaze.h; docs/scheduler.md). Each
 * returns -EPERM to any other program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_POLICY_H
#define GLAZE_POLICY_H

#include <stdint.h>

/* Arguments and results are those of the system call. */
int32_t policy_schedule(const uint32_t *a);
int32_t policy_event(const uint32_t *a);
int32_t policy_job(const uint32_t *a);
int32_t policy_start(const uint32_t *a);
int32_t policy_announce(const uint32_t *a);
int32_t policy_plan(const uint32_t *a);

#endif /* GLAZE_POLICY_H */
