#include "underflow_model.h"

#define FRACTION_BITS   23
#define HIDDEN          (1u << FRACTION_BITS)
#define EXPONENT_MIN    -126    /* of normal numbers */
#define FIELD_MAX       255     /* infinity */

static struct number number(bool negative, unsigned field, uint64_t fraction,
                            unsigned bits, int bias)
{
    if (field == 0) {           /* subnormal: same exponent, no hidden bit */
        field = 1;
    } else {
        fraction |= 1ull << bits;
    }
    return (struct number) { negative, fraction,
                             (int)field - bias - (int)bits };
}

struct number number_of_single(uint32_t bits)
{
    return number(bits >> 31, bits >> 23 & 255, bits & (HIDDEN - 1), 23, 127);
}

struct number number_of_double(uint64_t bits)
{
    return number(bits >> 63, bits >> 52 & 2047, bits & ((1ull << 52) - 1),
                  52, 1023);
}

struct number number_product(uint32_t a, uint32_t b)
{
    struct number x = number_of_single(a), y = number_of_single(b);

    return (struct number) { x.negative != y.negative,
                             x.significand * y.significand,
                             x.exponent + y.exponent };
}

/* Whether the magnitude is rounded up. The bits below the last one that is
 * kept have the value `rest`; `half` would be half of that last bit. */
static bool rounds_up(const struct number *n, enum fpu_rounding rounding,
                      bool odd, uint64_t rest, uint64_t half)
{
    switch (rounding) {
    case FPU_NEAREST:
        return rest > half || (rest == half && odd);
    case FPU_UP:
        return rest && !n->negative;
    case FPU_DOWN:
        return rest && n->negative;
    default:
        return false;
    }
}

static struct rounded overflow(bool negative, enum fpu_rounding rounding)
{
    bool infinite = rounding == FPU_NEAREST ||
                    rounding == (negative ? FPU_DOWN : FPU_UP);

    return (struct rounded) {
        .bits = (uint32_t)negative << 31 | (0x7f7fffff + infinite),
        .exceptions = FPU_OF | FPU_NX,
    };
}

struct rounded round_to_single(struct number n, enum fpu_rounding rounding)
{
    struct rounded result = { .bits = (uint32_t)n.negative << 31 };
    uint64_t kept, rest = 0, half = 1;
    int last, shift, field;

    if (n.significand == 0) {
        return result;
    }
    last = n.exponent + 63 - __builtin_clzll(n.significand) - FRACTION_BITS;
    result.tiny = last + FRACTION_BITS < EXPONENT_MIN;
    if (result.tiny) {
        last = EXPONENT_MIN - FRACTION_BITS;
    }
    shift = last - n.exponent;
    if (shift <= 0) {
        kept = n.significand << -shift;
    } else if (shift < 64) {
        kept = n.significand >> shift;
        half = 1ull << (shift - 1);
        rest = n.significand & (2 * half - 1);
    } else {                    /* less than half of the last bit */
        kept = 0;
        rest = 1;
        half = 2;
    }
    kept += rounds_up(&n, rounding, kept & 1, rest, half);
    if (kept == 2 * HIDDEN) {
        kept = HIDDEN;
        last++;
    }
    field = kept < HIDDEN ? 0 : last + FRACTION_BITS - EXPONENT_MIN + 1;
    if (field >= FIELD_MAX) {
        return overflow(n.negative, rounding);
    }
    result.bits |= (uint32_t)field << FRACTION_BITS | (kept & (HIDDEN - 1));
    if (rest) {
        result.exceptions = FPU_NX | (result.tiny ? FPU_UF : 0);
    }
    return result;
}
