/*
 * NaNs in comparisons and in conversions to integers, and conversions at the
 * ends of the range of integers (V8, section 4.4, appendices B and N).
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "console.h"
#include "fpu.h"
#include "trap.h"

/* ---- Comparisons --------------------------------------------------------- */

/* Singles; the doubles are the same numbers. */
static const struct { uint32_t single; uint64_t twice; } values[] = {
    { 0x00000000, 0x0000000000000000 },         /* 0 */
    { 0x80000000, 0x8000000000000000 },         /* -0 */
    { 0x3f800000, 0x3ff0000000000000 },         /* 1 */
    { 0xbf800000, 0xbff0000000000000 },         /* -1 */
    { 0x00000001, 0x0000000000000001 },         /* the least of each size */
    { 0x7f800000, 0x7ff0000000000000 },         /* infinities */
    { 0xff800000, 0xfff0000000000000 },
    { 0x7fc00000, 0x7ff8000000000000 },         /* quiet NaNs */
    { 0xffffffff, 0xffffffffffffffff },
    { 0x7f800001, 0x7ff0000000000001 },         /* signaling NaNs */
    { 0xff800001, 0xfff0000000000001 },
};
#define VALUES (sizeof(values) / sizeof(values[0]))

static bool is_nan(uint64_t bits)
{
    return (bits & ~(1ull << 63)) > 0x7ff0000000000000;
}

static bool is_signaling(uint64_t bits)
{
    return is_nan(bits) && !(bits & 0x0008000000000000);
}

/* A number that orders doubles as their values. */
static int64_t rank(uint64_t bits)
{
    int64_t magnitude = bits & ~(1ull << 63);

    return bits >> 63 ? -magnitude : magnitude;
}

/* fcc: 0 equal, 1 less, 2 greater, 3 unordered. */
static uint32_t relation(uint64_t a, uint64_t b)
{
    if (is_nan(a) || is_nan(b)) {
        return 3;
    }
    return rank(a) == rank(b) ? 0 : rank(a) < rank(b) ? 1 : 2;
}

/* Checks one comparison, with the invalid trap enabled or not. */
static void check_pair(bool single, void (*op)(void *), unsigned i, unsigned j,
                       uint32_t invalid, uint32_t traps)
{
    /* fcc is a relation that is not the one to come. */
    uint32_t want = relation(values[i].twice, values[j].twice);
    uint32_t before = want ^ 1;
    uint32_t fsr = fpu_fsr(FPU_NEAREST, traps) | before << 10 | FPU_DZ << 5;
    bool trap = invalid & traps;
    struct fpu_done done = single
        ? fpu_single(op, fsr, values[i].single, values[j].single)
        : fpu_double(op, fsr, values[i].twice, values[j].twice);

    if (!check_quietly("trap", done.trap, trap ? TT_FP_EXCEPTION : 0) |
        !check_quietly("fcc", FSR_FCC(done.fsr), trap ? before : want) |
        !check_quietly("cexc", FSR_CEXC(done.fsr), invalid) |
        !check_quietly("aexc", FSR_AEXC(done.fsr),
                       FPU_DZ | (trap ? 0 : invalid))) {
        printf("  of values %u and %u\n", i, j);
    }
}

/* A quiet NaN is invalid only to the instructions with an E. */
static void check_compare(const char *name, bool single, void (*op)(void *),
                          bool e)
{
    for (unsigned i = 0; i < VALUES; i++) {
        for (unsigned j = 0; j < VALUES; j++) {
            uint64_t a = values[i].twice, b = values[j].twice;
            bool invalid = e ? is_nan(a) || is_nan(b)
                             : is_signaling(a) || is_signaling(b);

            check_pair(single, op, i, j, invalid ? FPU_NV : 0, 0);
            check_pair(single, op, i, j, invalid ? FPU_NV : 0, FPU_NV);
        }
    }
    check_sum(name);
}

/* ---- Conversions --------------------------------------------------------- */

#define MAX     0x7fffffffu
#define MIN     0x80000000u

struct conversion { uint64_t from; uint32_t to, exceptions; };

static const struct conversion nans_of_single[] = {
    { 0x7fc00000, MAX, FPU_NV }, { 0xffc00000, MIN, FPU_NV },
    { 0x7fffffff, MAX, FPU_NV }, { 0xffffffff, MIN, FPU_NV },
    { 0x7f800001, MAX, FPU_NV }, { 0xff800001, MIN, FPU_NV },
}, singles[] = {
    { 0x7f800000, MAX, FPU_NV }, { 0xff800000, MIN, FPU_NV },
    { 0x7f7fffff, MAX, FPU_NV }, { 0xff7fffff, MIN, FPU_NV },
    { 0x4f000000, MAX, FPU_NV }, { 0xcf000000, MIN, 0 },
    { 0x4effffff, 2147483520, 0 }, { 0xcf000001, MIN, FPU_NV },
    { 0x00000000, 0, 0 }, { 0x80000000, 0, 0 },
    { 0x00000001, 0, FPU_NX }, { 0x80000001, 0, FPU_NX },
    { 0x3fffffff, 1, FPU_NX }, { 0xbfffffff, -1, FPU_NX },
    { 0x4b7fffff, 16777215, 0 }, { 0xc2f6e979, -123, FPU_NX },
}, nans_of_double[] = {
    { 0x7ff8000000000000, MAX, FPU_NV }, { 0xfff8000000000000, MIN, FPU_NV },
    { 0x7fffffffffffffff, MAX, FPU_NV }, { 0xffffffffffffffff, MIN, FPU_NV },
    { 0x7ff0000000000001, MAX, FPU_NV }, { 0xfff0000000000001, MIN, FPU_NV },
}, doubles[] = {
    { 0x7ff0000000000000, MAX, FPU_NV }, { 0xfff0000000000000, MIN, FPU_NV },
    { 0x41dfffffffc00000, MAX, 0 },             /* 2^31 - 1 */
    { 0x41dfffffffffffff, MAX, FPU_NX },        /* just below 2^31 */
    { 0x41e0000000000000, MAX, FPU_NV },        /* 2^31 */
    { 0xc1e0000000000000, MIN, 0 },             /* -2^31 */
    { 0xc1e00000001fffff, MIN, FPU_NX },        /* just above -2^31 - 1 */
    { 0xc1e0000000200000, MIN, FPU_NV },        /* -2^31 - 1 */
    { 0xbfefffffffffffff, 0, FPU_NX }, { 0x8000000000000000, 0, 0 },
    { 0x0000000000000001, 0, FPU_NX }, { 0xc05edd2f1a9fbe77, -123, FPU_NX },
};

/* The rounding mode does not matter. */
static void check_convert(const char *name, bool single,
                          const struct conversion *conversions, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct conversion *c = &conversions[i];

        for (unsigned j = 0; j < 2 * FPU_ROUNDINGS; j++) {
            enum fpu_rounding mode = j % FPU_ROUNDINGS;
            /* If aexc has an inexact result, QEMU lets the host compute. */
            uint32_t fsr = fpu_fsr(mode, 0) | (j == mode ? 0 : FPU_NX << 5);
            struct fpu_done done = single
                ? fpu_single(fpu_fstoi, fsr, 0, c->from)
                : fpu_double(fpu_fdtoi, fsr, 0, c->from);
            uint32_t traps = c->exceptions;

            if (!check_quietly("trap", done.trap, 0) |
                !check_quietly("integer", FPU_SINGLE(done), c->to) |
                !check_quietly("cexc", FSR_CEXC(done.fsr), c->exceptions)) {
                printf("  of %llx, rounding %d\n", c->from, mode);
            }
            done = single
                ? fpu_single(fpu_fstoi, fpu_fsr(mode, traps), 0, c->from)
                : fpu_double(fpu_fdtoi, fpu_fsr(mode, traps), 0, c->from);
            check_quietly("trap", done.trap, traps ? TT_FP_EXCEPTION : 0);
        }
    }
    check_sum(name);
}

#define CHECK_CONVERT(name, single, table) \
    check_convert(name, single, table, sizeof(table) / sizeof(table[0]))

int main(void)
{
    check_compare("fcmps", true, fpu_fcmps, false);
    check_compare("fcmpes", true, fpu_fcmpes, true);
    check_compare("fcmpd", false, fpu_fcmpd, false);
    check_compare("fcmped", false, fpu_fcmped, true);
    CHECK_CONVERT("fstoi of NaNs", true, nans_of_single);
    CHECK_CONVERT("fstoi", true, singles);
    CHECK_CONVERT("fdtoi of NaNs", false, nans_of_double);
    CHECK_CONVERT("fdtoi", false, doubles);
    return check_result();
}
