/*
 * The console: a small printf.
 *
 * Conversions: d i u x c s and %, with flags - 0 and ', a width and *; the
 * length ll. The flag ' groups digits by three. No floating point. It is not
 * declared as a printf to the compiler, which would tell uint32_t (a long)
 * from what %u takes: both are 32 bits here.
 */
#ifndef GUEST_CONSOLE_H
#define GUEST_CONSOLE_H

#include <stdarg.h>

int printf(const char *format, ...);
int vprintf(const char *format, va_list args);
int putchar(int c);
int puts(const char *text);     /* and a newline */

#endif
