/*
 * A pipeline of nodes: blocks of words go from each to the next one by
 * deliberate update. See README.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "shrimp-buffers.h"
#include "udm-collective.h"

enum {
    WORDS = 512,                /* default: of a block */
    WORDS_MOST = SHRIMP_BUFFER_BYTES / 4,
    BLOCKS = 100,
    BLOCKS_MOST = 1000000,
};

/* Two buffers of each end: their addresses differ in one bit. */
static struct pair {
    struct shrimp_buffer of[2];
} __attribute__((aligned(8192))) out, in;

static uint32_t words = WORDS, blocks = BLOCKS;
static uint32_t node, nodes;

/* ---- What a stage computes ---------------------------------------------- */

static uint32_t first(uint32_t block, uint32_t i)
{
    return block * 69069 + i;
}

static inline uint32_t stage(uint32_t word, uint32_t number)
{
    for (uint32_t k = 0; k < 4; k++) {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        word += number;
    }
    return word;
}

/* The work of all stages on a word. */
static uint32_t all_stages(uint32_t word)
{
    for (uint32_t k = 0; k < nodes; k++) {
        word = stage(word, k);
    }
    return word;
}

/* ---- The pipeline ------------------------------------------------------- */

/* Returns the sum of the words that leave the last stage. */
static uint32_t run(bool from_before, bool to_next)
{
    struct shrimp_buffer *to = &out.of[0], *from = &in.of[0];
    uintptr_t to_pair = SHRIMP_PAIR(&out.of[0], &out.of[1]);
    uintptr_t from_pair = SHRIMP_PAIR(&in.of[0], &in.of[1]);
    uint32_t sum = 0;

    for (uint32_t block = 0; block < blocks; block++) {
        if (from_before) {
            shrimp_double3_receive(from);
        }
        if (to_next) {
            shrimp_double3_begin(to);
        }
        for (uint32_t i = 0; i < words; i++) {
            uint32_t word = from_before ? from->data[i] : first(block, i);

            word = stage(word, node);
            if (to_next) {
                to->data[i] = word;
            } else {
                sum += word ^ block;
            }
        }
        if (from_before) {
            shrimp_double3_end(from, from_pair);
        }
        if (to_next) {
            shrimp_send(to->data, words * 4);
            shrimp_wait_sent(to->data);
            shrimp_double3_send(to, to_pair, words * 4);
        }
    }
    return sum;
}

/* The same on one node. */
static uint32_t alone(void)
{
    uint32_t sum = 0;

    for (uint32_t block = 0; block < blocks; block++) {
        for (uint32_t i = 0; i < words; i++) {
            sum += all_stages(first(block, i)) ^ block;
        }
    }
    return sum;
}

static void connect(bool from_before, bool to_next)
{
    int32_t result = 0;

    if (from_before) {
        result = shrimp_offer(in.of, 2, 1);
    }
    if (to_next && result >= 0) {
        result = shrimp_connect_send(out.of, 2, node + 1, 1,
                                     SHRIMP_DELIBERATE);
    }
    if (from_before && result >= 0) {
        result = shrimp_connect_receive(in.of, 2, node - 1, 1);
    }
    if (result < 0) {
        fprintf(stderr, "pipeline: node %lu: the buffers cannot be mapped\n",
                (unsigned long)node);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    const struct argument numbers[] = {
        { "WORDS", "words of a block", 1, WORDS_MOST, &words },
        { "BLOCKS", "blocks", 1, BLOCKS_MOST, &blocks },
        { 0 },
    };
    struct arguments arguments = { .app = "pipeline", .numbers = numbers };
    bool from_before, to_next;
    uint64_t began, took, took_alone;
    uint32_t sum;

    arguments_read(&arguments, argc, argv);
    node = udm_node();
    nodes = udm_nodes();
    from_before = node > 0;
    to_next = node < nodes - 1;
    connect(from_before, to_next);
    udm_barrier();
    began = udm_cycles();
    sum = run(from_before, to_next);
    udm_barrier();
    took = udm_cycles() - began;
    sum = udm_reduce_int(0, UDM_SUM, sum);      /* the last stage has one */
    if (node != 0) {
        return 0;
    }
    began = udm_cycles();
    sum ^= alone();
    took_alone = udm_cycles() - began;
    printf("pipeline: %lu blocks of %lu words through %lu nodes\n",
           (unsigned long)blocks, (unsigned long)words, (unsigned long)nodes);
    printf("pipeline: %.0f cycles a block, on one node %.0f: speed-up %.2f\n",
           (double)took / blocks, (double)took_alone / blocks,
           (double)took_alone / took);
    printf("pipeline: %s\n", sum ? "wrong" : "right");
    return sum != 0;
}
