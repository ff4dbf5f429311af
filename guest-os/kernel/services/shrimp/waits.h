/*
 * What a process waits for without a message: its own packets, and updates that come.
 * And the interrupts of SHRIMP's message part.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_WAITS_H
#define GLAZE_SHRIMP_WAITS_H

#include <stdint.h>

/* Carries out SHRIMP_FENCE for the current process, which has a task. */
int32_t waits_fence(uint32_t number);

/*
 * The first part of SHRIMP_WAIT for the current process: arms the page of an address,
 * if that is not 0, and looks at the word. Returns 1 if the process has to wait.
 * Otherwise returns as a system call does.
 */
int32_t waits_look(uint32_t address, uint32_t word);

/* An interrupt of SHRIMP's message part. */
void waits_interrupt(void);

#endif /* GLAZE_SHRIMP_WAITS_H */
