/*
 * Differences: what a process has written to a page of another home.
 *
 * The page is compared with its twin line by line. A line is one of the cache,
 * so that each is missed once, wherever page and twin lie.
 *
 * A page of which half or more has changed goes to its home whole, with the
 * count of changes that the writer's copy began with. If the home has the same
 * count, no other process has changed the page since: what is not this process's
 * is the same in both, and the home takes the page. Otherwise the home refuses
 * it, and the writer sends the bytes that it has changed.
 *
 * Those go half a page at a time: for each word four bits, one for each byte
 * that differs, then the words that have any. A home stores the bytes that differ
 * and no others, so that other processes may write the rest of the word.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "shm-state.h"

#define LINE_WORDS      4
#define LINES           (PAGE_WORDS / LINE_WORDS)
#define WHOLE           (LINES / 2)     /* lines that make the page go whole */
#define HALF_WORDS      (PAGE_WORDS / 2)
#define MAP_WORDS       (HALF_WORDS / 8)        /* four bits for each word */
#define FEW             4       /* lines that go without a body */

static uint32_t made[MAP_WORDS + HALF_WORDS];   /* by the thread */
static uint32_t received[MAP_WORDS + HALF_WORDS];       /* by handlers */

volatile uint32_t differences_acknowledged, differences_refused;

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

/* Loads a line at once: page and twin may share a line of the cache. */
#define LINE_LOAD(from, low, high) \
    asm volatile ("ldd [%2], %0\n\tldd [%2 + 8], %1" \
                  : "=&r" (low), "=&r" (high) : "r" (from))

static inline bool line_changed(const uint32_t *page, const uint32_t *twin)
{
    uint64_t a, b, c, d;

    LINE_LOAD(page, a, b);
    LINE_LOAD(twin, c, d);
    return ((a ^ c) | (b ^ d)) != 0;
}

/* The lines that have changed, as their numbers, in order. */
static uint8_t lines[LINES];

/* Fills `lines` in, up to `most` of them. Returns how many there are. */
static uint32_t compare(const uint32_t *page, const uint32_t *twin,
                        uint32_t most)
{
    uint32_t count = 0;

    for (uint32_t k = 0; k < LINES; k++) {
        if (line_changed(page, twin)) {
            lines[count++] = k;
            if (count == most) {
                break;
            }
        }
        page += LINE_WORDS;
        twin += LINE_WORDS;
    }
    return count;
}

/* Fills `made` in, from `count` lines of one half. Returns the number of words
 * that differ. */
static uint32_t make(const uint32_t *page, const uint32_t *twin,
                     const uint8_t *line, uint32_t count)
{
    uint32_t *out = made + MAP_WORDS;

    memset(made, 0, MAP_WORDS * sizeof(uint32_t));
    for (; count--; line++) {
        uint32_t at = *line * LINE_WORDS, map = 0;

        for (uint32_t k = at; k < at + LINE_WORDS; k++) {
            uint32_t difference = page[k] ^ twin[k];

            map <<= 4;
            if (difference) {
                map |= bytes_of(difference);
                *out++ = page[k];
            }
        }
        at %= HALF_WORDS;
        made[at / 8] |= at % 8 ? map : map << 16;
    }
    return out - made - MAP_WORDS;
}

/* Handlers of bodies: page, interval, half; and page, interval, count of
 * changes. */
static void on_difference(void), on_whole(void);

static uint32_t send_half(uint32_t number, uint32_t seq, uint32_t half,
                          const uint8_t *line, uint32_t count)
{
    uint32_t words = make(page_memory(number), pages[number].twin, line, count);
    uint32_t bytes = (MAP_WORDS + words) * sizeof(uint32_t);

    if (words == 0) {
        return 0;
    }
    udm_inject_body(pages[number].home, on_difference, made, bytes, number, seq,
                    half);
    counts.difference_bytes += bytes;
    return 1;
}

/* Few lines: pairs of place and bytes, and contents. */
static uint32_t send_few(uint32_t number, uint32_t seq, uint32_t count)
{
    const uint32_t *page = page_memory(number), *twin = pages[number].twin;

    udm_beginatom();
    post_begin(pages[number].home, OP_DIFFERENCE);
    post_word(number);
    post_word(seq);
    for (uint32_t k = 0; k < count * LINE_WORDS; k++) {
        uint32_t at = lines[k / LINE_WORDS] * LINE_WORDS + k % LINE_WORDS;
        uint32_t difference = page[at] ^ twin[at];

        if (difference) {
            post_word(at << 4 | bytes_of(difference));
            post_word(page[at]);
            counts.difference_bytes += 2 * sizeof(uint32_t);
        }
    }
    post_end();
    udm_endatom();
    return 1;
}

static uint32_t send_whole(uint32_t number, uint32_t seq)
{
    udm_inject_body(pages[number].home, on_whole, page_memory(number),
                    GLAZE_PAGE, number, seq, pages[number].changes);
    counts.difference_bytes += GLAZE_PAGE;
    return 1;
}

uint32_t difference_send(uint32_t number, uint32_t seq)
{
    const struct page *page = &pages[number];
    uint32_t most = page->flags & PAGE_MERGED ? LINES : WHOLE, low = 0, sent;
    uint32_t count;

    COST_BEGIN("difference", page_view(number));
    count = compare(page_memory(number), page->twin, most);
    if (count == 0) {
        sent = 0;
    } else if (count == WHOLE && !(page->flags & PAGE_MERGED)) {
        sent = send_whole(number, seq);
    } else if (count <= FEW) {
        sent = send_few(number, seq, count);
    } else {
        while (low < count && lines[low] < LINES / 2) {
            low++;
        }
        sent = send_half(number, seq, 0, lines, low) +
               send_half(number, seq, 1, lines + low, count - low);
    }
    COST_END();
    counts.differences += sent;
    return sent;
}

/* ---- At the home -------------------------------------------------------- */

/* Stores the bytes of a word in the page. */
static inline void store(uint32_t number, uint32_t k, uint32_t bytes,
                         uint32_t word)
{
    uint32_t *memory = page_memory(number) + k;
    uint32_t mask = bytes == 15 ? ~0u : mask_of(bytes);

    *memory = (*memory & ~mask) | (word & mask);
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
    uint32_t words[2] = { number };

    page_changed(&pages[number], writer, seq);
    page_arrived(number);
    words[1] = pages[number].changes;
    post(writer, OP_ACKNOWLEDGE, words, 2);
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
    uint32_t number = udm_arg(0), seq = udm_arg(1), half = udm_arg(2) & 1;
    uint32_t source = udm_source(), bytes = udm_body_length();
    const uint32_t *word = received + MAP_WORDS;
    const char *faults = faults_pause();

    if (bytes > sizeof(received)) {
        mistake("a message came that the library does not send");
    }
    udm_storeback(received, 0, bytes);
    udm_dispose();
    begin(number);
    for (uint32_t m = 0; m < MAP_WORDS; m++) {
        uint32_t at = half * HALF_WORDS + m * 8;

        for (uint32_t map = received[m]; map; map <<= 4, at++) {
            if (map >> 28) {
                store(number, at, map >> 28, *word++);
            }
        }
    }
    end(number, source, seq);
    faults_resume(faults);
}

/* No write of this process in an open interval may be lost either. */
static void on_whole(void)
{
    uint32_t number = udm_arg(0), seq = udm_arg(1), changes = udm_arg(2);
    uint32_t source = udm_source();
    struct page *page = &pages[number];
    const char *faults = faults_pause();

    begin(number);
    if (page->changes == changes && !(page->flags & PAGE_DIRTY)) {
        udm_storeback(page_memory(number), 0, GLAZE_PAGE);
        udm_dispose();
        end(number, source, seq);
    } else {
        udm_dispose();
        post(source, OP_REFUSE, &number, 1);
    }
    faults_resume(faults);
}

/* ---- At the writer ------------------------------------------------------- */

/* Words: page, the home's count of changes. If it has grown by this one alone,
 * the copy shows the page of this moment. */
void shm_on_acknowledge(uint32_t source, const uint32_t *words,
                        uint32_t count)
{
    struct page *page = &pages[words[0]];

    (void)source;
    (void)count;
    if (words[1] == page->changes + 1) {
        page->changes++;
    }
    differences_acknowledged++;
    wake();
}

/* Words: page. */
void shm_on_refuse(uint32_t source, const uint32_t *words, uint32_t count)
{
    (void)source;
    (void)count;
    pages[words[0]].flags |= PAGE_REFUSED | PAGE_MERGED;
    differences_refused++;
    differences_acknowledged++;
    wake();
}
