/*
 * The system call of MBCF.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_SERVICES_H
#define GLAZE_SERVICES_H

#include <stdint.h>

/* GLAZE_MBCF: an operation and its arguments. Returns the call's result. */
int32_t services_call(const uint32_t *a);

#endif /* GLAZE_SERVICES_H */
