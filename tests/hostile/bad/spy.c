/*
 * Case spy of bad: looks for victim.c's secrets, while the victim runs and
 * when it has ended. Prints one line per node with the number of finds, and
 * exits with status 0.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "bad.h"

#define SECRET          0x5ec2e700
#define PAGES           250     /* includes all of the victim's pages */
#define HEAP            0x20000000

/* Defined in spy_code.S. */
void look_at_windows(uint32_t words[8 * 16]);
void look_at_floats(uint32_t words[32]);

static uint32_t words[8 * 16] __attribute__((aligned(8)));
static struct {
    uint32_t windows, floats, saved, descriptor, memory, stacks;
} found;

static uint32_t secrets(const uint32_t *from, uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        n += (from[i] & 0xffffff00) == SECRET;
    }
    return n;
}

/* Counts any word that is not zero, not only secrets. */
static uint32_t others(const uint32_t *from, uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        n += from[i] != 0;
    }
    return n;
}

static void look_at_network(void)
{
    const uint32_t *page = (const uint32_t *)FUGU_NI_USER_BASE;

    found.descriptor += secrets(page, 16) + page[FUGU_U_DESC_LEN / 4] +
                        secrets(page + FUGU_U_RECORD / 4, 16) +
                        secrets(page + FUGU_U_SB_ADDR / 4, 2);
}

static void look_at_registers(void)
{
    static struct glaze_fp fp;

    look_at_windows(words);
    found.windows += secrets(words, 8 * 16);
    look_at_floats(words);
    found.floats += others(words, 32);
    glaze_fp_save(&fp);
    found.saved += others(fp.f, 32);
}

/* Each page and each stack must be zero when it is first seen. */
static void look_at_memory(void)
{
    glaze_map(HEAP, PAGES * GLAZE_PAGE);
    found.memory = others((const uint32_t *)HEAP, PAGES * GLAZE_PAGE / 4);
    for (uint32_t unit = 0; unit < 16; unit++) {
        uint32_t a = GLAZE_STACKS_END - (unit + 1) * GLAZE_STACK_SIZE;

        found.stacks += others((const uint32_t *)(a + GLAZE_PAGE), 1024);
    }
}

/* Argument 0 is the number of processes that are left when the victim has
 * ended. */
static void spy(void)
{
    struct glaze_count count;

    do {
        look_at_registers();
        look_at_network();
        glaze_count(&count);
    } while (count.processes > argument(0));
    look_at_registers();
    look_at_network();
    look_at_memory();
    printf("spy: node %lu: windows %lu, floats %lu, saved floats %lu, "
           "network %lu, memory %lu, stacks %lu\n", (unsigned long)udm_node(),
           (unsigned long)found.windows, (unsigned long)found.floats,
           (unsigned long)found.saved, (unsigned long)found.descriptor,
           (unsigned long)found.memory, (unsigned long)found.stacks);
    glaze_exit(0);
}

const struct bad_case spy_cases[] = {
    { "spy", spy, true },
    { 0 },
};
