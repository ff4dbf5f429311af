/*
 * Differences: what a process has written to a page, as bytes that differ from
 * the page's twin.
 *
 * Half a page at a time: for each word four bits, one for each byte that
 * differs, then the words that have any. A home stores the bytes that differ
 * and no others, so that other processes may write the rest of the word.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "shm-state.h"

#define HALF_WORDS      (PAGE_WORDS / 2)
#define MAP_WORDS       (HALF_WORDS / 8)        /* four bits for each word */
#define FEW             16      /* words that go without a body */

static uint32_t made[MAP_WORDS + HALF_WORDS];   /* by the thread */
static uint32_t received[MAP_WORDS + HALF_WORDS];       /* by handlers */

volatile uint32_t differences_acknowledged;

/* Returns four bits: which bytes of a difference are not 0. */
static inline uint32_t bytes_of(uint32_t difference)
{
    return (difference & 0xff000000 ? 8 : 0) |
           (difference & 0x00ff0000 ? 4 : 0) |
           (difference & 0x0000ff00 ? 2 : 0) |
           (difference & 0x000000ff ? 1 : 0);
}

static inline uint32_t mask_of(uint32_t bytes)
{
    return (bytes & 8 ? 0xff000000 : 0) | (bytes & 4 ? 0x00ff0000 : 0) |
           (bytes & 2 ? 0x0000ff00 : 0) | (bytes & 1 ? 0x000000ff : 0);
}

/* Returns whether eight words have changed. */
static inline bool changed(const uint32_t *page, const uint32_t *twin)
{
    struct words8 a = words8_load(page), b = words8_load(twin);

    return ((a.pair[0] ^ b.pair[0]) | (a.pair[1] ^ b.pair[1]) |
            (a.pair[2] ^ b.pair[2]) | (a.pair[3] ^ b.pair[3])) != 0;
}

/* Fills `made` in. Returns the number of words that differ. */
static uint32_t make(const uint32_t *page, const uint32_t *twin)
{
    uint32_t *out = made + MAP_WORDS;

    for (uint32_t m = 0; m < MAP_WORDS; m++, page += 8, twin += 8) {
        uint32_t map = 0, words = changed(page, twin) ? 8 : 0;

        for (uint32_t k = 0; k < words; k++) {
            uint32_t difference = page[k] ^ twin[k];

            map <<= 4;
            if (difference) {
                map |= bytes_of(difference);
                *out++ = page[k];
            }
        }
        made[m] = map;
    }
    return out - made - MAP_WORDS;
}

/* Handler of a difference's body: page, interval, half, words of the body. */
static void on_difference(void);

static void send_body(uint32_t number, uint32_t seq, uint32_t half,
                      uint32_t words)
{
    uint32_t bytes = (MAP_WORDS + words) * sizeof(uint32_t);

    udm_inject_body(pages[number].home, on_difference, made, bytes, number, seq,
                    half);
    counts.difference_bytes += bytes;
}

/* Few words: pairs of place and bytes, and contents. */
static void send_few(uint32_t number, uint32_t seq, uint32_t half)
{
    const uint32_t *out = made + MAP_WORDS;

    udm_beginatom();
    post_begin(pages[number].home, OP_DIFFERENCE);
    post_word(number);
    post_word(seq);
    for (uint32_t k = 0; k < HALF_WORDS; k++) {
        uint32_t bytes = made[k / 8] >> (28 - 4 * (k % 8)) & 15;

        if (bytes) {
            post_word((half * HALF_WORDS + k) << 4 | bytes);
            post_word(*out++);
            counts.difference_bytes += 2 * sizeof(uint32_t);
        }
    }
    post_end();
    udm_endatom();
}

uint32_t difference_send(uint32_t number, uint32_t seq)
{
    uint32_t sent = 0;

    for (uint32_t half = 0; half < 2; half++) {
        uint32_t at = half * HALF_WORDS;
        uint32_t words = make(page_memory(number) + at,
                              pages[number].twin + at);

        if (words > FEW) {
            send_body(number, seq, half, words);
        } else if (words) {
            send_few(number, seq, half);
        }
        sent += words != 0;
        counts.differences += words != 0;
    }
    return sent;
}

/* ---- At the home -------------------------------------------------------- */

/* Stores the bytes of a word in the page, and in its twin if it has one. */
static inline void store(uint32_t number, uint32_t k, uint32_t bytes,
                         uint32_t word)
{
    uint32_t *memory = page_memory(number) + k, *twin = pages[number].twin;
    uint32_t mask = bytes == 15 ? ~0u : mask_of(bytes);

    *memory = (*memory & ~mask) | (word & mask);
    if (twin) {
        twin[k] = (twin[k] & ~mask) | (word & mask);
    }
}

/* Makes a page ready for a difference. */
static void begin(uint32_t number)
{
    if (number >= PAGES || !is_home(&pages[number])) {
        mistake("a message came that the library does not send");
    }
    page_map_here(number);
}

static void end(uint32_t number, uint32_t writer, uint32_t seq)
{
    page_changed(&pages[number], writer, seq);
    page_arrived(number);
    post(writer, OP_ACKNOWLEDGE, NULL, 0);
}

void shm_on_few(uint32_t source, const uint32_t *words, uint32_t count)
{
    begin(words[0]);
    for (uint32_t k = 2; k < count; k += 2) {
        store(words[0], words[k] >> 4 & (PAGE_WORDS - 1), words[k] & 15,
              words[k + 1]);
    }
    end(words[0], source, words[1]);
}

static void on_difference(void)
{
    uint32_t number = udm_arg(0), seq = udm_arg(1), half = udm_arg(2);
    uint32_t source = udm_source(), bytes = udm_body_length();
    const uint32_t *word = received + MAP_WORDS;

    if (bytes > sizeof(received)) {
        mistake("a message came that the library does not send");
    }
    udm_storeback(received, 0, bytes);
    udm_dispose();
    begin(number);
    for (uint32_t k = 0; k < HALF_WORDS; k++) {
        uint32_t map = received[k / 8];

        if (!map) {
            k += 7;
            continue;
        }
        map = map >> (28 - 4 * (k % 8)) & 15;
        if (map) {
            store(number, (half & 1) * HALF_WORDS + k, map, *word++);
        }
    }
    end(number, source, seq);
}

void shm_on_acknowledge(uint32_t source, const uint32_t *words,
                        uint32_t count)
{
    (void)source;
    (void)words;
    (void)count;
    differences_acknowledged++;
    wake();
}
