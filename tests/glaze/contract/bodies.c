/*
 * Case `bodies`: where the buffer keeps bodies, how they come out of it, and
 * that a storeback of a long one lets messages in. All messages go from the
 * node to itself.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "contract.h"

#define PAGE_WORDS (GLAZE_PAGE / 4)

static uint32_t from[2 * PAGE_WORDS], to[PAGE_WORDS + 1];
static struct glaze_count first, now;

static void expect_pages(const char *name, uint32_t pages, uint32_t messages)
{
    glaze_count(&now);
    check(name, now.buffer_pages, pages);
    check("messages in it", now.buffer_messages, messages);
    check("frames of the node", first.frames_free - now.frames_free, pages);
}

static void dispose(uint32_t count)
{
    while (count--) {
        udm_dispose();
    }
}

/* Sends a body of some words, and waits until it is in the buffer. */
static void put(const uint32_t *body, uint32_t words, uint32_t argument)
{
    uint32_t before = inserted();

    udm_inject_body(udm_node(), looks, body, 4 * words, argument);
    UNTIL(inserted() == before + 1);
}

static void begin(void)
{
    calls_begin();
    for (uint32_t k = 0; k < 2 * PAGE_WORDS; k++) {
        from[k] = k * 2654435761u + 1;
        to[k % PAGE_WORDS] = 0;         /* the pages are there */
    }
    udm_beginatom();
    glaze_divert();
    udm_inject_body(udm_node(), looks, from, 4);
    UNTIL(inserted_since() == 1);       /* the tables of the buffer are there */
    udm_dispose();
    glaze_divert();
    glaze_count(&first);
}

/* ---- Pages --------------------------------------------------------------- */

static void test_pages(void)
{
    begin();
    put(from, 16, 0);
    put(from, 16, 0);
    put(from, 16, 0);
    expect_pages("three bodies share a page", 2, 3);
    dispose(2);
    expect_pages("as long as one of them is there", 2, 1);
    dispose(1);
    expect_pages("and then it is given back", 0, 0);

    glaze_divert();
    for (unsigned i = 0; i < 65; i++) {
        put(from, 16, 0);
    }
    expect_pages("64 bodies of 64 bytes fill a page", 4, 65);
    dispose(63);
    expect_pages("which stays for its last body", 3, 2);
    dispose(1);
    expect_pages("and not for the next one", 2, 1);
    dispose(1);
    expect_pages("all is given back", 0, 0);

    glaze_divert();
    put(from, 1, 0);
    put(from, PAGE_WORDS, 0);
    put(from, PAGE_WORDS - 1, 0);
    put(from, 1, 0);
    expect_pages("no body lies in two pages, and each has 8 bytes", 5, 4);
    dispose(1);
    expect_pages("given back one", 4, 3);
    dispose(1);
    expect_pages("by one", 3, 2);
    dispose(2);
    expect_pages("to the last", 0, 0);

    glaze_divert();
    put(from, 16, 0);
    fill(looks, 2 * RECORDS_A_PAGE - 1);
    dispose(1);
    expect_pages("messages without bodies do not free its page", 3,
                 2 * RECORDS_A_PAGE - 1);
    put(from, PAGE_WORDS, 0);
    dispose(2 * RECORDS_A_PAGE - 1);
    expect_pages("but the next body gives it back", 2, 1);
    dispose(1);
    expect_pages("none is left", 0, 0);
    udm_endatom();
}

/* ---- Contents ------------------------------------------------------------ */

/* Takes the oldest message, with a body from from[start] on. */
static uint32_t take(uint32_t start, uint32_t words)
{
    uint32_t wrong = udm_body_length() != 4 * words || udm_arg(0) != words;

    to[words] = 0x5afe;
    udm_storeback(to + words / 2, words / 2 * 4, (words - words / 2) * 4);
    udm_storeback(to, 0, words / 2 * 4);
    udm_dispose();
    for (uint32_t k = 0; k < words; k++) {
        wrong += to[k] != from[start + k];
    }
    return wrong + (to[words] != 0x5afe);
}

/* Bodies of all small lengths, of the lengths around a page, and none. */
static uint32_t length_of(uint32_t i)
{
    return i < 100 ? i : PAGE_WORDS - 104 + i;
}

static void test_contents(void)
{
    uint32_t wrong = 0, count = 105;

    begin();
    for (uint32_t i = 0; i < count; i++) {
        put(from + i, length_of(i), length_of(i));
    }
    for (uint32_t i = 0; i < count; i++) {
        wrong += take(i, length_of(i));
    }
    check("bodies of all lengths come out as they went in", wrong, 0);
    expect_pages("and leave nothing", 0, 0);

    glaze_divert();
    put(from, 8, 8);
    wrong = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        put(from + i % 9, 8 + i % 9, 8 + i % 9);
        wrong += i == 0 ? take(0, 8) : take((i - 1) % 9, 8 + (i - 1) % 9);
    }
    check("in a buffer that is never empty, too", wrong, 0);
    expect_pages("which stays small", 2, 1);
    dispose(1);
    udm_endatom();
}

void bodies_cases(void)
{
    test_pages();
    test_contents();
}

/* ---- A long storeback ---------------------------------------------------- */

static void stores(void)
{
    for (unsigned i = 0; i < 3; i++) {
        udm_inject(udm_node(), looks, i);
    }
    udm_storeback(to, 0, 4 * PAGE_WORDS);
    udm_dispose();
    calls++;
}

/* tests/glaze/test_glaze_kernel.py watches what the kernel does here. */
void parts_cases(void)
{
    uint32_t wrong = 0;

    for (uint32_t k = 0; k < PAGE_WORDS; k++) {
        from[k] = ~k;
    }
    calls_begin();
    glaze_divert();
    udm_inject_body(udm_node(), stores, from, 4 * PAGE_WORDS);
    UNTIL(calls == 4);
    for (uint32_t k = 0; k < PAGE_WORDS; k++) {
        wrong += to[k] != from[k];
    }
    check("a page is stored whole, in parts", wrong, 0);
}
