/*
 * The system call of maps over the network: a function for each operation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SHRIMP_CALLS_H
#define GLAZE_SHRIMP_CALLS_H

#include <stdint.h>

/* Carries out GLAZE_SHRIMP. Returns as system calls do. */
int32_t shrimp_call(const uint32_t *a);

/* The chore: works for mappings, and goes on with the ends of processes whose mappings
 * have ended. */
void shrimp_step(void);

#endif /* GLAZE_SHRIMP_CALLS_H */
