/*
 * Litmus programs for memory that is mapped over the network, with SHRIMP's interface:
 * what two nodes that map words to each other may see (docs/shrimp.md, "What is seen
 * in which order").
 *
 *      litmus MODE TURNS       MODE: single or blocked. On two nodes
 *
 * Message passing must hold in each turn. Store buffering must be seen. It must not be
 * seen with a fence between store and load: a credit takes longer to come back than an
 * empty Incoming FIFO takes to store a word.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"
#include "shrimp.h"
#include "udm-collective.h"

#define PAGE    GLAZE_PAGE

enum { DATA = 7, FLAG = 500, MINE = 900, WORDS = PAGE / 4 };

/* Two words of an array of words, stored as one. */
typedef uint64_t __attribute__((may_alias)) doubleword;

static volatile uint32_t out[WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t in[WORDS] __attribute__((aligned(PAGE)));

static uint32_t state;

static void delay(uint32_t most)
{
    uint32_t from = udm_cycles32(), cycles = random_next(&state) % most;

    while (udm_cycles32() - from < cycles) {
    }
}

/*
 * Data, then a flag: who sees the flag sees the data, and all that was stored before
 * them. The data are of several sizes, and lie before and behind the flag.
 */
static uint32_t pass_message(uint32_t turn, bool sends)
{
    uint32_t wrong = 0;

    if (sends) {
        delay(200);
        out[DATA] = turn;
        *(volatile uint8_t *)&out[DATA + 1] = turn;
        *(volatile doubleword *)&out[FLAG + 2] = (uint64_t)turn << 32 | turn;
        out[WORDS - 1] = ~turn;
        out[FLAG] = turn;
    } else {
        delay(200);
        while (in[FLAG] != turn) {
        }
        wrong += in[DATA] != turn;
        wrong += *(volatile uint8_t *)&in[DATA + 1] != (uint8_t)turn;
        wrong += in[FLAG + 2] != turn || in[FLAG + 3] != turn;
        wrong += in[WORDS - 1] != ~turn;
    }
    return wrong;
}

/* Each stores its own word, then looks at the other's. Returns whether it is old. */
static bool store_then_look(uint32_t turn, bool fence)
{
    delay(150);
    out[MINE] = turn;
    if (fence) {
        shrimp_fence();
    }
    return in[MINE] != turn;
}

int main(int argc, char **argv)
{
    uint32_t node = udm_node(), turns = argc > 2 ? atoi(argv[2]) : 100;
    uint32_t mode = argc > 1 && !strcmp(argv[1], "blocked") ? SHRIMP_BLOCKED
                                                           : SHRIMP_SINGLE;
    uint32_t wrong = 0, both = 0, fenced = 0;

    state = node + 1;
    shrimp_export(1, in, sizeof(in));
    check("a page is mapped both ways",
          shrimp_map(out, sizeof(out), node ^ 1, 1, 0, mode) >= 0, true);
    for (uint32_t turn = 1; turn <= turns; turn++) {
        wrong += pass_message(turn, (node ^ turn) & 1);
        udm_barrier();
    }
    check("who sees the flag sees what was stored before", wrong, 0);
    for (uint32_t turn = 1; turn <= 2 * turns; turn++) {
        bool old;

        udm_barrier();
        old = store_then_look(turn, turn % 2);
        /* Both ends have seen old words: neither store came before the other's look. */
        old = udm_reduce_all_int(UDM_SUM, old) == udm_nodes();
        both += old && turn % 2 == 0;
        fenced += old && turn % 2;
    }
    check("both look before the other's store has come: seen", both > 0, true);
    check("and not with a fence", fenced, 0);
    return check_end();
}
