/*
 * Lines on the console, and the end of the machine when the kernel is wrong.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PRINT_H
#define GLAZE_PRINT_H

#include <stdint.h>

/* %s, %d, %u, %x, %08x, %c, %%. A line should end with \n. */
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Bytes as they are. */
void console_write(const char *bytes, uint32_t length);

/* The kernel's own mistake: says so, and ends the machine with PANIC_STATUS. */
void panic(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));

#define PANIC_STATUS    119

#endif /* GLAZE_PRINT_H */
