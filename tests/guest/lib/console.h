/*
 * The console: a small printf.
 *
 * printf() knows the conversions d i u x c s and %, the flags - 0 and ', a
 * width, * as width, and the length ll. The flag ' groups digits by three.
 * There is no floating point. The declaration has no format attribute: the
 * compiler would then distinguish uint32_t, which is a long, from the unsigned
 * that %u takes. Both are 32 bits here.
 */
#ifndef GUEST_CONSOLE_H
#define GUEST_CONSOLE_H

#include <stdarg.h>

int printf(const char *format, ...);
int vprintf(const char *format, va_list args);
int putchar(int c);
int puts(const char *text);     /* prints the text and a newline */

#endif
