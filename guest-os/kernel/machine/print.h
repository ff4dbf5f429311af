/*
 * Lines on the console, and the end of the machine after a bug in the kernel.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_PRINT_H
#define GLAZE_PRINT_H

#include <stdint.h>

/*
 * Knows %s, %u and %x, the numbers also with a least number of digits, such as
 * %08x; leaves out any other. A line should end with \n.
 */
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes bytes as they are. */
void console_write(const char *bytes, uint32_t length);

/* Reports a bug in the kernel, and ends the machine with PANIC_STATUS. */
void panic(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));

#define PANIC_STATUS    119

#endif /* GLAZE_PRINT_H */
