/*
 * What a process may not do with the command pages of its mappings, and jobs that
 * come and go with mappings.
 *
 *      mapfaults NAME          node 1 does what ends its job
 *      mapfaults leave         all nodes map to each other, send, and exit at once
 *      mapfaults crash         so they do, and node 0 ends the job by a fault
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glaze-calls.h"
#include "shrimp.h"
#include "udm.h"

#define PAGE    GLAZE_PAGE
#define WORDS   (PAGE / 4)

static volatile uint32_t out[2 * WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t in[2 * WORDS] __attribute__((aligned(PAGE)));

static volatile uint32_t *command(const volatile void *at)
{
    return (volatile uint32_t *)((uintptr_t)at + SHRIMP_COMMANDS);
}

static void no_words(void)
{
    *command(out) = 0;
}

static void too_many_words(void)
{
    *command(out) = WORDS + 1;
}

static void past_the_part(void)
{
    *command(&out[WORDS / 2 - 1]) = 2;
}

static void not_this_part(void)
{
    *command(&out[WORDS / 2]) = 1;
}

static void no_command(void)
{
    *command(out) = 0x80000009;
}

static void one_byte(void)
{
    *(volatile uint8_t *)command(out) = 1;
}

static void two_words(void)
{
    *(volatile uint64_t *)command(out) = 1;
}

static void not_mapped_in(void)
{
    *command(out) = FUGU_COMMAND_ARM;
}

static void not_mapped(void)
{
    *command(&out[WORDS]) = 1;
}

static void not_exported(void)
{
    *command(&in[WORDS]) = FUGU_COMMAND_ARM;
}

static void physical(void)
{
    *(volatile uint32_t *)FUGU_COMMAND_BASE = 1;
}

static void stack_there(void)
{
    /* The window would be stored to command memory. */
    asm volatile ("mov %0, %%l0\n\tsave %%l0, 0, %%sp\n\t"
                  "save %%sp, -96, %%sp\n\tta %1\n\tnop"
                  : : "r" ((uintptr_t)command(out)), "i" (GLAZE_TRAP_FLUSH) : "l0");
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    { "no-words", no_words }, { "too-many-words", too_many_words },
    { "past-the-part", past_the_part }, { "not-this-part", not_this_part },
    { "no-command", no_command }, { "one-byte", one_byte },
    { "two-words", two_words }, { "not-mapped-in", not_mapped_in },
    { "not-mapped", not_mapped }, { "not-exported", not_exported },
    { "physical", physical }, { "stack-there", stack_there },
};

/*
 * Words of fresh pages, which nobody maps to. An update for a page that the kernel has
 * given to this process since would be found here.
 */
static volatile uint32_t fresh[8][WORDS] __attribute__((aligned(PAGE)));

static void touch_fresh(void)
{
    for (uint32_t k = 0; k < 8; k++) {
        fresh[k][0] = 0;
    }
}

static void check_fresh(void)
{
    for (uint32_t k = 0; k < 8 * WORDS; k++) {
        uint32_t word = fresh[k / WORDS][k % WORDS];

        if (word) {
            printf("mapfaults: a stale word, %lu\n", (unsigned long)word);
        }
    }
}

/* Maps a page to each other node, and sends it without an end. */
static void leave(bool crash)
{
    static volatile uint32_t pages[16][WORDS] __attribute__((aligned(PAGE)));
    uint32_t nodes = udm_nodes();

    touch_fresh();
    shrimp_export(2, in, PAGE);
    for (uint32_t k = 0; k < nodes; k++) {
        if (shrimp_map(pages[k], PAGE, (udm_node() + k) % nodes, 2, 0,
                       SHRIMP_DELIBERATE) < 0) {
            return;             /* that one has left already */
        }
    }
    for (uint32_t k = 0; k < 4 * nodes; k++) {
        pages[k % nodes][k] = ~k;
        shrimp_send(pages[k % nodes], PAGE);
    }
    check_fresh();
    if (crash && !udm_node()) {
        no_words();
        shrimp_send(&out[WORDS], 4);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "leave";

    if (!strcmp(what, "leave") || !strcmp(what, "crash")) {
        leave(!strcmp(what, "crash"));
        return 0;
    }
    shrimp_export(1, in, PAGE);
    shrimp_map(out, PAGE / 2, (udm_node() + 1) % udm_nodes(), 1, 0, SHRIMP_DELIBERATE);
    for (uint32_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        if (udm_node() == 1 && !strcmp(what, cases[k].name)) {
            cases[k].run();
        }
    }
    if (udm_node() != 1) {      /* node 1 may be late: its target must not have left */
        shrimp_wait(&in[WORDS], 1);
    }
    return 0;
}
