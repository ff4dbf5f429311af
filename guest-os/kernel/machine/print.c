/*
 * Lines on the console.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdarg.h>
#include <stdbool.h>

#include "machine/hardware.h"
#include "machine/ni.h"
#include "machine/print.h"

static void print_char(char c)
{
    write32(FUGU_CONSOLE_BASE + FUGU_CONSOLE_DATA, (uint8_t)c);
}

void console_write(const char *bytes, uint32_t length)
{
    while (length--) {
        print_char(*bytes++);
    }
}

static void put_text(const char *text)
{
    while (*text) {
        print_char(*text++);
    }
}

static void put_number(uint32_t value, unsigned base, unsigned digits)
{
    char text[10];
    unsigned n = 0;

    do {
        text[n++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    while (digits > n) {
        print_char('0');
        digits--;
    }
    while (n) {
        print_char(text[--n]);
    }
}

static void print_va(const char *format, va_list args)
{
    for (; *format; format++) {
        unsigned digits = 0;

        if (*format != '%') {
            print_char(*format);
            continue;
        }
        while (*++format >= '0' && *format <= '9') {
            digits = 10 * digits + *format - '0';
        }
        switch (*format) {
        case 's':
            put_text(va_arg(args, const char *));
            break;
        case 'u':
            put_number(va_arg(args, uint32_t), 10, digits);
            break;
        case 'x':
            put_number(va_arg(args, uint32_t), 16, digits);
            break;
        }
    }
}

void print(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_va(format, args);
    va_end(args);
}

void panic(const char *format, ...)
{
    va_list args;

    print("glaze: node %u: the kernel is wrong: ",
          (unsigned)ni_node());
    va_start(args, format);
    print_va(format, args);
    va_end(args);
    print_char('\n');
    machine_stop(PANIC_STATUS);
    for (;;) {
    }
}
