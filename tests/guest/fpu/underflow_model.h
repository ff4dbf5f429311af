/*
 * IEEE 754 rounding to single precision, in integers, as V8 specifies it.
 */
#ifndef GUEST_UNDERFLOW_MODEL_H
#define GUEST_UNDERFLOW_MODEL_H

#include "fpu.h"

/* A finite number: significand x 2^exponent. */
struct number { bool negative; uint64_t significand; int exponent; };

struct rounded {
    uint32_t bits;              /* the single */
    uint32_t exceptions;        /* with no trap enabled */
    bool tiny;                  /* before rounding; 0 is not tiny */
};

struct number number_of_single(uint32_t bits);
struct number number_of_double(uint64_t bits);

/* The exact product of two singles. */
struct number number_product(uint32_t a, uint32_t b);

struct rounded round_to_single(struct number n, enum fpu_rounding rounding);

#endif
