/*
 * Messages by memory that is mapped over the network: the loops of figures 1, 5
 * and 6 of the SHRIMP paper, in each mode. See README.md.
 *
 * Nodes form a ring: each one sends to the next and receives from the one
 * before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shrimp-buffers.h"
#include "udm-collective.h"

enum {
    BYTES = 1024,               /* default: of a message */
    TURNS = 100,
    TURNS_MOST = 100000,
};

/* Two buffers of each end, for each mode: their addresses differ in one bit. */
static struct pair {
    struct shrimp_buffer of[2];
} __attribute__((aligned(8192))) out[3], in[3];

static const struct mode {
    const char *name;
    uint32_t mode;
} modes[] = {
    { "single", SHRIMP_SINGLE }, { "blocked", SHRIMP_BLOCKED },
    { "deliberate", SHRIMP_DELIBERATE },
};

enum { MODES = sizeof(modes) / sizeof(modes[0]) };

static uint32_t node, nodes, bytes = BYTES, turns = TURNS, wrong;
static bool deliberate;

/* ---- What the loops compute --------------------------------------------- */

static uint32_t content(uint32_t of, uint32_t turn, uint32_t i)
{
    return (of << 24) ^ (turn << 12) ^ i;
}

/* Makes the message of a turn, and sends it if its mode is deliberate update. */
static void produce(volatile uint32_t *data, uint32_t turn)
{
    for (uint32_t i = 0; i < bytes / 4; i++) {
        data[i] = content(node, turn, i);
    }
    if (deliberate) {
        shrimp_send(data, bytes);
        shrimp_wait_sent(data);
    }
}

/* Checks a message of the node before. */
static void consume(const volatile uint32_t *data, uint32_t turn,
                    uint32_t received)
{
    uint32_t before = (node + nodes - 1) % nodes;

    wrong += received != bytes;
    for (uint32_t i = 0; i < bytes / 4; i++) {
        wrong += data[i] != content(before, turn, i);
    }
}

/* ---- The loops ------------------------------------------------------------ */

/* Figure 1: computing and messages, with a barrier between them. */
static void typical(struct shrimp_buffer *to, struct shrimp_buffer *from)
{
    for (uint32_t turn = 0; turn < turns; turn++) {
        produce(to->data, turn);
        udm_barrier();
        consume(from->data, turn, bytes);
        udm_barrier();
    }
}

/* Figure 5: single buffering. */
static void single(struct shrimp_buffer *to, struct shrimp_buffer *from)
{
    for (uint32_t turn = 0; turn < turns; turn++) {
        shrimp_single_begin(&to->nbytes);
        produce(to->data, turn);
        shrimp_single_send(&to->nbytes, bytes);
        consume(from->data, turn, shrimp_single_receive(&from->nbytes));
        shrimp_single_end(&from->nbytes);
    }
}

/* The same, and the receiver copies the message out. */
static void copied(struct shrimp_buffer *to, struct shrimp_buffer *from)
{
    static uint32_t copy[SHRIMP_BUFFER_BYTES / 4];

    for (uint32_t turn = 0; turn < turns; turn++) {
        uint32_t received;

        shrimp_single_begin(&to->nbytes);
        produce(to->data, turn);
        shrimp_single_send(&to->nbytes, bytes);
        received = shrimp_single_receive_copy(&from->nbytes, copy,
                                              from->data);
        consume(copy, turn, received);
    }
}

/* Figure 6, case 1: an iteration uses what the one before it has sent. */
static void double1(struct shrimp_buffer *to, struct shrimp_buffer *from)
{
    uintptr_t to_pair = SHRIMP_PAIR(to, to + 1);
    uintptr_t from_pair = SHRIMP_PAIR(from, from + 1);

    for (uint32_t turn = 0; turn <= turns; turn++) {
        if (turn < turns) {
            produce(to->data, turn);
            shrimp_double1_next(to, to_pair);
        }
        if (turn) {
            consume(from->data, turn - 1, bytes);
            shrimp_double1_next(from, from_pair);
        }
        udm_barrier();
    }
}

/* Case 2: an iteration uses what is sent in it. */
static void double2(struct shrimp_buffer *to, struct shrimp_buffer *from)
{
    uintptr_t to_pair = SHRIMP_PAIR(to, to + 1);
    uintptr_t from_pair = SHRIMP_PAIR(from, from + 1);

    for (uint32_t turn = 0; turn < turns; turn++) {
        produce(to->data, turn);
        shrimp_double2_send(to, to_pair, bytes);
        consume(from->data, turn, shrimp_double2_receive(from));
        shrimp_double2_end(from, from_pair);
        udm_barrier();
    }
}

/* Case 3: messages alone order the iterations. */
static void double3(struct shrimp_buffer *to, struct shrimp_buffer *from)
{
    uintptr_t to_pair = SHRIMP_PAIR(to, to + 1);
    uintptr_t from_pair = SHRIMP_PAIR(from, from + 1);

    for (uint32_t turn = 0; turn < turns; turn++) {
        shrimp_double3_begin(to);
        produce(to->data, turn);
        shrimp_double3_send(to, to_pair, bytes);
        consume(from->data, turn, shrimp_double3_receive(from));
        shrimp_double3_end(from, from_pair);
    }
}

static const struct {
    const char *name;
    void (*run)(struct shrimp_buffer *to, struct shrimp_buffer *from);
} loops[] = {
    { "a typical program (figure 1)", typical },
    { "single buffering (figure 5)", single },
    { "single buffering + copy", copied },
    { "double buffering, case 1 (figure 6)", double1 },
    { "double buffering, case 2", double2 },
    { "double buffering, case 3", double3 },
};

/* ---- The program ---------------------------------------------------------- */

static void fail(const char *why)
{
    fprintf(stderr, "update: node %lu: %s\n", (unsigned long)node, why);
    exit(1);
}

/* Connects the buffers of all modes with those of both neighbours. */
static void connect(void)
{
    uint32_t next = (node + 1) % nodes, before = (node + nodes - 1) % nodes;
    bool failed = false;

    for (uint32_t k = 0; k < MODES; k++) {
        failed |= shrimp_offer(in[k].of, 2, k) < 0;
    }
    for (uint32_t k = 0; k < MODES && !failed; k++) {
        failed |= shrimp_connect_send(out[k].of, 2, next, k,
                                      modes[k].mode) < 0 ||
                  shrimp_connect_receive(in[k].of, 2, before, k) < 0;
    }
    if (failed) {
        fail("the buffers cannot be mapped");
    }
}

/* Returns the cycles of a turn of a loop. */
static uint32_t measure(uint32_t loop, uint32_t k)
{
    uint64_t began;

    deliberate = modes[k].mode == SHRIMP_DELIBERATE;
    udm_barrier();
    began = udm_cycles();
    loops[loop].run(out[k].of, in[k].of);
    return (udm_cycles() - began) / turns;
}

static bool read_number(const char *word, uint32_t least, uint32_t most,
                        uint32_t *number)
{
    char *end;

    *number = strtoul(word, &end, 10);
    return *word && !*end && *number >= least && *number <= most;
}

int main(int argc, char **argv)
{
    node = udm_node();
    nodes = udm_nodes();
    if (argc > 3 ||
        (argc > 1 && (!read_number(argv[1], 4, SHRIMP_BUFFER_BYTES, &bytes) ||
                      bytes % 4)) ||
        (argc > 2 && !read_number(argv[2], 1, TURNS_MOST, &turns))) {
        if (node == 0) {
            fprintf(stderr, "update: its arguments are the bytes of a message, "
                    "a multiple of 4 up to %d, and a number of turns up to "
                    "%d\n", SHRIMP_BUFFER_BYTES, TURNS_MOST);
        }
        return 2;
    }
    connect();
    if (node == 0) {
        printf("update: messages of %lu bytes to the next node, cycles of a "
               "turn\n%-38s", (unsigned long)bytes, "");
        for (uint32_t k = 0; k < MODES; k++) {
            printf("%12s", modes[k].name);
        }
        printf("\n");
    }
    for (uint32_t loop = 0; loop < sizeof(loops) / sizeof(loops[0]); loop++) {
        uint32_t cycles[MODES];

        for (uint32_t k = 0; k < MODES; k++) {
            cycles[k] = measure(loop, k);
        }
        if (node == 0) {
            printf("%-38s%12lu%12lu%12lu\n", loops[loop].name,
                   (unsigned long)cycles[0], (unsigned long)cycles[1],
                   (unsigned long)cycles[2]);
        }
    }
    if (wrong) {
        fail("words are wrong");
    }
    udm_barrier();
    if (node == 0) {
        printf("update: all words are right\n");
    }
    return 0;
}
