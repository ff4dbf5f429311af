/*
 * Pages that two nodes share (pram.h): what holds and what does not, at each delay between
 * the two.
 *
 *      pram MODE [TURNS]       MODE: single or blocked. On two nodes
 *      pram calls              what pram_share() refuses, and what pram_unshare() ends
 *
 * A turn begins at a cycle that both know. Node 0 acts then, node 1 some cycles before or
 * after it: up to TURNS cycles, every second number in one of TURNS turns. What must hold
 * has to hold in each turn; what need not hold has to be seen not to, in some.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pram.h"
#include "udm-collective.h"

#define PAGE    GLAZE_PAGE

enum { WORDS = 2 * PAGE / 4, TURN = 6000 };

/* Words of the pages. Each node has its own, but for COMMON. */
enum { DATA = 3, FLAG = 40, STORED = 80, WANTS = 90, COUNTER = 100, COMMON = 110,
       OTHER_PAGE = PAGE / 4 + 7, OF_NODE = 500 };

static volatile uint32_t shared[WORDS] __attribute__((aligned(PAGE)));

static uint32_t node, turns = 400, first;

/* The word of a node. */
static volatile uint32_t *of(uint32_t who, uint32_t word)
{
    return &shared[word + who * OF_NODE];
}

/* Waits for this node's time in a turn of a test that begins at `first`. */
static void await(uint32_t turn)
{
    uint32_t at = first + turn * TURN + (node ? 2 * turn - turns : 0);

    while ((int32_t)(udm_cycles32() - at) < 0) {
    }
}

/* Both begin a test: its first turn is some time from now. */
static void begin(void)
{
    first = udm_reduce_all_int(UDM_MAX, udm_cycles32()) + 20000;
}

static uint32_t sum(uint32_t number)
{
    return udm_reduce_all_int(UDM_SUM, number);
}

/* ---- What holds -------------------------------------------------------------- */

/* Data on both pages, then a flag. Both send at the same time. */
static void pass_messages(void)
{
    uint32_t wrong = 0;

    begin();
    for (uint32_t turn = 1; turn <= turns; turn++) {
        uint32_t other = node ^ 1;

        await(turn);
        *of(node, DATA) = turn;
        *of(node, OTHER_PAGE) = ~turn;
        *(volatile uint8_t *)of(node, DATA + 1) = turn;
        *of(node, FLAG) = turn;
        while (*of(other, FLAG) != turn) {
        }
        wrong += *of(other, DATA) != turn || *of(other, OTHER_PAGE) != ~turn ||
                 *(volatile uint8_t *)of(other, DATA + 1) != (uint8_t)turn;
    }
    check("who sees the flag sees the data, at each delay", sum(wrong), 0);
}

/* A word that one of them writes: the other one sees each of its values in order. */
static void count_up(void)
{
    uint32_t wrong = 0, before = 0, values = 0;

    begin();
    for (uint32_t turn = 1; turn <= turns; turn++) {
        await(turn);
        for (uint32_t k = 0; k < 20; k++) {
            uint32_t now;

            *of(node, COUNTER) = turn * 20 + k;
            now = *of(node ^ 1, COUNTER);
            wrong += now < before;
            values += now != before;
            before = now;
        }
    }
    check("a counter of the other's never goes back", sum(wrong), 0);
    check("and is seen to go on", sum(values) > turns, true);
}

/* ---- What does not hold ------------------------------------------------------- */

/* Each stores its word, then looks at the other's. */
static void store_and_look(void)
{
    uint32_t both = 0;

    for (uint32_t fence = 0; fence < 2; fence++) {
        both = 0;
        begin();
        for (uint32_t turn = 1; turn <= turns; turn++) {
            bool old;

            await(turn);
            *of(node, STORED) = fence * turns + turn;
            if (fence) {
                shrimp_fence();
            }
            old = *of(node ^ 1, STORED) != fence * turns + turn;
            *of(node, STORED + 1) = old;
            await(turn);
            while ((int32_t)(udm_cycles32() - (first + turn * TURN)) < TURN / 2) {
            }
            both += old && *of(node ^ 1, STORED + 1);
        }
        if (fence) {
            check("with a fence in between never", both, 0);
        } else {
            check("both look before the other's store has come: seen", both > 0, true);
            check("but not at each delay", both < turns, true);
        }
    }
}

/* Dekker's entry to a section that only one may be in. Returns whether this node is in. */
static bool enter(void)
{
    *of(node, WANTS) = 1;
    return !*of(node ^ 1, WANTS);
}

static void exclude(void)
{
    uint32_t both = 0, alone = 0;

    begin();
    for (uint32_t turn = 1; turn <= turns; turn++) {
        bool in;

        await(turn);
        in = enter();
        *of(node, WANTS + 1) = in;
        while ((int32_t)(udm_cycles32() - (first + turn * TURN)) < TURN / 2) {
        }
        both += in && *of(node ^ 1, WANTS + 1);
        alone += in && !*of(node ^ 1, WANTS + 1);
        *of(node, WANTS) = 0;           /* the next turn begins much later */
    }
    check("Dekker's entry lets both in: seen", both > 0, true);
    check("and one alone, at other delays", sum(alone) > 0, true);
}

/* Both store to one word. */
static void diverge(void)
{
    uint32_t differ = 0;

    begin();
    for (uint32_t turn = 1; turn <= turns; turn++) {
        await(turn);
        shared[COMMON] = turn * 2 + node;
        while ((int32_t)(udm_cycles32() - (first + turn * TURN)) < TURN / 2) {
        }
        *of(node, COMMON + 1) = shared[COMMON];
        while ((int32_t)(udm_cycles32() - (first + turn * TURN)) < TURN * 3 / 4) {
        }
        differ += *of(node ^ 1, COMMON + 1) != shared[COMMON];
    }
    check("a word to which both store has two values for ever: seen", differ > 0, true);
    check("but not at each delay", differ < turns, true);
}

/* ---- The calls ------------------------------------------------------------------ */

static void check_calls(void)
{
    uint32_t other = node ^ 1;
    int32_t mapping;

    check("not with the own node", pram_share(shared, PAGE, node, 1, SHRIMP_SINGLE),
          -EINVAL);
    check("not by deliberate update",
          pram_share(shared, PAGE, other, 1, SHRIMP_DELIBERATE), -EINVAL);
    check("multiples of 8", pram_share(shared, PAGE - 4, other, 1, SHRIMP_SINGLE),
          -EINVAL);
    check("no such node", pram_share(shared, PAGE, 5000, 1, SHRIMP_SINGLE), -EINVAL);
    mapping = pram_share(shared, PAGE, other, 1, SHRIMP_SINGLE);
    check("what was refused has changed nothing", mapping >= 0, true);
    check("not a number twice",
          pram_share(shared + PAGE / 4, PAGE, other, 1, SHRIMP_SINGLE), -EEXIST);
    udm_barrier();
    *of(node, DATA) = 1;
    udm_barrier();
    check("shared", *of(other, DATA), 1);
    *of(node, DATA + 2) = 7;
    udm_barrier();                  /* the first to end it ends it for both */
    check("ends", pram_unshare(1, mapping), 0);
    check("ends once", pram_unshare(1, mapping), -EINVAL);
    *of(node, DATA) = 2;
    udm_barrier();
    check("no longer shared", *of(other, DATA), 1);
    check("what was stored before has stayed", *of(other, DATA + 2), 7);
}

int main(int argc, char **argv)
{
    bool blocked = argc > 1 && !strcmp(argv[1], "blocked");

    node = udm_node();
    turns = argc > 2 ? (uint32_t)atoi(argv[2]) : turns;
    if (argc > 1 && !strcmp(argv[1], "calls")) {
        check_calls();
        return check_end();
    }
    check("two pages are shared",
          pram_share(shared, sizeof(shared), node ^ 1, 1,
                     blocked ? SHRIMP_BLOCKED : SHRIMP_SINGLE) >= 0, true);
    pass_messages();
    count_up();
    store_and_look();
    exclude();
    diverge();
    return check_end();
}
