/*
 * Stores that are hard to tell from others: to a bit-field, to a double by
 * words, of the value that is there already; then lines of input.
 *
 *   writes           prints the number of lines and the sum of their numbers
 *   writes spin      stores for ever
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "udm.h"

#define APART __attribute__((noinline))

static volatile struct {
    uint32_t first : 4, counter : 12;
    int32_t negative : 5;
    struct {
        uint32_t inner : 3;
    };
} bits;
static volatile double copied;
static volatile uint32_t unchanged = 7;
static volatile uint32_t knob, lines, sum;

static void APART set_first(uint32_t value)
{
    bits.first = value;
}

static void APART set_negative(int32_t value)
{
    bits.negative = value;
}

static void APART set_inner(uint32_t value)
{
    bits.inner = value;
}

static void APART count(uint32_t value)
{
    bits.counter = value;
}

/* As memcpy() does, but with volatile words. */
static void APART copy_by_words(const double *from)
{
    volatile uint32_t *to = (volatile uint32_t *)&copied;
    const uint32_t *word = (const uint32_t *)from;

    to[0] = word[0];
    to[1] = word[1];
}

static void APART store_again(uint32_t value)
{
    unchanged = value;
}

static void APART look_here(void)
{
    asm volatile ("" : : : "memory");
}

static void APART take_line(uint32_t number)
{
    lines++;
    sum += number + knob;
}

int main(int argc, char **argv)
{
    static const double value = 74.0, other = 5.5;
    unsigned number;

    (void)argv;
    if (argc > 1) {
        /* Rounds end between blocks, and this block begins with the store. */
        asm volatile ("1: st %0, [%1]\n\tba 1b\n\tadd %0, 1, %0"
                      : : "r" (1), "r" (&knob) : "memory");
    }
    set_first(5);
    set_negative(-3);
    set_inner(6);
    for (uint32_t k = 1; k < 1000; k++) {
        count(k);
    }
    copy_by_words(&other);
    copy_by_words(&value);
    copy_by_words(&value);
    store_again(7);
    store_again(7);
    look_here();
    while (scanf("%u", &number) == 1) {
        take_line(number);
    }
    printf("%u lines, sum %u\n", (unsigned)lines, (unsigned)sum);
    return 0;
}
