/*
 * formats: random formats of printf() and scanf(), as lines of text.
 *
 *   formats SEED COUNT
 *
 * The same source is compiled for the guest and for the host, whose C library
 * is the reference: both have to print the same lines. Each line has the
 * number of the case, the format, and what came out of it, between bars.
 *
 * A case uses only what C99 and POSIX define, and values that the types of both
 * machines can hold: long and pointers have 32 bits here, and 64 on most hosts.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

/* Returns the next random number (xorshift64*), from the upper bits. */
static uint32_t next(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * UINT64_C(2685821657736338717)) >> 32;
}

/* The order in which C evaluates operands is open, so each call that draws
 * numbers is a statement of its own. */
static uint64_t next64(void)
{
    uint64_t high = next();

    return high << 32 | next();
}

/* Returns a random number from 0 to `most`. */
static uint32_t upto(uint32_t most)
{
    return next() % (most + 1);
}

/* Returns a number of random length: small ones are as likely as large ones. */
static uint64_t some_bits(unsigned most)
{
    uint64_t bits = next64();

    return bits >> (63 - upto(most - 1));
}

/* ---- Formats -------------------------------------------------------------- */

/* What a conversion takes. */
struct directive {
    char text[32];
    int width, precision;       /* arguments for *, or -1 */
};

/* Appends flags, width and precision. `flags` are those that the conversion
 * may have; precision is at most `precise`, or none if that is -1. */
static void modify(struct directive *d, const char *flags, int precise)
{
    char *at = d->text + strlen(d->text);

    for (; *flags; flags++) {
        if (upto(3) == 0) {
            *at++ = *flags;
        }
    }
    *at = 0;
    d->width = d->precision = -1;
    switch (upto(3)) {
    case 0:
        at += sprintf(at, "%d", (int)upto(30) + 1);
        break;
    case 1:
        d->width = upto(30);
        at += sprintf(at, "*");
        break;
    }
    if (precise >= 0) {
        switch (upto(3)) {
        case 0:
            at += sprintf(at, ".%d", (int)upto(precise));
            break;
        case 1:
            d->precision = upto(precise);
            at += sprintf(at, ".*");
            break;
        case 2:
            at += sprintf(at, ".");
            break;
        }
    }
}

/* Formats one value into `out`. Returns what snprintf() has returned. */
#define SHOW(d, value) \
    ((d)->width >= 0 && (d)->precision >= 0 \
         ? snprintf(out, room, (d)->text, (d)->width, (d)->precision, value) \
     : (d)->width >= 0 ? snprintf(out, room, (d)->text, (d)->width, value) \
     : (d)->precision >= 0 \
         ? snprintf(out, room, (d)->text, (d)->precision, value) \
         : snprintf(out, room, (d)->text, value))

static int show_signed(struct directive *d, char *out, size_t room)
{
    static const char *const lengths[] = {
        "hh", "h", "", "l", "ll", "j", "z", "t",
    };
    unsigned length = upto(7);
    int64_t value = some_bits(length == 4 || length == 5 ? 64 : 31);

    value = upto(1) ? value : -value;
    strcpy(d->text, "%");
    modify(d, "-+ 0", 24);
    sprintf(d->text + strlen(d->text), "%s%c", lengths[length], "di"[upto(1)]);
    switch (length) {
    case 3:
        return SHOW(d, (long)value);
    case 4:
        return SHOW(d, (long long)value);
    case 5:
        return SHOW(d, (intmax_t)value);
    case 6:
        return SHOW(d, (ptrdiff_t)value);
    case 7:
        return SHOW(d, (ptrdiff_t)value);
    default:
        return SHOW(d, (int)value);
    }
}

static int show_unsigned(struct directive *d, char *out, size_t room)
{
    static const char *const lengths[] = {
        "hh", "h", "", "l", "ll", "j", "z", "t",
    };
    unsigned length = upto(7);
    uint64_t value = some_bits(length == 4 || length == 5 ? 64
                               : length == 7 ? 31 : 32);
    char kind = "uoxX"[upto(3)];

    strcpy(d->text, "%");
    modify(d, kind == 'u' ? "-0" : "-0#", 24);
    sprintf(d->text + strlen(d->text), "%s%c", lengths[length], kind);
    switch (length) {
    case 3:
        return SHOW(d, (unsigned long)value);
    case 4:
        return SHOW(d, (unsigned long long)value);
    case 5:
        return SHOW(d, (uintmax_t)value);
    case 6:
        return SHOW(d, (size_t)value);
    case 7:
        return SHOW(d, (ptrdiff_t)value);
    default:
        return SHOW(d, (unsigned)value);
    }
}

/* Returns a double: of any exponent, a short decimal, an integer or a special
 * value. */
static double some_double(void)
{
    union {
        uint64_t bits;
        double value;
    } any;
    double divisor;

    switch (upto(7)) {
    case 0:
        any.bits = next64();
        if (fpclassify(any.value) == FP_NAN ||
            fpclassify(any.value) == FP_SUBNORMAL) {
            return 0;           /* %a: the first digit of these is open */
        }
        return any.value;
    case 1:
        return 0;
    case 2:
        return 1.0 / 0.0;
    case 3:
        return -1.0 - some_bits(63);
    case 4:
        return some_bits(20) / 1000.0;
    default:
        divisor = some_bits(40) + 1;
        return some_bits(64) / divisor;
    }
}

static int show_double(struct directive *d, char *out, size_t room)
{
    double value = some_double();
    bool is_long = upto(3) == 0;
    char kind = is_long ? "feEgG"[upto(4)] : "feEgGaA"[upto(6)];

    if (kind == 'f' && value - value == 0 && (value > 1e60 || value < -1e60)) {
        value = 1.5;            /* or the line would be too long */
    }
    strcpy(d->text, "%");
    /* No precision for %a: the standard leaves the first digit open, and so
     * what is rounded. */
    modify(d, "-+ 0#", kind == 'a' || kind == 'A' ? -1 : 24);
    sprintf(d->text + strlen(d->text), "%s%c", is_long ? "L" : "", kind);
    return is_long ? SHOW(d, (long double)value) : SHOW(d, value);
}

static int show_text(struct directive *d, char *out, size_t room)
{
    static const char *const texts[] = {
        "", "a", "word", "two words", "a text that is longer than its field",
    };

    strcpy(d->text, "%");
    if (upto(2) == 0) {
        modify(d, "-", -1);
        strcat(d->text, "c");
        return SHOW(d, (int)('a' + upto(25)));
    }
    modify(d, "-", 24);
    strcat(d->text, "s");
    return SHOW(d, texts[upto(4)]);
}

/* POSIX: arguments by number, in any order. */
static int show_by_number(struct directive *d, char *out, size_t room)
{
    static const char *const formats[] = {
        "%2$s %1$d", "%3$.*1$f %2$s", "%1$d %1$x %1$o", "%2$*1$d",
        "%3$lld %1$s %2$zu",
    };
    unsigned which = upto(4);
    int number = upto(20);
    int other = upto(9999);
    size_t size = next();
    long long large = some_bits(63);

    strcpy(d->text, formats[which]);
    switch (which) {
    case 0:
        return snprintf(out, room, d->text, number, "word");
    case 1:
        return snprintf(out, room, d->text, number, "word", number / 7.0);
    case 2:
        return snprintf(out, room, d->text, number);
    case 3:
        return snprintf(out, room, d->text, number, other);
    default:
        return snprintf(out, room, d->text, "word", size, large);
    }
}

/* ---- scanf ---------------------------------------------------------------- */

/* Prints a number and scans it again; `out` tells what has been read. */
static int scan(struct directive *d, char *out, size_t room)
{
    char text[128];
    int64_t number = upto(1) ? (int64_t)some_bits(31) : -(int64_t)some_bits(31);
    int used = -1, count;

    switch (upto(7)) {
    case 0: {
        long long value = 0;

        snprintf(text, sizeof text, " %lld rest", (long long)some_bits(63));
        strcpy(d->text, "%lld%n");
        count = sscanf(text, d->text, &value, &used);
        return snprintf(out, room, "%d %lld %d", count, value, used);
    }
    case 1: {
        intmax_t value = 0;

        snprintf(text, sizeof text, "0x%llx", (long long)some_bits(62));
        strcpy(d->text, "%ji%n");
        count = sscanf(text, d->text, &value, &used);
        return snprintf(out, room, "%d %jd %d", count, value, used);
    }
    case 2: {
        signed char small = 0;
        short middle = 0;

        snprintf(text, sizeof text, "%d,%d", (int)number % 128,
                 (int)number % 32768);
        strcpy(d->text, "%hhd,%hd%n");
        count = sscanf(text, d->text, &small, &middle, &used);
        return snprintf(out, room, "%d %d %d %d", count, small, middle, used);
    }
    case 3: {
        size_t size = 0;
        ptrdiff_t difference = 0;

        snprintf(text, sizeof text, "%u %d", (unsigned)some_bits(31),
                 (int)number);
        strcpy(d->text, "%zu%td%n");
        count = sscanf(text, d->text, &size, &difference, &used);
        return snprintf(out, room, "%d %zu %td %d", count, size, difference,
                        used);
    }
    case 4: {
        double value = 0;

        snprintf(text, sizeof text, "%.17g;", some_double());
        strcpy(d->text, "%lf%n");
        count = sscanf(text, d->text, &value, &used);
        return snprintf(out, room, "%d %a %d", count, value, used);
    }
    case 5: {
        long double value = 0;

        snprintf(text, sizeof text, "%d.25 x", (int)number);
        strcpy(d->text, "%Lg%n");
        count = sscanf(text, d->text, &value, &used);
        return snprintf(out, room, "%d %.4Lf %d", count, value, used);
    }
    case 6: {
        char word[16] = "", set[16] = "";

        strcpy(text, "some words: 12ab");
        strcpy(d->text, "%15s words: %15[0-9]%n");
        count = sscanf(text, d->text, word, set, &used);
        return snprintf(out, room, "%d %s %s %d", count, word, set, used);
    }
    default: {
        unsigned long long value = 0;
        char *end;

        snprintf(text, sizeof text, "%llu!", (unsigned long long)some_bits(64));
        strcpy(d->text, "strtoull");
        value = strtoull(text, &end, 10);
        return snprintf(out, room, "%llu %s", value, end);
    }
    }
}

int main(int argc, char **argv)
{
    static int (*const kinds[])(struct directive *, char *, size_t) = {
        show_signed, show_unsigned, show_double, show_text, show_by_number,
        scan,
    };
    static char out[512];
    unsigned count;

    if (argc != 3) {
        fprintf(stderr, "usage: formats SEED COUNT\n");
        return 2;
    }
    state = strtoull(argv[1], NULL, 0) * 2 + 1;
    count = strtoul(argv[2], NULL, 0);
    for (unsigned k = 0; k < count; k++) {
        struct directive d = { .width = -1, .precision = -1 };
        int length = kinds[upto(5)](&d, out, sizeof out);

        printf("%u |%s| |%s| %d\n", k, d.text, out, length);
    }
    return 0;
}
