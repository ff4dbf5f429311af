/*
 * What pin and shoot-down cost where memory is scarce (docs/shrimp.md, paging).
 *
 *      policies PAGES EVERY PERCENT TURNS
 *
 * Each node maps PAGES pages to the next node by automatic update, then uses other
 * memory, as much as PERCENT percent of the node's frames: page by page, TURNS times.
 * After every EVERY such pages it stores to the next one of the mapped pages.
 *
 * Each node prints `policies ended: CYCLE`. A node checks each word that it has got,
 * and each of its own; the status is 1 if one is wrong.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>

#include "glaze-calls.h"
#include "shrimp.h"
#include "udm.h"

#define PAGE    GLAZE_PAGE
#define WORDS   (PAGE / 4)

enum { MOST = 64, FLAG = 1, DATA = 2 };

static uint32_t pages, every, percent, turns;

static volatile uint32_t out[MOST][WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t in[MOST][WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t flag_out[WORDS] __attribute__((aligned(PAGE)));
static volatile uint32_t flag_in[WORDS] __attribute__((aligned(PAGE)));

static void fail(const char *why)
{
    fprintf(stderr, "policies: %s\n", why);
    exit(1);
}

static void connect(void)
{
    uint32_t next = (udm_node() + 1) % udm_nodes();

    if (shrimp_export(FLAG, flag_in, PAGE) || shrimp_export(DATA, in, pages * PAGE)) {
        fail("no export");
    }
    if (shrimp_map(flag_out, PAGE, next, FLAG, 0, SHRIMP_SINGLE) < 0 ||
        shrimp_map(out, pages * PAGE, next, DATA, 0, SHRIMP_SINGLE) < 0) {
        fail("no mapping");
    }
}

/* Returns the word of a page that this store changes: the pages come in turn. */
static uint32_t word_of(uint32_t store)
{
    return store / pages % WORDS;
}

/* Returns how many stores it has made. */
static uint32_t use(void)
{
    volatile uint32_t *memory = (volatile uint32_t *)(GLAZE_PROGRAM + 0x8000000);
    struct glaze_count count;
    uint32_t used, uses = 0, stores = 0;

    glaze_count(&count);
    used = count.frames * percent / 100;
    if (glaze_map((uintptr_t)memory, used * PAGE)) {
        fail("no memory");
    }
    for (uint32_t turn = 0; turn < turns; turn++) {
        for (uint32_t page = 0; page < used; page++) {
            volatile uint32_t *word = memory + page * WORDS + page % WORDS;

            if (*word != turn) {
                fail("a word has changed");
            }
            *word = turn + 1;
            if (++uses % every == 0) {
                out[stores % pages][word_of(stores)] = stores + 1;
                stores++;
            }
        }
    }
    return stores;
}

int main(int argc, char **argv)
{
    uint32_t stores;

    if (argc == 5) {
        pages = atoi(argv[1]);
        every = atoi(argv[2]);
        percent = atoi(argv[3]);
        turns = atoi(argv[4]);
    }
    if (!pages || pages > MOST || !every) {
        fail("its arguments are PAGES EVERY PERCENT TURNS");
    }
    connect();
    stores = use();
    flag_out[0] = stores + 1;
    shrimp_wait(&flag_in[0], stores + 1);
    for (uint32_t k = stores > pages * WORDS ? stores - pages * WORDS : 0; k < stores;
         k++) {
        if (in[k % pages][word_of(k)] != k + 1) {
            fail("a word has not come");
        }
    }
    printf("policies ended: %llu\n", (unsigned long long)udm_cycles());
    return 0;
}
