/*
 * Messages of the M-Machine to pages that go out (slots.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "slots.h"

#define PAGES   16
#define ROUNDS  20
#define OTHERS  130

static volatile uint32_t away[PAGES * WORDS] __attribute__((aligned(PAGES * PAGE)));
static volatile uint32_t others[OTHERS * WORDS] __attribute__((aligned(PAGE)));

/* Whether the words of odd pages come as replies, for which node 1 asks. */
static bool both;

static void ask_for_words(void)
{
    struct mm_shared there = { .window = MM_WINDOW + FAR, .address = (uintptr_t)away,
                               .bytes = sizeof(away) };

    for (uint32_t k = 1; k < ROUNDS * PAGES; k += 2) {
        mm_send3(mm_at(&all, 0, memory), MM_HANDLER_IP(mm_reply),
                 mm_at(&there, 1, &away[k % PAGES * WORDS + k / PAGES]),
                 MM_HANDLER_IP(mm_store), k + 1);
    }
    mm_send3(mm_at(&all, 0, memory), MM_HANDLER_IP(mm_reply),
             mm_at(&all, 1, &memory[REPLY]), MM_HANDLER_IP(mm_store), 1);
    mm_wait(&memory[REPLY], 0);
    mm_send1(mm_at(&all, 0, &memory[OLD]), MM_HANDLER_IP(mm_store), 1);
}

static void store_away(void)
{
    struct mm_shared shared;

    check("share", mm_share(&shared, FAR, away, sizeof(away)), 0);
    mm_wait(&memory[CAME], 0);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t page = 0; page < PAGES; page += both ? 2 : 1) {
            mm_send1(mm_at(&shared, 1, &away[page * WORDS + round]),
                     MM_HANDLER_IP(mm_store), 1 + round * PAGES + page);
        }
    }
    mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
    if (both) {
        mm_wait(&memory[OLD], 0);
    }
}

static uint32_t pages_in(void)
{
    struct glaze_count count;

    glaze_count(&count);
    return count.ins;
}

static void check_away(bool stays)
{
    struct mm_shared shared;
    uint32_t before;

    if (stays) {
        check("share", mm_share(&shared, FAR, away, sizeof(away)), 0);
    }
    for (uint32_t page = 0; page < PAGES; page++) {
        away[page * WORDS + WORDS - 1] = 1;
    }
    for (uint32_t k = 0; k < 2 * OTHERS; k++) {
        others[k % OTHERS * WORDS]++;
    }
    before = pages_in();
    mm_send1(mm_at(&all, 0, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
    if (both) {
        ask_for_words();
    }
    mm_wait(&memory[CAME], 0);
    /* Another one may have come for the program itself. */
    check("all pages have come", (pages_in() - before) / PAGES, !stays);
    for (uint32_t k = 0; k < ROUNDS * PAGES; k++) {
        check("a word", away[k % PAGES * WORDS + k / PAGES], k + 1);
    }
}

static void store_and_check(bool stays)
{
    if (udm_node() == 0) {
        store_away();
    } else {
        check_away(stays);
    }
}

void paging(void)
{
    store_and_check(false);
}

void pinned(void)
{
    store_and_check(true);
}

void paging_of_both(void)
{
    both = true;
    store_and_check(false);
}

/* Pages that nothing has touched: they have only to be cleared. */
#define FRESH   64

void fresh(void)
{
    volatile uint32_t *heap = (volatile uint32_t *)HEAP;
    struct mm_shared shared;

    glaze_map(HEAP, FRESH * PAGE);
    if (udm_node() == 0) {
        check("share", mm_share(&shared, FAR, (void *)heap, FRESH * PAGE), 0);
    }
    meet(1);
    for (uint32_t k = 0; udm_node() == 0 && k < FRESH; k++) {
        mm_send1(mm_at(&shared, 1, &heap[k * WORDS]), MM_HANDLER_IP(mm_store), k + 1);
    }
    if (udm_node() == 0) {
        mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        return;
    }
    mm_wait(&memory[CAME], 0);
    for (uint32_t k = 0; k < FRESH; k++) {
        check("a word", heap[k * WORDS], k + 1);
    }
}

/* A page takes longer from the disk. */
#define SOON    5000

void unmapped(void)
{
    volatile uint32_t *heap = (volatile uint32_t *)HEAP;
    struct mm_shared shared;

    glaze_map(HEAP, PAGES * PAGE);
    if (udm_node() == 0) {
        check("share", mm_share(&shared, FAR, heap, PAGES * PAGE), 0);
        mm_wait(&memory[CAME], 0);
        mm_send1(mm_at(&all, 1, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        mm_send1(mm_at(&shared, 1, heap), MM_HANDLER_IP(mm_store), 1);
    } else {
        for (uint32_t page = 0; page < PAGES; page++) {
            heap[page * WORDS] = 1;
        }
        for (uint32_t k = 0; k < 2 * OTHERS; k++) {
            others[k % OTHERS * WORDS]++;
        }
        mm_send1(mm_at(&all, 0, &memory[CAME]), MM_HANDLER_IP(mm_store), 1);
        mm_wait(&memory[CAME], 0);
        for (uint64_t end = udm_cycles() + SOON; udm_cycles() < end; ) {
        }
        glaze_unmap(HEAP, PAGES * PAGE);
    }
    for (;;) {                  /* the job ends meanwhile */
    }
}

/* ---- A wait for a word whose page goes out -------------------------------- */

#define PUSHED  30000000        /* cycles */

void out(void)
{
    uint32_t before = pages_in();

    if (udm_node() == 0) {
        check("share", mm_share(&all, FAR, away, PAGES * PAGE), 0);
        pass(PUSHED);
        mm_send1(mm_at(&all, 1, away), MM_HANDLER_IP(mm_store), 1);
        return;
    }
    check("a word", mm_wait(away, 0), 1);
    check("its page was out", pages_in() > before, 1);
}

void pushes(void)
{
    for (uint32_t k = 0; udm_node() == 1 && k < 2 * OTHERS; k++) {
        others[k % OTHERS * WORDS]++;
    }
}
