/*
 * Strided transfers: blocks of an array, by messages of a few words and by
 * DMA. See README.md.
 *
 * Node 0 sends blocks that lie apart in its array, and node 1 stores them as
 * far apart in its own: a number of blocks of 1 to 1024 words each, or the
 * strided planes of a cube.
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
    SIDE = 100,                 /* of the paper's cube, in numbers of */
    DOUBLE = 2,                 /* words */
    ROUNDS = 3,                 /* of each transfer; the last one counts */
};

enum { SENDER, RECEIVER };

/* Blocks that lie `stride` words apart. */
struct shape {
    uint32_t count, words, stride;
    uint32_t all;               /* words of all blocks */
};

static uint32_t *array;
static volatile uint32_t arrived;       /* words */
static volatile bool polls;             /* the sender's: the receiver does */

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

/* Without arguments, on the sender. */
static void begin_sending(void)
{
    udm_dispose();
    polls = true;
}

/* ---- Transfers ---------------------------------------------------------------- */

static void send_by_messages(const struct shape *shape)
{
    const uint32_t words = shape->words, stride = shape->stride;
    uint32_t at = 0;

    for (uint32_t left = shape->count; left > 0; left--, at += stride) {
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

static void send_by_dma(const struct shape *shape)
{
    const uint32_t bytes = 4 * shape->words, stride = shape->stride;
    uint32_t at = 0;

    for (uint32_t left = shape->count; left > 0; left--, at += stride) {
        udm_inject_body(RECEIVER, block_by_dma, array + at, bytes, at);
    }
}

/* Words of a block and of what is behind it that are filled in and checked. */
static uint32_t looked_at(const struct shape *shape)
{
    uint32_t most = shape->words + GAP;

    return shape->stride < most ? shape->stride : most;
}

static uint32_t content(uint32_t place, uint32_t words)
{
    return (place + words) * 2654435761u;
}

static void fill(const struct shape *shape)
{
    uint32_t at = 0;

    for (uint32_t block = 0; block < shape->count; block++) {
        for (uint32_t k = 0; k < looked_at(shape); k++) {
            array[at + k] = udm_node() == SENDER ?
                            content(at + k, shape->words) : 0;
        }
        at += shape->stride;
    }
}

/* Returns how many words of the receiver's array are wrong. */
static uint32_t wrong(const struct shape *shape)
{
    uint32_t found = 0, at = 0;

    for (uint32_t block = 0; block < shape->count; block++) {
        for (uint32_t k = 0; k < looked_at(shape); k++) {
            found += array[at + k] !=
                     (k < shape->words ? content(at + k, shape->words) : 0);
        }
        at += shape->stride;
    }
    return found;
}

/*
 * Sends blocks from node 0 to node 1. *cycles gets the time from the first
 * launch to the last word's arrival, on node 1. Returns what is wrong there.
 */
static uint32_t transfer(void (*send)(const struct shape *shape),
                         const struct shape *shape, uint64_t *cycles)
{
    uint64_t start = 0, end = 0;

    fill(shape);
    arrived = 0;
    polls = false;
    udm_barrier();
    if (udm_node() == SENDER) {
        /* A message that came before rq_begin() would interrupt, and so would
           those that come during its handler. */
        while (!polls) {
        }
        start = udm_cycles();
        send(shape);
    } else if (udm_node() == RECEIVER) {
        rq_begin();
        rq_send_am(SENDER, begin_sending);
        while (arrived < shape->all) {
            rq_poll_am();
        }
        end = udm_cycles();
        rq_end();
    }
    udm_broadcast(SENDER, &start, sizeof(start));
    *cycles = end - start;
    return udm_node() == RECEIVER ? wrong(shape) : 0;
}

/* Both ways, in rounds. Prints the last round's; returns what is wrong. */
static uint32_t compare(const struct shape *shape)
{
    static void (*const ways[])(const struct shape *) = { send_by_messages,
                                                          send_by_dma };
    uint64_t cycles[2] = { 0, 0 };
    uint32_t bad = 0;

    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned way = 0; way < 2; way++) {
            bad += transfer(ways[way], shape, &cycles[way]);
        }
    }
    if (udm_node() == RECEIVER) {
        printf("strided: %lu words: messages %.1f, DMA %.1f cycles a "
               "block\n", (unsigned long)shape->words,
               (double)cycles[0] / shape->count,
               (double)cycles[1] / shape->count);
    }
    return bad;
}

/* Makes the array. Ends the program if there is no memory. */
static void make_array(uint32_t words)
{
    array = malloc(words * sizeof(*array));
    if (!array) {
        fprintf(stderr, "strided: the array needs more memory (--ram)\n");
        exit(1);
    }
}

/* Blocks of each size. Returns what is wrong. */
static uint32_t blocks(uint32_t count)
{
    uint32_t bad = 0;

    make_array(count * (WORDS_MOST + GAP));
    for (uint32_t words = 1; words <= WORDS_MOST; words *= 2) {
        bad += compare(&(struct shape){ count, words, words + GAP,
                                         count * words });
    }
    return bad;
}

/* The two strided planes of a cube of SIDE doubles. Returns what is wrong. */
static uint32_t planes(void)
{
    make_array(SIDE * SIDE * SIDE * DOUBLE);
    return compare(&(struct shape){ SIDE * SIDE, DOUBLE, SIDE * DOUBLE,
                                    SIDE * SIDE * DOUBLE }) +
           compare(&(struct shape){ SIDE, SIDE * DOUBLE,
                                    SIDE * SIDE * DOUBLE,
                                    SIDE * SIDE * DOUBLE });
}

int main(int argc, char **argv)
{
    bool plane = argc == 2 && !strcmp(argv[1], "planes");
    char *end = "";
    uint32_t count = COUNT;
    int64_t bad;

    if (argc > 1 && !plane) {
        count = strtoul(argv[1], &end, 10);
    }
    if (argc > 2 || *end || count < 1 || count > COUNT_MOST ||
        udm_nodes() < 2) {
        if (udm_node() == 0) {
            fprintf(stderr, "strided: its one argument is a number of blocks, "
                    "1 to %d, or planes; two nodes or more\n", COUNT_MOST);
        }
        return 2;
    }
    rq_init(RQ_BY_NI);
    bad = udm_reduce_all_int(UDM_SUM, plane ? planes() : blocks(count));
    if (udm_node() == 0) {
        if (plane) {
            printf("strided: planes: %s\n", bad ? "wrong" : "right");
        } else {
            printf("strided: %lu blocks: %s\n", (unsigned long)count,
                   bad ? "wrong" : "right");
        }
    }
    return bad != 0;
}
