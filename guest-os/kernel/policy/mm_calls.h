/*
 * The system call of segments for the M-Machine's messages: a function for each
 * operation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_MM_CALLS_H
#define GLAZE_MM_CALLS_H

#include <stdint.h>

/* Carries out GLAZE_MM. Returns as system calls do. */
int32_t mm_call(const uint32_t *a);

#endif /* GLAZE_MM_CALLS_H */
