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
 * Those go half a page at a time: a map, which has a bit for each byte that differs,
 * then the words that have any. A home stores the bytes that differ and no others, so
 * that other processes may write the rest of the word. Both halves are one body if it
 * has room for them.
 *
 * One pass makes the map and the words. The sign bits of a word's four bytes say which
 * of them differ, and a word of the map has those of eight words: the first word's in
 * place, the next one's a bit lower, and so on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <string.h>

#include "shm-state.h"

#define LINE_WORDS      4
#define LINES           (PAGE_WORDS / LINE_WORDS)
#define SAMPLE          8       /* lines that goes_whole() looks at first */
#define HALF_WORDS      (PAGE_WORDS / 2)
#define GROUP           8       /* words of a page for a word of the map */
#define MAP_WORDS       (HALF_WORDS / GROUP)
#define HALF_MOST       (MAP_WORDS + HALF_WORDS)        /* words of a half that goes */
#define SIGNS           0x80808080
#define FEW             16      /* words that go without a body */

static uint32_t made[2][HALF_MOST];     /* by the thread; a map is 0 between pages */
static uint32_t received[2 * HALF_MOST];/* by handlers */

volatile uint32_t differences_acknowledged, differences_refused;

/* Returns the sign bits of the bytes of a difference that are not 0. */
static inline uint32_t signs_of(uint32_t difference)
{
    return (((difference & ~SIGNS) + ~SIGNS) | difference) & SIGNS;
}

/* Returns all bits of the bytes that have these sign bits. */
static inline uint32_t mask_of(uint32_t signs)
{
    return (signs - (signs >> 7)) | signs;
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

/* Looks at lines whose numbers are multiples of `step`, until it is known whether half
 * of these, or more, have changed. Returns whether they have. */
static bool half_changed(const uint32_t *page, const uint32_t *twin, uint32_t step)
{
    uint32_t half = LINES / step / 2, changed = 0, same = 0;

    while (changed < half && same <= half) {
        if (line_changed(page, twin)) {
            changed++;
        } else {
            same++;
        }
        page += step * LINE_WORDS;
        twin += step * LINE_WORDS;
    }
    return changed == half;
}

/* A page that goes whole needs no map: a few lines tell whether to look at all. */
static bool goes_whole(const struct page *page, const uint32_t *memory)
{
    return !(page->flags & PAGE_MERGED) &&
           half_changed(memory, page->twin, LINES / SAMPLE) &&
           half_changed(memory, page->twin, 1);
}

/* Returns how many words of a group the map names. */
static uint32_t words_of(uint32_t map)
{
    uint32_t count = 0;

    for (; map; map = (map & ~SIGNS) << 1) {
        count += (map & SIGNS) != 0;
    }
    return count;
}

/* Adds word k of a group to the map, and to the words that go, if it has changed. */
#define ADD(k, word, difference) do { \
        uint32_t difference_ = (difference); \
        \
        if (difference_) { \
            *out++ = (word); \
            map |= signs_of(difference_) >> (k); \
        } \
    } while (0)

#define ADD_LINE(k) do { \
        LINE_LOAD(page, a, b); \
        LINE_LOAD(twin, c, d); \
        c ^= a; \
        d ^= b; \
        if (c | d) { \
            ADD((k), a >> 32, c >> 32); \
            ADD((k) + 1, (uint32_t)a, (uint32_t)c); \
            ADD((k) + 2, b >> 32, d >> 32); \
            ADD((k) + 3, (uint32_t)b, (uint32_t)d); \
        } \
        page += LINE_WORDS; \
        twin += LINE_WORDS; \
    } while (0)

/* Fills `made` in, from one half of a page. Returns the number of words that differ. A
 * word of the map that would be 0 is not written: it need not be in the cache. */
static uint32_t make(uint32_t half, const uint32_t *page, const uint32_t *twin)
{
    uint32_t *out = made[half] + MAP_WORDS;

    page += half * HALF_WORDS;
    twin += half * HALF_WORDS;
    for (uint32_t m = 0; m < MAP_WORDS; m++) {
        uint32_t map = 0;
        uint64_t a, b, c, d;

        ADD_LINE(0);
        ADD_LINE(LINE_WORDS);
        if (map) {
            made[half][m] = map;
        }
    }
    return out - made[half] - MAP_WORDS;
}

/* Handlers of bodies: page, interval, half; and page, interval, count of
 * changes. */
static void on_difference(void), on_whole(void);

static void clear_maps(void)
{
    memset(made[0], 0, MAP_WORDS * sizeof(uint32_t));
    memset(made[1], 0, MAP_WORDS * sizeof(uint32_t));
}

/* Sends the halves that have changed; `words` is how many words of each have. */
static uint32_t send_halves(uint32_t number, uint32_t seq, const uint32_t words[2])
{
    uint32_t home = pages[number].home, sent = 0, bytes[2];

    for (uint32_t half = 0; half < 2; half++) {
        bytes[half] = words[half] ? (MAP_WORDS + words[half]) * sizeof(uint32_t) : 0;
        counts.difference_bytes += bytes[half];
    }
    if (bytes[0] && bytes[1] && bytes[0] + bytes[1] <= FUGU_BODY_MAX) {
        udm_inject_body2(home, on_difference, made[0], bytes[0], made[1], bytes[1],
                         number, seq, 0);
        clear_maps();
        return 1;
    }
    for (uint32_t half = 0; half < 2; half++) {
        if (bytes[half]) {
            udm_inject_body(home, on_difference, made[half], bytes[half], number,
                            seq, half);
            sent++;
        }
    }
    clear_maps();
    return sent;
}

/* Few words: for each group that has any, its number, its word of the map, and the
 * words. */
static void post_few(uint32_t half, uint32_t words)
{
    const uint32_t *word = made[half] + MAP_WORDS;

    for (uint32_t m = 0; words; m++) {
        uint32_t map = made[half][m];

        if (map) {
            uint32_t count = words_of(map);

            made[half][m] = 0;
            post_word(half * MAP_WORDS + m);
            post_word(map);
            post_words(word, count);
            word += count;
            words -= count;
        }
    }
}

static uint32_t send_few(uint32_t number, uint32_t seq, const uint32_t words[2])
{
    udm_beginatom();
    post_begin(pages[number].home, OP_DIFFERENCE);
    post_word(number);
    post_word(seq);
    for (uint32_t half = 0; half < 2; half++) {
        post_few(half, words[half]);
    }
    post_end();
    udm_endatom();
    counts.difference_bytes += (words[0] + words[1]) * 2 * sizeof(uint32_t);
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
    const uint32_t *memory = page_memory(number);
    uint32_t sent = 0, words[2];

    COST_BEGIN("difference", page_view(number));
    if (goes_whole(page, memory)) {
        sent = send_whole(number, seq);
    } else {
        words[0] = make(0, memory, page->twin);
        words[1] = make(1, memory, page->twin);
        if (words[0] + words[1] > FEW) {
            sent = send_halves(number, seq, words);
        } else if (words[0] + words[1]) {
            sent = send_few(number, seq, words);
        }
    }
    COST_END();
    counts.differences += sent;
    return sent;
}

/* ---- At the home -------------------------------------------------------- */

/*
 * Stores the bytes of a group that differ in the page, at `to`. Returns the place
 * behind the words that this has taken.
 */
static const uint32_t *merge(uint32_t *to, uint32_t map, const uint32_t *word)
{
    for (; map; map = (map & ~SIGNS) << 1, to++) {
        uint32_t signs = map & SIGNS;

        if (signs == SIGNS) {
            *to = *word++;
        } else if (signs) {
            uint32_t mask = mask_of(signs);

            *to = (*to & ~mask) | (*word++ & mask);
        }
    }
    return word;
}

/* Makes a page ready for a difference. */
static void difference_begin(uint32_t number)
{
    if (number >= PAGES || !is_home(&pages[number])) {
        mistake("a message came that the library does not send");
    }
    page_map(number);
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
    const uint32_t *word = words + 2;

    difference_begin(words[0]);
    while (word + 2 < words + count) {
        uint32_t group = word[0] % (PAGE_WORDS / GROUP);

        word = merge(page_memory(words[0]) + group * GROUP, word[1], word + 2);
    }
    end(words[0], source, words[1]);
}

/* Takes a half that has come. Returns the place behind it. */
static const uint32_t *merge_half(uint32_t number, uint32_t half,
                                  const uint32_t *map)
{
    const uint32_t *word = map + MAP_WORDS;
    uint32_t *to = page_memory(number) + half * HALF_WORDS;

    for (uint32_t m = 0; m < MAP_WORDS; m++, to += GROUP) {
        word = merge(to, map[m], word);
    }
    return word;
}

static void on_difference(void)
{
    uint32_t number = udm_arg(0), seq = udm_arg(1), half = udm_arg(2) & 1;
    uint32_t source = udm_source(), words = udm_body_length() / sizeof(uint32_t);
    const uint32_t *word = received;
    const char *faults = faults_pause();

    udm_storeback(received, 0, udm_body_length());
    udm_dispose();
    difference_begin(number);
    for (; half < 2 && word < received + words; half++) {
        word = merge_half(number, half, word);
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

    difference_begin(number);
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
