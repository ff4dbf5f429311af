/*
 * Blocks of words by messages of the M-Machine's interface. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>

#include "block.h"
#include "mm-times.h"
#include "mm.h"
#include "udm-collective.h"

/* block.S */
uint32_t block_send(uint32_t dest, const uint32_t *words, uint32_t body,
                    uint32_t tail);

static uint32_t source[BLOCK_WORDS] __attribute__((aligned(32)));

/* The handlers write the block and `came`, and node 0's `taken`. */
static volatile struct {
    uint32_t word[BLOCK_WORDS], came, taken;
} memory __attribute__((aligned(2 * GLAZE_PAGE)));
static struct mm_shared shared;

static uint32_t word_of(uint32_t try, uint32_t i)
{
    return try << 16 | i;
}

static void write_blocks(uint32_t node, uint32_t tries)
{
    struct times times = { 0 };

    for (uint32_t t = 1; t <= tries; t++) {
        uint32_t began;

        for (uint32_t i = 0; i < BLOCK_WORDS; i++) {
            source[i] = word_of(t, i);
        }
        memory.taken = 0;
        times_vary(t);
        began = block_send(mm_at(&shared, node, &memory.word[0]), source,
                           MM_HANDLER_IP(block_body),
                           MM_HANDLER_IP(block_tail));
        times_add(&times, times_look(&memory.taken, 0) - began);
    }
    times_print("1024 words in 103 messages", &times);
}

/* Returns the number of words that are wrong. */
static uint32_t take_blocks(uint32_t tries)
{
    uint32_t wrong = 0;

    for (uint32_t t = 1; t <= tries; t++) {
        uint32_t came = times_look(&memory.came, 0);

        for (uint32_t i = 0; i < BLOCK_WORDS; i++) {
            wrong += memory.word[i] != word_of(t, i);
        }
        memory.came = 0;
        mm_send1(mm_at(&shared, 0, &memory.taken), MM_HANDLER_IP(mm_store),
                 came);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    uint32_t last = udm_nodes() - 1, wrong;
    uint32_t tries = times_argument("blockwrite", argc, argv, 10000, 2);

    times_share("blockwrite", &shared, &memory, 2 * GLAZE_PAGE);
    udm_barrier();              /* all receivers run */
    if (udm_node() == 0) {
        write_blocks(last, tries);
    } else if (udm_node() == last) {
        wrong = take_blocks(tries);
        printf("blockwrite: %lu words came wrong\n", (unsigned long)wrong);
        return wrong != 0;
    }
    return 0;
}
