/*
 * Underflow, overflow and inexact results of the FPU (V8, section 4.4 and
 * appendix N). Tininess is detected before rounding. With its trap enabled,
 * each tiny result is an underflow; else only an inexact one is. A trap sets
 * one bit of cexc and leaves aexc and the result register as they were.
 *
 * Prints one line per check; the exit status is the number of failed checks.
 */
#include "check.h"
#include "console.h"
#include "random.h"
#include "trap.h"
#include "underflow_model.h"

#define RANDOM_PAIRS 150

/* A case whose operation rounds an exact number to single. */
struct exact {
    struct fpu_done (*execute)(const struct exact *, uint32_t fsr);
    uint64_t a, b;
    struct number n;
};

static struct fpu_done execute_fmuls(const struct exact *c, uint32_t fsr)
{
    return fpu_single(fpu_fmuls, fsr, c->a, c->b);
}

static struct fpu_done execute_fdtos(const struct exact *c, uint32_t fsr)
{
    return fpu_double(fpu_fdtos, fsr, 0, c->a);
}

static struct exact product(uint32_t a, uint32_t b)
{
    return (struct exact) { execute_fmuls, a, b, number_product(a, b) };
}

static struct exact narrowed(uint64_t a)
{
    return (struct exact) { execute_fdtos, a, 0, number_of_double(a) };
}

/* ---- The checks of one case ---------------------------------------------- */

/* Exceptions accrued before the operation, so that a lost one shows. */
#define BEFORE FPU_DZ

static struct fpu_done execute(const struct exact *c,
                               enum fpu_rounding rounding, uint32_t traps)
{
    return c->execute(c, fpu_fsr(rounding, traps) | BEFORE << 5);
}

static void check_accrued(const struct exact *c, enum fpu_rounding rounding,
                          uint32_t before)
{
    struct rounded want = round_to_single(c->n, rounding);
    struct fpu_done done = c->execute(c, fpu_fsr(rounding, 0) | before << 5);

    if (!check_quietly("trap", done.trap, 0) |
        !check_quietly("result", FPU_SINGLE(done), want.bits) |
        !check_quietly("cexc", FSR_CEXC(done.fsr), want.exceptions) |
        !check_quietly("aexc", FSR_AEXC(done.fsr), before | want.exceptions)) {
        printf("  of %llx and %llx, rounding %d\n", c->a, c->b, rounding);
    }
}

/* If aexc has an inexact result already, QEMU lets the host compute. */
static void check_untrapped(const struct exact *c, enum fpu_rounding rounding)
{
    check_accrued(c, rounding, BEFORE);
    check_accrued(c, rounding, BEFORE | FPU_NX);
}

/* The underflow trap alone is enabled. */
static void check_underflow_trap(const struct exact *c,
                                 enum fpu_rounding rounding)
{
    struct rounded want = round_to_single(c->n, rounding);
    struct fpu_done done = execute(c, rounding, FPU_UF);

    if (!check_quietly("trap", done.trap, want.tiny ? TT_FP_EXCEPTION : 0) |
        !check_quietly("result", FPU_SINGLE(done),
                       want.tiny ? FPU_OLD_SINGLE : want.bits)) {
        printf("  of %llx and %llx, rounding %d\n", c->a, c->b, rounding);
    }
}

/* Returns the cexc of a trap, or 0 if none of these traps is taken. */
static uint32_t trapped(struct rounded r, uint32_t traps)
{
    uint32_t taken = (r.exceptions | (r.tiny ? FPU_UF : 0)) & traps;

    return taken & (FPU_OF | FPU_UF) ? taken & ~FPU_NX : taken;
}

static void check_one_bit(const struct exact *c, enum fpu_rounding rounding,
                          uint32_t traps)
{
    uint32_t want = trapped(round_to_single(c->n, rounding), traps);
    struct fpu_done done = execute(c, rounding, traps);

    if (want == 0) {
        return;
    }
    if (!check_quietly("trap", done.trap, TT_FP_EXCEPTION) |
        !check_quietly("cause", FSR_FTT(done.fsr), FTT_IEEE) |
        !check_quietly("cexc", FSR_CEXC(done.fsr), want) |
        !check_quietly("aexc", FSR_AEXC(done.fsr), BEFORE) |
        !check_quietly("result", FPU_SINGLE(done), FPU_OLD_SINGLE)) {
        printf("  of %llx and %llx, rounding %d, traps %x\n", c->a, c->b,
               rounding, traps);
    }
}

/* ---- Cases --------------------------------------------------------------- */

/* Around 2^-126, the least normal single, by products and by themselves. */
static const uint32_t singles[] = {
    0x00000000, 0x00000001, 0x00400000, 0x007fffff, 0x00800000, 0x00800001,
    0x00ffffff, 0x1ffffffe, 0x20000001, 0x33800000, 0x3f000000, 0x3f7ffffe,
    0x3f7fffff, 0x3f800000, 0x3f800001, 0x40400000, 0x5f7fffff, 0x60000000,
    0x7f000000, 0x7f7fffff, 0x80000000, 0x80000001, 0x807fffff, 0x80800001,
    0xbf7fffff, 0xbf800001, 0xff7fffff,
};
#define SINGLES (sizeof(singles) / sizeof(singles[0]))

static const uint64_t doubles[] = {
    0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff,
    0x0010000000000000, 0x3680000000000000, 0x3690000000000000,
    0x3690000000000001, 0x36a0000000000000, 0x36a8000000000000,
    0x380fffffc0000000, 0x380fffffd0000000, 0x380fffffe0000000,
    0x380fffffefffffff, 0x380ffffff0000000, 0x380ffffff0000001,
    0x380fffffffffffff, 0x3810000000000000, 0x3810000000000001,
    0x3ff0000000000000, 0x3ff0000010000000, 0x47efffffe0000000,
    0x47efffffefffffff, 0x47effffff0000000, 0x47f0000000000000,
    0x7fefffffffffffff,
};
#define DOUBLES (sizeof(doubles) / sizeof(doubles[0]))

#define SIGN 0x8000000000000000ull

/* Calls check() for each case and rounding mode. */
static void for_all(void (*check_case)(const struct exact *,
                                       enum fpu_rounding))
{
    uint32_t state = random_stream(1, 0, 0, 0);

    for (enum fpu_rounding mode = 0; mode < FPU_ROUNDINGS; mode++) {
        for (unsigned i = 0; i < SINGLES * SINGLES; i++) {
            struct exact c = product(singles[i / SINGLES],
                                     singles[i % SINGLES]);
            check_case(&c, mode);
        }
        for (unsigned i = 0; i < DOUBLES; i++) {
            struct exact plus = narrowed(doubles[i]);
            struct exact minus = narrowed(doubles[i] | SIGN);
            check_case(&plus, mode);
            check_case(&minus, mode);
        }
        for (unsigned i = 0; i < RANDOM_PAIRS; i++) {
            /* Exponents whose sum is near that of 2^-126. */
            uint32_t a = random_next(&state) & 0x807fffff;
            uint32_t b = random_next(&state) & 0x807fffff;
            uint32_t field = 20 + random_below(&state, 16);
            struct exact c = product(a | field << 23, b | (63 - field +
                                     random_below(&state, 4)) << 23);
            check_case(&c, mode);
        }
    }
}

static void each_trap(const struct exact *c, enum fpu_rounding rounding)
{
    static const uint32_t sets[] = {
        FPU_NX, FPU_UF, FPU_OF, FPU_UF | FPU_NX, FPU_OF | FPU_NX, FPU_ALL,
    };

    for (unsigned i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        check_one_bit(c, rounding, sets[i]);
    }
}

/* ---- Doubles ------------------------------------------------------------- */

/* (1 + 2^-52) 2^-511 x (1 - 2^-52) 2^-511 is 2^-1022 - 2^-1126: tiny, and
 * rounded to the least normal number or to the number below it. */
static void check_product_of_doubles(void)
{
    static const uint64_t least = 0x0010000000000000;

    for (enum fpu_rounding mode = 0; mode < FPU_ROUNDINGS; mode++) {
        for (unsigned i = 0; i < 4; i++) {
            bool negative = i & 1;
            uint32_t accrued = i & 2 ? FPU_NX << 5 : 0;
            uint64_t sign = negative ? SIGN : 0;
            bool up = mode == FPU_NEAREST ||
                      mode == (negative ? FPU_DOWN : FPU_UP);
            struct fpu_done done = fpu_double(fpu_fmuld,
                                              fpu_fsr(mode, 0) | accrued,
                                              0x2000000000000001 | sign,
                                              0x1ffffffffffffffe);

            check_quietly("trap", done.trap, 0);
            check_quietly("result", done.result == (sign | (least - !up)), 1);
            check_quietly("cexc", FSR_CEXC(done.fsr), FPU_UF | FPU_NX);
        }
    }
    check_sum("a double that rounds to the least normal number was tiny");
}

/* Operations whose exact result is a tiny double or single. */
static const struct {
    const char *name;
    void (*op)(void *);
    uint64_t a, b, result;
} exact_tiny[] = {
    { "faddd", fpu_faddd, 0x0000000000000001, 0x0000000000000002,
      0x0000000000000003 },
    { "fsubd", fpu_fsubd, 0x0010000000000000, 0x0000000000000001,
      0x000fffffffffffff },
    { "fmuld", fpu_fmuld, 0x0010000000000000, 0x3fe0000000000000,
      0x0008000000000000 },
    { "fdivd", fpu_fdivd, 0x8010000000000000, 0x4000000000000000,
      0x8008000000000000 },
    { "fadds", fpu_fadds, 0x0000000100000000, 0x8000000300000000,
      0x8000000200000000 },
    { "fmuls", fpu_fmuls, 0x0080000000000000, 0x3f00000000000000,
      0x0040000000000000 },
    { "fdivs", fpu_fdivs, 0x0080000000000000, 0x4000000000000000,
      0x0040000000000000 },
    { "fdtos", fpu_fdtos, 0, 0x36a0000000000000, 0x0000000100000000 },
};

static void check_exact_tiny(void)
{
    for (unsigned i = 0; i < sizeof(exact_tiny) / sizeof(exact_tiny[0]); i++) {
        uint64_t a = exact_tiny[i].a, b = exact_tiny[i].b;
        struct fpu_done done;

        for (enum fpu_rounding mode = 0; mode < FPU_ROUNDINGS; mode++) {
            done = fpu_double(exact_tiny[i].op,
                              fpu_fsr(mode, FPU_ALL & ~FPU_UF), a, b);
            check_quietly("trap", done.trap, 0);
            check_quietly("cexc", FSR_CEXC(done.fsr), 0);
            check_quietly("upper", done.result >> 32,
                          exact_tiny[i].result >> 32);
            done = fpu_double(exact_tiny[i].op, fpu_fsr(mode, FPU_UF), a, b);
            check_quietly("trap", done.trap, TT_FP_EXCEPTION);
            check_quietly("cexc", FSR_CEXC(done.fsr), FPU_UF);
            check_quietly("result", done.result == FPU_OLD, 1);
        }
        check_sum(exact_tiny[i].name);
    }
}

/* Zeros and the least normal numbers are not tiny. */
static void check_not_tiny(void)
{
    uint32_t fsr = fpu_fsr(FPU_NEAREST, FPU_ALL);

    check("an exact zero is no underflow",
          fpu_double(fpu_fsubd, fsr, 0x0000000000000001,
                     0x0000000000000001).trap, 0);
    check("nor is the least normal double",
          fpu_double(fpu_faddd, fsr, 0x000fffffffffffff,
                     0x0000000000000001).trap, 0);
    check("nor the least normal single",
          fpu_double(fpu_fdtos, fsr, 0, 0x3810000000000000).trap, 0);
}

int main(void)
{
    for_all(check_untrapped);
    check_sum("results and exceptions, with no trap enabled");
    for_all(check_underflow_trap);
    check_sum("with the underflow trap, what is tiny before rounding traps");
    for_all(each_trap);
    check_sum("a trap sets one bit of cexc, and nothing else");
    check_product_of_doubles();
    check_exact_tiny();
    check_not_tiny();
    return check_result();
}
