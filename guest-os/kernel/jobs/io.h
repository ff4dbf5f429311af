/*
 * System calls for the console, standard input and files. Each function takes
 * the call's arguments, and returns its result (docs/glaze.md has the table).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_IO_H
#define GLAZE_IO_H

#include <stdint.h>

#include "space/memory.h"

/* The result of a call that the process has to make again. */
#define IO_AGAIN        INT32_MIN

/* Returns the result of a call for an access to the process's memory. */
int32_t io_error(enum memory_result result);

int32_t io_write(const uint32_t *a);
int32_t io_write_error(const uint32_t *a);
int32_t io_read(const uint32_t *a);
int32_t io_input(const uint32_t *a);
int32_t io_terminals(const uint32_t *a);
int32_t io_named(const uint32_t *a);
int32_t io_sized(const uint32_t *a);
int32_t io_get(const uint32_t *a);
int32_t io_put(const uint32_t *a);

#endif /* GLAZE_IO_H */
