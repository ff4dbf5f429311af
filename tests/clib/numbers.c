/*
 * numbers: what strtol() and the five functions like it make of texts, and
 * strtod() and strtof() of NaNs with brackets. test_clib_numbers.py knows the answers.
 *
 *      "TEXT" BASE: NUMBER BEHIND ERRNO, for each of the six
 *      TEXT: BITS BEHIND BEHIND
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANDOM  1500

static const char *const edges[] = {
    "0x", "0X", "-0x", "0xg", " +0x-1", "0x0x", "0xf", "-0XfFg", "0", "", "-", "+-1",
    "08", "019", "2147483647", "2147483648", "-2147483648", "-2147483649",
    "4294967295", "4294967296", "-4294967295", "-4294967296",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616",
    "-18446744073709551616", "0xffffffffffffffff", "0x10000000000000000",
    "99999999999999999999999999", "zz", "0b1",
};

static const char *const nans[] = {
    "nan", "nan()", "nan(12x)", "nan(12", "nan(1 2)", "nan(_Z9)",
    "NaN(1234567890abcdef1)", "-nan(7)", "nan(0)", "nan(x-y)", "nan)", "nan(1)2", "na",
};

static void integers(const char *text, int base)
{
    char *end;

    printf("\"%s\" %d:", text, base);
#define TRY(FORMAT, CALL) \
    errno = 0; \
    end = NULL; \
    printf(" %" FORMAT, CALL(text, &end, base)); \
    printf(" %d %d", end ? (int)(end - text) : -1, \
           errno == ERANGE ? 1 : errno == EINVAL ? 2 : 0)

    TRY("ld", strtol);
    TRY("lu", strtoul);
    TRY("lld", strtoll);
    TRY("llu", strtoull);
    TRY(PRIdMAX, strtoimax);
    TRY(PRIuMAX, strtoumax);
    printf("\n");
}

int main(void)
{
    static const char letters[] = " \t-+00xX19aFzZ_8";
    static const int bases[] = { 0, 0, 16, 16, 10, 8, 2, 36, 1, 37, -1 };
    char text[16], *end, *end_float;
    uint64_t bits;
    double x;

    for (unsigned i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
        for (unsigned b = 1; b < sizeof(bases) / sizeof(bases[0]); b++) {
            integers(edges[i], bases[b]);
        }
    }
    srandom(1);
    for (unsigned i = 0; i < RANDOM; i++) {
        unsigned length = random() % (sizeof(text) - 1);

        for (unsigned c = 0; c < length; c++) {
            text[c] = letters[random() % (sizeof(letters) - 1)];
        }
        text[length] = 0;
        integers(text, bases[random() % (sizeof(bases) / sizeof(bases[0]))]);
    }
    for (unsigned i = 0; i < sizeof(nans) / sizeof(nans[0]); i++) {
        x = strtod(nans[i], &end);
        memcpy(&bits, &x, sizeof(bits));
        strtof(nans[i], &end_float);
        printf("%s: %016" PRIx64 " %d %d\n", nans[i], bits, (int)(end - nans[i]),
               (int)(end_float - nans[i]));
    }
    return 0;
}
