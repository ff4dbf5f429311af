/*
 * What updates cost where many follow each other (Blumrich et al., ISCA 1994, section
 * 5.1): node 0 sends, node 1 receives.
 *
 *      transfers bandwidth             1 MiB by deliberate update
 *      transfers compute               100,000 words arrive while node 1 computes
 *      transfers compute-single        the same, one packet each
 *      transfers single                10,000 stores, one packet each
 *      transfers blocked               10,000 stores that are merged
 *
 * Prints lines `transfers NAME: NUMBER`. Node 1 checks all words; the status is 1 if one
 * is wrong.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shrimp.h"
#include "udm.h"

#define MOST        (SHRIMP_EXPORT_MOST / 4)            /* words */
#define ARRIVING    100000                              /* words */
#define STORES      10000

#define BEGINS      12000000    /* cycle at which node 0 sends: all is mapped by then */
#define COMPUTES    11000000    /* node 1 measures itself before, from this cycle on */

#define ENDS        15000000    /* node 0 ends: that makes work for node 1 */

static volatile uint32_t words[MOST] __attribute__((aligned(4096)));
static uint32_t node;

static void await(uint32_t cycle)
{
    while (udm_cycles32() < cycle) {
    }
}

static void say(const char *name, uint32_t number)
{
    printf("transfers %s: %lu\n", name, (unsigned long)number);
}

static void fail(const char *why)
{
    fprintf(stderr, "transfers: %s\n", why);
    exit(1);
}

/* Exports the words, or maps them to those of node 1. */
static void connect(uint32_t count, uint32_t mode)
{
    uint32_t bytes = 4 * count;

    if (node) {
        if (shrimp_export(1, words, bytes)) {
            fail("no export");
        }
        return;
    }
    for (uint32_t at = 0; at < bytes; at += SHRIMP_MAP_MOST) {
        uint32_t size = bytes - at < SHRIMP_MAP_MOST ? bytes - at : SHRIMP_MAP_MOST;

        if (shrimp_map(&words[at / 4], size, 1, 1, at, mode) < 0) {
            fail("no mapping");
        }
    }
    if (udm_cycles32() > BEGINS) {
        fail("mapping took too long");
    }
}

static void check_words(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (words[i] != i + 1) {
            fail("a word is wrong");
        }
    }
}

static void __attribute__((noipa)) store_words(volatile uint32_t *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 8) {
        to[i] = i + 1;
        to[i + 1] = i + 2;
        to[i + 2] = i + 3;
        to[i + 3] = i + 4;
        to[i + 4] = i + 5;
        to[i + 5] = i + 6;
        to[i + 6] = i + 7;
        to[i + 7] = i + 8;
    }
}

/* Node 1: waits for the last word. Returns the cycles since node 0 has begun. */
static uint32_t receive(uint32_t count)
{
    while (words[count - 1] != count) {
    }
    return udm_cycles32() - BEGINS;
}

/* ---- Peak bandwidth --------------------------------------------------------- */

static void bandwidth(void)
{
    if (!node) {
        store_words(words, MOST);       /* before they are mapped: page faults */
    }
    connect(MOST, SHRIMP_DELIBERATE);
    await(BEGINS);
    if (!node) {
        shrimp_send(words, 4 * MOST);
    } else {
        say("cycles of 1 MiB", receive(MOST));
        check_words(MOST);
    }
}

/* ---- A receiver that computes ----------------------------------------------- */

static uint32_t numbers[256];

/* Returns the cycles of some work on numbers in the cache. */
static uint32_t __attribute__((noipa)) compute(void)
{
    uint32_t began = udm_cycles32();

    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < 256; i++) {
            numbers[i] = numbers[i] * 3 + round;
        }
    }
    return udm_cycles32() - began;
}

static void computing(uint32_t mode)
{
    uint32_t alone, beside;

    if (!node) {
        if (mode == SHRIMP_DELIBERATE) {
            store_words(words, ARRIVING);
        }
        connect(ARRIVING, mode);
        await(BEGINS);
        if (mode == SHRIMP_DELIBERATE) {
            shrimp_send(words, 4 * ARRIVING);
        } else {
            store_words(words, ARRIVING);
        }
        return;
    }
    connect(ARRIVING, mode);
    await(COMPUTES);
    compute();
    alone = compute();
    await(BEGINS + 2000);
    if (!words[0] || words[ARRIVING - 1]) {
        fail("the words do not come while it computes");
    }
    beside = compute();
    for (uint32_t k = 1; !words[ARRIVING - 1]; k++) {
        uint32_t took = compute();

        beside = took > beside ? took : beside;
    }
    say("cycles of computing alone", alone);
    say("cycles at most while words arrive", beside);
    check_words(ARRIVING);
}

/* ---- Bursts of stores ------------------------------------------------------- */

/* A place for the debugger: the burst is over. */
static void __attribute__((noipa)) burst_ends(void)
{
}

static void burst(uint32_t mode)
{
    connect(STORES, mode);
    await(BEGINS);
    if (!node) {
        store_words(words, STORES);
        burst_ends();
    } else {
        say("cycles of 10,000 stores", receive(STORES));
        check_words(STORES);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";

    node = udm_node();
    if (!strcmp(what, "bandwidth")) {
        bandwidth();
    } else if (!strcmp(what, "compute")) {
        computing(SHRIMP_DELIBERATE);
    } else if (!strcmp(what, "compute-single")) {
        computing(SHRIMP_SINGLE);
    } else if (!strcmp(what, "single")) {
        burst(SHRIMP_SINGLE);
    } else if (!strcmp(what, "blocked")) {
        burst(SHRIMP_BLOCKED);
    } else {
        fail("no such case");
    }
    if (!node) {
        await(ENDS);
    }
    return 0;
}
