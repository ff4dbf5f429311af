/*
 * System calls for the console and standard input. Each function takes
 * the call's arguments, and returns its result (docs/glaze.md has the table).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_IO_H
#define GLAZE_IO_H

#include <stdint.h>

#include "memory/memory.h"

/* The result of a call that the process has to make again. */
#define IO_AGAIN        INT32_MIN

/* Returns the result of a call for an access to the process's memory. */
int32_t io_error(enum memory_result result);

/* The most bytes that a call reads, or writes to a file. */
#define IO_MOST         256

/*
 * Returns how many of `bytes` bytes at an address a call may copy: at most
 * IO_MOST, and up to the end of a page.
 */
uint32_t io_most(uint32_t address, uint32_t bytes);

int32_t io_write(const uint32_t *a);
int32_t io_write_error(const uint32_t *a);
int32_t io_read(const uint32_t *a);
int32_t io_input(const uint32_t *a);
int32_t io_terminals(const uint32_t *a);

#endif /* GLAZE_IO_H */
