/*
 * Strided transfers: a plane of an array, by messages of a few words and by
 * DMA. See README.md.
 *
 * Node 0 sends COUNT blocks that lie apart in its array, and node 1 stores them
 * as far apart in its own, both for blocks of 1 to 1024 words.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rq.h"
#include "udm-collective.h"

enum {
    COUNT = 64,                 /* default: blocks */
    COUNT_MOST = 1024,
    WORDS_MOST = FUGU_BODY_MAX / 4,     /* of a block */
    SMALL = 8,                  /* words of a message */
    GAP = 7,                    /* words between two blocks */
    ROUNDS = 3,                 /* of each transfer; the last one counts */
};

enum { SENDER, RECEIVER };

static uint32_t *array;
static uint32_t count;
static volatile uint32_t arrived;       /* words */

/* ---- Handlers: the first argument is the offset in the array ---------------- */

static void some_words(void)
{
    uint32_t *place = array + udm_arg(0);

    for (unsigned k = 0; k < SMALL; k++) {
        place[k] = udm_arg(1 + k);
    }
    udm_dispose();
    arrived += SMALL;
}

/* Fewer words: as many as the message has. */
static void fewer_words(void)
{
    uint32_t *place = array + udm_arg(0), length = udm_length() - 3;

    for (uint32_t k = 0; k < length; k++) {
        place[k] = udm_arg(1 + k);
    }
    udm_dispose();
    arrived += length;
}

static void block_by_dma(void)
{
    uint32_t bytes = udm_body_length();

    udm_storeback(array + udm_arg(0), 0, bytes);
    udm_dispose();
    arrived += bytes / 4;
}

/* ---- Transfers ---------------------------------------------------------------- */

static void send_by_messages(uint32_t words)
{
    uint32_t at = 0;

    for (uint32_t block = 0; block < count; block++, at += words + GAP) {
        uint32_t k = 0;

        for (; k + SMALL <= words; k += SMALL) {
            const uint32_t *w = array + at + k;

            rq_send_am(RECEIVER, some_words, at + k, w[0], w[1], w[2], w[3],
                       w[4], w[5], w[6], w[7]);
        }
        if (k < words) {
            udm_inject_words(RECEIVER, fewer_words, array + at + k, words - k,
                             at + k);
        }
    }
}

static void send_by_dma(uint32_t words)
{
    uint32_t at = 0;

    for (uint32_t block = 0; block < count; block++, at += words + GAP) {
        udm_inject_body(RECEIVER, block_by_dma, array + at, 4 * words, at);
    }
}

static uint32_t content(uint32_t place, uint32_t words)
{
    return (place + words) * 2654435761u;
}

/* Returns how many words of the receiver's array are wrong. */
static uint32_t wrong(uint32_t words)
{
    uint32_t found = 0, at = 0;

    for (uint32_t block = 0; block < count; block++) {
        for (uint32_t k = 0; k < words + GAP; k++, at++) {
            found += array[at] != (k < words ? content(at, words) : 0);
        }
    }
    return found;
}

/*
 * Sends a plane from node 0 to node 1. *cycles gets the time from the first
 * launch to the last word's arrival, on node 1. Returns what is wrong there.
 */
static uint32_t transfer(void (*send)(uint32_t words), uint32_t words,
                         uint64_t *cycles)
{
    uint32_t size = count * (words + GAP);
    uint64_t start = 0, end = 0;

    for (uint32_t k = 0; k < size; k++) {
        array[k] = udm_node() == SENDER ? content(k, words) : 0;
    }
    arrived = 0;
    udm_barrier();
    if (udm_node() == SENDER) {
        start = udm_cycles();
        send(words);
    } else if (udm_node() == RECEIVER) {
        rq_begin();
        while (arrived < count * words) {
            rq_poll_am();
        }
        end = udm_cycles();
        rq_end();
    }
    udm_broadcast(SENDER, &start, sizeof(start));
    *cycles = end - start;
    return udm_node() == RECEIVER ? wrong(words) : 0;
}

int main(int argc, char **argv)
{
    static void (*const ways[])(uint32_t) = { send_by_messages, send_by_dma };
    char *end = "";
    int64_t bad = 0;

    count = argc > 1 ? strtoul(argv[1], &end, 10) : COUNT;
    if (argc > 2 || *end || count < 1 || count > COUNT_MOST ||
        udm_nodes() < 2) {
        if (udm_node() == 0) {
            fprintf(stderr, "strided: its one argument is a number of blocks, "
                    "1 to %d; two nodes or more\n", COUNT_MOST);
        }
        return 2;
    }
    array = malloc(count * (WORDS_MOST + GAP) * sizeof(*array));
    if (!array) {
        fprintf(stderr, "strided: the array needs more memory (--ram)\n");
        return 1;
    }
    rq_init(RQ_BY_NI);
    for (uint32_t words = 1; words <= WORDS_MOST; words *= 2) {
        uint64_t cycles[2] = { 0, 0 };

        for (unsigned round = 0; round < ROUNDS; round++) {
            for (unsigned way = 0; way < 2; way++) {
                bad += transfer(ways[way], words, &cycles[way]);
            }
        }
        if (udm_node() == RECEIVER) {
            printf("strided: %lu words: messages %.1f, DMA %.1f cycles a "
                   "block\n", (unsigned long)words, (double)cycles[0] / count,
                   (double)cycles[1] / count);
        }
    }
    bad = udm_reduce_all_int(UDM_SUM, bad);
    if (udm_node() == 0) {
        printf("strided: %lu blocks: %s\n", (unsigned long)count,
               bad ? "wrong" : "right");
    }
    return bad != 0;
}
