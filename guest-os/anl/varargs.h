/*
 * <varargs.h> of C before 1989, which today's compilers do not have:
 *
 *     complain(format, va_alist)
 *         char *format;
 *         va_dcl
 *     {
 *         va_list list;
 *
 *         va_start(list);
 *         vfprintf(stderr, format, list);
 *         va_end(list);
 *     }
 *
 * va_alist stands for VA_WORDS parameters of type int. A function without a
 * prototype gets its arguments as words, a double as two, and a va_list of this
 * compiler is the address of such words. So va_start() copies the parameters
 * to an array, which lives as long as the block in which va_start() is called.
 * Words beyond the arguments have no meaning. A function that is called with
 * more words than VA_WORDS sees the first ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VARARGS_H
#define VARARGS_H

#include <stdarg.h>

#define VA_WORDS        24

#define va_alist \
    va_w0, va_w1, va_w2, va_w3, va_w4, va_w5, va_w6, va_w7, va_w8, va_w9, \
    va_w10, va_w11, va_w12, va_w13, va_w14, va_w15, va_w16, va_w17, va_w18, \
    va_w19, va_w20, va_w21, va_w22, va_w23

/* The arguments may be of other types than int. Where a call's arguments are
 * constants, GCC would make a copy of the function for them, and take them for
 * ints. */
#pragma GCC optimize ("no-ipa-cp")

#define va_dcl          int va_alist;

#undef va_start
#define va_start(list) \
    ((list) = va_words((int[VA_WORDS]){ va_alist }))

/* The words, of which the compiler does not know the types any more. */
static __inline__ va_list va_words(int *words)
{
    __asm__ volatile ("" : "+r" (words) : : "memory");
    return (va_list)words;
}

#endif /* VARARGS_H */
