/*
 * Messages of several lengths, and null handlers that read all their words.
 *
 * Each measured send is a separate function, with all that it needs in
 * registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stddef.h>
#include <stdlib.h>

#include "variants.h"

uint32_t gaps[MESSAGES_MAX];

#define WORDS_0
#define WORDS_1 , word
#define WORDS_2 , word, word
#define WORDS_6 , word, word, word, word, word, word
#define WORDS_14 WORDS_6 WORDS_6 WORDS_2
#define INJECT(...) udm_inject(__VA_ARGS__)

#define DEFINE(k) \
    static __attribute__((noinline)) \
    void send_##k(uint32_t node, udm_handler_t handler, uint32_t word) \
    { \
        (void)word; \
        INJECT(node, handler WORDS_##k); \
    } \
    \
    static void null_##k(void) \
    { \
        _Pragma("GCC unroll 14") \
        for (int i = 0; i < k; i++) { \
            udm_arg(i); \
        } \
        udm_dispose(); \
    }

VARIANTS(DEFINE)

#define ROW(k) { k, send_##k, null_##k },
static const struct variant variants[] = { VARIANTS(ROW) };

const struct variant *variant_of(const char *text)
{
    char *end;
    unsigned long k = strtoul(text, &end, 10);

    for (unsigned i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        if (!*end && variants[i].arguments == k) {
            return &variants[i];
        }
    }
    return NULL;
}

unsigned messages_of(const char *text)
{
    char *end;
    unsigned long count = strtoul(text, &end, 10);

    return *end || count > MESSAGES_MAX ? 0 : count;
}

static volatile unsigned ready;

static void ready_arrives(void)
{
    ready++;
    udm_dispose();
}

void say_ready(void)
{
    udm_inject(SENDER, ready_arrives);
}

void wait_ready(unsigned times)
{
    while (ready <= times) {
    }
}

#define DRY 4                   /* turns that bring the code into the cache */

void watch_messages(unsigned count, bool described)
{
    watch(gaps, DRY, 0);
    say_ready();
    if (described) {
        *(volatile uint32_t *)(FUGU_NI_USER_BASE + FUGU_U_OUT) = SENDER;
    }
    watch(gaps, count, gaps[DRY - 1]);
}

void let_pass(uint32_t cycles)
{
    uint32_t start = udm_cycles32();

    while (udm_cycles32() - start < cycles) {
    }
}
