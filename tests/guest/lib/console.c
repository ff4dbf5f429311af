#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "console.h"

struct spec {
    bool left, zeros, groups;
    int width;
};

static void pad(char c, int count)
{
    while (count-- > 0) {
        putchar(c);
    }
}

/* Prints one field: sign, zeros and text, padded with blanks to the width. */
static void field(const struct spec *spec, const char *sign, const char *text,
                  int length, bool number)
{
    int fill = spec->width - length - (int)strlen(sign);
    bool zeros = spec->zeros && number && !spec->left;

    if (!spec->left && !zeros) {
        pad(' ', fill);
    }
    while (*sign) {
        putchar(*sign++);
    }
    if (zeros) {
        pad('0', fill);
    }
    for (int i = 0; i < length; i++) {
        putchar(text[i]);
    }
    if (spec->left) {
        pad(' ', fill);
    }
}

static void unsigned_field(const struct spec *spec, const char *sign,
                           uint64_t value, unsigned base)
{
    char buffer[32];
    char *p = buffer + sizeof(buffer);
    int digits = 0;

    do {
        /* There is no divide instruction, and 64-bit division is slow: use
         * 32 bits where they suffice. */
        uint64_t rest = value >> 32 ? value / base : (uint32_t)value / base;

        if (spec->groups && digits && digits % 3 == 0) {
            *--p = ',';
        }
        *--p = "0123456789abcdef"[value - rest * base];
        digits++;
        value = rest;
    } while (value);
    field(spec, sign, p, buffer + sizeof(buffer) - p, true);
}

/* Reads flags and width. Returns a pointer to the length or conversion. */
static const char *parse(const char *f, struct spec *spec, int star)
{
    *spec = (struct spec) { 0 };
    for (;; f++) {
        if (*f == '-') {
            spec->left = true;
        } else if (*f == '0') {
            spec->zeros = true;
        } else if (*f == '\'') {
            spec->groups = true;
        } else {
            break;
        }
    }
    if (*f == '*') {
        spec->width = star;
        f++;
    }
    for (; *f >= '0' && *f <= '9'; f++) {
        spec->width = spec->width * 10 + (*f - '0');
    }
    return f;
}

/* Whether a star follows the flags. */
static bool has_star(const char *f)
{
    return f[strspn(f, "-0'")] == '*';
}

int vprintf(const char *format, va_list args)
{
    for (const char *f = format; *f; f++) {
        struct spec spec;
        bool wide;

        if (*f != '%') {
            putchar(*f);
            continue;
        }
        f++;
        f = parse(f, &spec, has_star(f) ? va_arg(args, int) : 0);
        wide = f[0] == 'l' && f[1] == 'l';
        f += wide ? 2 : *f == 'l';

        switch (*f) {
        case 'd':
        case 'i': {
            int64_t v = wide ? va_arg(args, int64_t) : va_arg(args, int);

            unsigned_field(&spec, v < 0 ? "-" : "",
                           v < 0 ? -(uint64_t)v : (uint64_t)v, 10);
            break;
        }
        case 'u':
        case 'x':
            unsigned_field(&spec, "", wide ? va_arg(args, uint64_t)
                                           : va_arg(args, unsigned),
                           *f == 'u' ? 10 : 16);
            break;
        case 's': {
            const char *s = va_arg(args, const char *);

            field(&spec, "", s, strlen(s), false);
            break;
        }
        case 'c': {
            char c = va_arg(args, int);

            field(&spec, "", &c, 1, false);
            break;
        }
        default:
            putchar(*f);
        }
    }
    return 0;
}

int printf(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    return 0;
}

int puts(const char *text)
{
    return printf("%s\n", text);
}
