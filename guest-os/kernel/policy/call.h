/*
 * System calls: GLAZE_TRAP_CALL (glaze.h; docs/glaze.md has the table).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_CALL_H
#define GLAZE_CALL_H

#include <stdint.h>

/* Whether programs may send messages to other kernels (GLAZE_PING): 0 or 1. */
extern uint32_t ping_allowed;

/* Carries out the call that the current process's registers name. */
void call(void);

#endif /* GLAZE_CALL_H */
