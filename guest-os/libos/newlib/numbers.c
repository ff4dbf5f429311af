/*
 * strtol() and the five functions like it, and the brackets of "nan(...)" for strtod().
 * newlib reads two things in another way than standard C. Where no hexadecimal digit
 * follows "0x" it finds no number, though the 0 is one (7.20.1.4). And in the brackets
 * it wants hexadecimal digits, where C allows any letters, digits and underscores
 * (7.20.1.3).
 *
 * The linker takes an object of newlib for any name that is not here, and then refuses
 * the others of that object as defined twice. So all names of each object are here.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>

/* 36 or more for what is no digit. */
static uint32_t digit(char c)
{
    return c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
           : c >= 'a' && c <= 'z' ? (uint32_t)(c - 'a' + 10)
           : c >= 'A' && c <= 'Z' ? (uint32_t)(c - 'A' + 10)
                                  : UINT_MAX;
}

/*
 * The first digit of the number at the beginning of `text`. Sets *minus, and *base if
 * it was 0. NULL with EINVAL if there is no such base.
 */
static const char *first_digit(struct _reent *state, const char *text, uint32_t *base,
                               bool *minus)
{
    *minus = false;
    if (*base == 1 || *base > 36) {
        __errno_r(state) = EINVAL;
        return NULL;
    }
    while (isspace((unsigned char)*text)) {
        text++;
    }
    if (*text == '-' || *text == '+') {
        *minus = *text++ == '-';
    }
    if ((*base == 0 || *base == 16) && text[0] == '0' &&
        (text[1] == 'x' || text[1] == 'X') && digit(text[2]) < 16) {
        *base = 16;
        return text + 2;
    }
    if (*base == 0) {
        *base = *text == '0' ? 8 : 10;
    }
    return text;
}

/*
 * A function READ that reads a number with the magnitude TYPE, which is no wider than
 * it has to be, since wide division takes long. *end gets what is behind the number,
 * or `text` if there is none; without such a base it stays. A number beyond `most`, or
 * with a minus beyond `least`, gives that end, with ERANGE. `least` is 0 for unsigned
 * types: a minus then takes the number from 2^n.
 */
#define READER(READ, TYPE)                                                             \
static TYPE READ(struct _reent *state, const char *text, char **end, uint32_t base,    \
                 TYPE most, TYPE least)                                                \
{                                                                                      \
    bool minus, beyond = false;                                                        \
    const char *c = first_digit(state, text, &base, &minus), *behind = text;           \
    TYPE limit = minus && least ? least : most, before_last, value = 0;                \
    uint32_t last, next;                                                               \
                                                                                       \
    if (!c) {                                                                          \
        return 0;                                                                      \
    }                                                                                  \
    before_last = limit / base;                                                        \
    last = limit % base;                                                               \
    for (; (next = digit(*c)) < base; behind = ++c) {                                  \
        beyond |= value > before_last || (value == before_last && next > last);        \
        value = value * base + next;                                                   \
    }                                                                                  \
    if (end) {                                                                         \
        *end = (char *)behind;                                                         \
    }                                                                                  \
    if (beyond) {                                                                      \
        __errno_r(state) = ERANGE;                                                     \
        return minus && least ? -least : most;                                         \
    }                                                                                  \
    return minus ? -value : value;                                                     \
}

READER(read_word, uint32_t)
READER(read_double_word, uint64_t)

/* NAME() and the two others of its object. newlib's own functions call the first. */
#define FAMILY(NAME, TYPE, READ, MOST, LEAST)                                          \
TYPE _##NAME##_r(struct _reent *state, const char *restrict text, char **restrict end, \
                 int base)                                                             \
{                                                                                      \
    return READ(state, text, end, base, MOST, LEAST);                                  \
}                                                                                      \
                                                                                       \
TYPE NAME##_l(const char *restrict text, char **restrict end, int base,                \
              locale_t locale)                                                         \
{                                                                                      \
    (void)locale;                                                                      \
    return _##NAME##_r(_REENT, text, end, base);                                       \
}                                                                                      \
                                                                                       \
TYPE NAME(const char *restrict text, char **restrict end, int base)                    \
{                                                                                      \
    return _##NAME##_r(_REENT, text, end, base);                                       \
}

FAMILY(strtol, long, read_word, LONG_MAX, -(uint32_t)LONG_MIN)
FAMILY(strtoul, unsigned long, read_word, ULONG_MAX, 0)
FAMILY(strtoll, long long, read_double_word, LLONG_MAX, -(uint64_t)LLONG_MIN)
FAMILY(strtoull, unsigned long long, read_double_word, ULLONG_MAX, 0)
FAMILY(strtoimax, intmax_t, read_double_word, INTMAX_MAX, -(uint64_t)INTMAX_MIN)
FAMILY(strtoumax, uintmax_t, read_double_word, UINTMAX_MAX, 0)

/* What newlib's strtod() calls. Its header is not installed. */
enum {
    NAN_PLAIN = 4,
    NAN_BITS,
};

int __match(const char **text, const char *rest);
int __hexnan(const char **text, const void *format, uint32_t *bits);

/*
 * Whether `rest`, in lower case, follows the first character of *text in either case.
 * If so, sets *text behind it.
 */
int __match(const char **text, const char *rest)
{
    const char *c = *text;

    while (*rest) {
        if (tolower((unsigned char)*++c) != *rest++) {
            return 0;
        }
    }
    *text = c + 1;
    return 1;
}

/*
 * *text is a bracket. If a matching one follows letters, digits and underscores, sets
 * *text behind it. NAN_BITS if between them are hexadecimal digits alone: their last 52
 * bits, or 1 for 0, since those of an infinity are 0, are in bits[0] (the low word) and
 * bits[1]. Else NAN_PLAIN. `format` is that of a double, which strtof() takes too.
 */
int __hexnan(const char **text, const void *format, uint32_t *bits)
{
    const char *c = *text + 1;
    uint64_t value = 0;
    bool plain = *c == ')';

    (void)format;
    for (; digit(*c) < 36 || *c == '_'; c++) {
        plain |= digit(*c) >= 16;
        value = value << 4 | (digit(*c) & 15);
    }
    if (*c != ')') {
        return NAN_PLAIN;
    }
    *text = c + 1;
    if (plain) {
        return NAN_PLAIN;
    }
    value &= (1ull << 52) - 1;
    value += !value;
    bits[0] = value;
    bits[1] = value >> 32;
    return NAN_BITS;
}
