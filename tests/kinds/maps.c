/*
 * Maps over the network, with SHRIMP's interface: each rule of docs/shrimp.md.
 *
 *      maps ring [TURNS]       each node maps pages to the next one and sends: whole
 *                              pages, parts, unaligned ranges, waits, fences
 *      maps automatic          stores to mapped pages are sent, one by one and merged:
 *                              those of the program and those of the kernel
 *      maps copies             the kernel stores to a mapped page while the Outgoing
 *                              FIFO is full; reads the file "copies" of 256 bytes
 *      maps errors             each error that a call returns
 *      maps ends               exports and mappings that end, and are made anew
 *      maps pins               pins as many pages as it may
 *      maps lets               exports to job 2, and by a key, and waits for a word
 *      maps uses               job 2: maps to job 1, and sends the word
 *      maps grants             all nodes map to node 0 until it has no place left
 *      maps halves             the other half of a page is mapped, and its mapping
 *                              ends, while the engine sends from the first one
 *      maps exits              node 1 exits first, while others send to it
 *      maps faults NAME        node 1 does what ends its job
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "glaze-calls.h"
#include "maps.h"
#include "ring.h"
#include "udm.h"

/* Two words of an array of words, stored as one. */
typedef uint64_t __attribute__((may_alias)) doubleword;

uint32_t node, nodes, next, before;

volatile uint32_t out[4 * WORDS] __attribute__((aligned(PAGE)));
volatile uint32_t in[4 * WORDS] __attribute__((aligned(PAGE)));
volatile uint32_t flag_out[WORDS] __attribute__((aligned(PAGE)));
volatile uint32_t flag_in[WORDS] __attribute__((aligned(PAGE)));

uint32_t dropped(void)
{
    struct glaze_count count;

    glaze_count(&count);
    return count.dropped;
}

uint32_t value(uint32_t of, uint32_t turn, uint32_t i)
{
    return (of + 1) << 24 | turn << 16 | i;
}

void tell(uint32_t word, uint32_t what)
{
    flag_out[word] = what;
    shrimp_send(&flag_out[word], 4);
    while (!shrimp_is_sent(&flag_out[word])) {
    }
}

void make_flags(void)
{
    check("flags are exported", shrimp_export(FLAGS, flag_in, PAGE), 0);
    check_true("and mapped", shrimp_map(flag_out, PAGE, next, FLAGS, 0,
                                        SHRIMP_DELIBERATE) >= 0);
}

static void tell_turn(uint32_t turn)
{
    tell(1, turn);
}

void ring_barrier(void)
{
    ring_token(node, &flag_in[1], tell_turn);
}

/* ---- ring ----------------------------------------------------------------- */

static void send_turn(uint32_t turn, uint32_t from, uint32_t bytes)
{
    for (uint32_t i = 0; i < 4 * WORDS; i++) {
        out[i] = value(node, turn, i);
    }
    shrimp_send((const volatile char *)out + from, bytes);
    shrimp_fence();
    tell(0, turn + 1);
}

/* `offset`: how much further the bytes lie in the receiver's memory. */
static void check_turn(uint32_t turn, uint32_t from, uint32_t bytes, uint32_t offset)
{
    uint32_t first = from / 4, last = (from + bytes) / 4, wrong = 0;

    shrimp_wait(&flag_in[0], turn + 1);
    for (uint32_t i = first; i < last; i++) {
        wrong += in[i + offset / 4] != value(before, turn, i);
    }
    check("all words have arrived", wrong, 0);
}

static void ring(uint32_t turns, bool alone)
{
    int32_t map;

    make_flags();
    check("data are exported", shrimp_export(DATA, in, sizeof(in)), 0);
    map = shrimp_map(out, sizeof(out), next, DATA, 0, SHRIMP_DELIBERATE);
    check_true("and mapped", map >= 0);
    for (uint32_t turn = 0; turn < turns; turn++) {
        uint32_t from = turn * 1000 & 0x1ffc, bytes = 4 + (turn * 4444 & 0x1ffc);

        send_turn(turn, from, bytes);
        check_turn(turn, from, bytes, 0);
        ring_barrier();
    }
    check("the mapping ends", shrimp_unmap(map), 0);
    /* Three pages to three and a half: each page goes to two. */
    map = shrimp_map(out, 3 * PAGE, next, DATA, 2048, SHRIMP_DELIBERATE);
    check_true("another one has another offset", map >= 0);
    ring_barrier();
    for (uint32_t i = 0; i < 3 * WORDS; i++) {
        out[i] = value(node, 99, i);
    }
    for (uint32_t i = 0; i < 3 * PAGE; i += 2048) {
        shrimp_send((const volatile char *)out + i, 2048);
    }
    shrimp_fence();
    tell(0, 100);
    check_turn(99, 0, 3 * PAGE, 2048);
    ring_barrier();
    check("it ends too", shrimp_unmap(map), 0);
    check("and the export", shrimp_unexport(DATA), 0);
    if (alone) {
        check("nothing was dropped", dropped(), 0);
    }
}

/* ---- automatic ------------------------------------------------------------ */

/* Stores of each size, at the places in the page that turn and size give. */
static void store_all(uint32_t turn)
{
    volatile uint8_t *bytes = (volatile uint8_t *)out;

    for (uint32_t i = 0; i < 2 * WORDS; i++) {
        out[i] = value(node, turn, i);
    }
    for (uint32_t i = 0; i < WORDS / 2; i += 2) {
        *(volatile doubleword *)&out[2 * WORDS + i] =
            (uint64_t)value(node, turn, i) << 32 | value(node, turn, i + 1);
    }
    for (uint32_t i = 0; i < 100; i++) {
        bytes[10 * PAGE / 4 + 4 * i + i % 4] = turn + i;
        *(volatile uint16_t *)&bytes[11 * PAGE / 4 + 4 * i + i % 2 * 2] = turn + i;
    }
}

static void check_stores(uint32_t turn)
{
    volatile uint8_t *bytes = (volatile uint8_t *)in;
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < 2 * WORDS; i++) {
        wrong += in[i] != value(before, turn, i);
    }
    for (uint32_t i = 0; i < WORDS / 2; i++) {
        wrong += in[2 * WORDS + i] != value(before, turn, i);
    }
    for (uint32_t i = 0; i < 100; i++) {
        wrong += bytes[10 * PAGE / 4 + 4 * i + i % 4] != (uint8_t)(turn + i);
        wrong += *(volatile uint16_t *)&bytes[11 * PAGE / 4 + 4 * i + i % 2 * 2] !=
                 (uint16_t)(turn + i);
    }
    check("all stores have arrived", wrong, 0);
}

/* The kernel stores to mapped pages as the program does: nothing is lost where the
 * Outgoing FIFO is nearly full. */
static void let_kernel_store(void)
{
    struct glaze_count *there = (struct glaze_count *)in;
    struct glaze_count *here = (struct glaze_count *)out;

    for (uint32_t turn = 0; turn < 50; turn++) {
        for (uint32_t i = 0; i < 160; i++) {
            out[WORDS + i] = value(node, turn, i);
        }
        glaze_count(here);
    }
    shrimp_fence();
    ring_barrier();
    check_true("what the kernel stores is sent", there->frames > 0);
    check("the kernels have the same frames", there->frames, here->frames);
    for (uint32_t i = 0; i < 160; i++) {
        check("so is what was stored before it", in[WORDS + i], value(before, 49, i));
    }
    ring_barrier();
}

static void automatic(void)
{
    uint32_t before_it;
    int32_t map;

    make_flags();
    for (uint32_t mode = SHRIMP_SINGLE; mode <= SHRIMP_BLOCKED; mode++) {
        check("data are exported", shrimp_export(DATA, in, sizeof(in)), 0);
        map = shrimp_map(out, sizeof(out), next, DATA, 0, mode);
        check_true("and mapped", map >= 0);
        for (uint32_t turn = 1; turn < 4; turn++) {
            store_all(10 * mode + turn);
            shrimp_fence();
            ring_barrier();
            check_stores(10 * mode + turn);
            ring_barrier();
            shrimp_set_mode(&out[3], mode ^ 3);     /* of one page: it stays right */
        }
        let_kernel_store();
        check("the export ends", shrimp_unexport(DATA), 0);
        ring_barrier();
        before_it = dropped();
        for (uint32_t i = 0; i < 10; i++) {
            out[WORDS + 16 * i] = 0;
        }
        shrimp_fence();
        ring_barrier();
        check("stores are dropped then, and counted", dropped() - before_it, 10);
        check("nothing has changed there", in[WORDS], value(before, 49, 0));
        check("the mapping ends", shrimp_unmap(map), 0);
        out[WORDS] = 0;
        check("and no store is sent any more", dropped() - before_it, 10);
        ring_barrier();
    }
}

/* ---- copies --------------------------------------------------------------- */

/* All nodes send to node 0, so that each waits long for room. Each turn leaves a little
 * less of it for the kernel, down to what the threshold leaves. */
static void copies(void)
{
    char *to = (char *)&out[2 * WORDS] + 4, *there = (char *)&in[2 * WORDS] + 4;
    int file = open("copies", O_RDONLY), wrong = 0;

    make_flags();
    check_true("there is the file", file >= 0);
    check("data are exported", shrimp_export(DATA, in, sizeof(in)), 0);
    check_true("and mapped", shrimp_map(out, sizeof(out), 0, DATA, 0,
                                        SHRIMP_SINGLE) >= 0);
    for (uint32_t words = 240; words < 260; words++) {
        check("it is read from its start", lseek(file, 0, SEEK_SET), 0);
        for (uint32_t i = 0; i < words; i++) {
            out[i] = value(0, words, i);
        }
        check("to a mapped page", read(file, to, 256), 256);
        shrimp_fence();
    }
    ring_barrier();
    for (uint32_t i = 0; i < 259 && !node; i++) {
        wrong += in[i] != value(0, 259, i);
    }
    for (uint32_t i = 0; i < 256; i++) {
        wrong += to[i] != (char)(i * 7) || (!node && there[i] != to[i]);
    }
    check("all has arrived", wrong, 0);
    ring_barrier();
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    { "automatic", automatic }, { "copies", copies },
    { "errors", errors }, { "ends", ends }, { "pins", pins }, { "exits", exits },
    { "lets", lets }, { "uses", uses }, { "grants", grants },
    { "halves", halves },
};

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "ring";

    node = udm_node();
    nodes = udm_nodes();
    next = (node + 1) % nodes;
    before = (node + nodes - 1) % nodes;
    if (!strcmp(what, "ring")) {
        ring(argc > 2 ? atoi(argv[2]) : 8, argc <= 2);
    }
    for (uint32_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        if (!strcmp(what, cases[k].name)) {
            cases[k].run();
        }
    }
    return check_end();
}
