/*
 * Messages of the M-Machine to pages that go out (slots.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <stdio.h>

#include "slots.h"

#define PAGES   16
#define ROUNDS  20
#define OTHERS  130

static volatile uint32_t away[PAGES * WORDS] __attribute__((aligned(PAGES * PAGE)));
static volatile uint32_t others[OTHERS * WORDS] __attribute__((aligned(PAGE)));

static void store_away(void)
{
    struct mm_shared shared;

    check("share", mm_share(&shared, FAR, away, sizeof(away)), 0);
    mm_wait(&memory[CAME], 0);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t page = 0; page < PAGES; page++) {
            mm_send1(mm_at(&shared, 1, &away[page * WORDS + round]),
                     MM_HANDLER_IP(mm_store), 1 + round * PAGES + page);
        }
    }
    mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
}

static uint32_t pages_in(void)
{
    struct glaze_count count;

    glaze_count(&count);
    return count.ins;
}

/* Lets the pages go out, if they may, and others come. */
static void push_out(void)
{
    for (uint32_t page = 0; page < PAGES; page++) {
        away[page * WORDS + WORDS - 1] = 1;
    }
    for (uint32_t k = 0; k < 2 * OTHERS; k++) {
        others[k % OTHERS * WORDS]++;
    }
}

static void check_away(void)
{
    struct mm_shared shared;
    uint32_t before;

    check("share", mm_share(&shared, FAR, away, sizeof(away)), 0);
    push_out();
    before = pages_in();
    mm_send1(mm_at(&all, 0, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
    mm_wait(&memory[CAME], 0);
    /* Another one may have come for the program itself. */
    check("all have stayed", (pages_in() - before) / PAGES, 0);
    for (uint32_t k = 0; k < ROUNDS * PAGES; k++) {
        check("a word", away[k % PAGES * WORDS + k / PAGES], k + 1);
    }
}

void pinned(void)
{
    if (udm_node() == 0) {
        store_away();
    } else {
        check_away();
    }
}

/* The first message that comes ends the job. */
void out(void)
{
    if (udm_node() == 0) {
        store_away();
    } else {
        push_out();
        mm_send1(mm_at(&all, 0, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
    }
    pass(UINT64_MAX);
}

/* Node 0 stores to pages that nothing has touched, and then to one more. */
#define FRESH   64

void fresh(void)
{
    volatile uint32_t *heap = (volatile uint32_t *)HEAP;
    struct mm_shared shared;

    glaze_map(HEAP, 2 * FRESH * PAGE);
    if (udm_node() == 0) {
        check("share", mm_share(&shared, FAR, (void *)heap, 2 * FRESH * PAGE), 0);
    }
    meet(1);
    for (uint32_t k = 0; udm_node() == 0 && k < FRESH; k++) {
        mm_send1(mm_at(&shared, 1, &heap[k * WORDS]), MM_HANDLER_IP(mm_store), k + 1);
    }
    if (udm_node() == 0) {
        mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        mm_wait(&memory[CAME], 0);
        mm_send1(mm_at(&shared, 1, &heap[FRESH * WORDS]), MM_HANDLER_IP(mm_store), 1);
        pass(UINT64_MAX);
    }
    mm_wait(&memory[CAME], 0);
    for (uint32_t k = 0; k < FRESH; k++) {
        check("a word", heap[k * WORDS], k + 1);
    }
    printf("%d pages are filled\n", FRESH);
    mm_send1(mm_at(&all, 0, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
    pass(UINT64_MAX);
}

/* ---- All that may be shared ----------------------------------------------- */

void fills(uint64_t cycles)
{
    struct mm_shared shared;
    uint32_t pages = 0, log = 8;

    glaze_map(HEAP, PAGE << 8);
    for (uint32_t at = HEAP; ; at += PAGE << log) {
        int32_t result = -ENOMEM;

        for (; result == -ENOMEM && log > 0; log--) {
            result = mm_share(&shared, FAR + (at - HEAP) * udm_nodes(),
                              (volatile void *)at, PAGE << (log - 1));
        }
        if (result) {
            break;
        }
        pages += 1u << log;
    }
    printf("%lu pages are shared\n", (unsigned long)pages);
    pass(cycles);
}
