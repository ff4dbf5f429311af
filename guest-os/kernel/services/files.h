/*
 * System calls for the files that programs make. Each function takes the call's
 * arguments, and returns its result (docs/glaze.md has the table).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_FILES_H
#define GLAZE_FILES_H

#include <stdint.h>

int32_t files_named(const uint32_t *a);
int32_t files_sized(const uint32_t *a);
int32_t files_get(const uint32_t *a);
int32_t files_put(const uint32_t *a);

#endif /* GLAZE_FILES_H */
