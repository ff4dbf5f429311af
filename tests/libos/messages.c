/*
 * udm.h: all lengths, bodies, polling, extracting; first from the network and
 * then from the buffer. All messages go from the node to itself.
 *
 * Prints one line per check; the exit status is 1 if a check failed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "check.h"
#include "glaze-calls.h"

static bool by_buffer;

static void way(void)
{
    if (by_buffer) {
        glaze_divert();
    }
}

/* ---- Lengths ------------------------------------------------------------- */

static uint32_t length, source, wrong, handled;

static void counting(void)
{
    length = udm_length();
    source = udm_source();
    for (unsigned k = 0; k < UDM_ARGS_MAX; k++) {
        wrong += udm_arg(k) != (k + 2 < length ? k + 1 : 0);
    }
    wrong += udm_handler() != counting;
    wrong += udm_body_length() != 0;
    udm_dispose();
    handled++;
}

#define LENGTH(...) \
    do { \
        way(); \
        udm_inject(udm_node(), counting, ##__VA_ARGS__); \
        settle(); \
        lengths = lengths * 2 + (length == 2 + UDM_COUNT_(__VA_ARGS__)); \
    } while (0)

static void test_lengths(void)
{
    uint32_t lengths = 0, me = udm_node();

    wrong = handled = 0;
    LENGTH();
    LENGTH(1);
    LENGTH(1, 2);
    LENGTH(1, 2, 3);
    LENGTH(1, 2, 3, 4);
    LENGTH(1, 2, 3, 4, 5);
    LENGTH(1, 2, 3, 4, 5, 6);
    LENGTH(1, 2, 3, 4, 5, 6, 7);
    LENGTH(1, 2, 3, 4, 5, 6, 7, 8);
    LENGTH(1, 2, 3, 4, 5, 6, 7, 8, 9);
    LENGTH(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    LENGTH(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    LENGTH(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    LENGTH(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    LENGTH(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    check("all came", handled, 15);
    check("of all lengths", lengths, (1 << 15) - 1);
    check("with all their words", wrong, 0);
    check("from here", source, me);
}

/* ---- Lengths that are known at run time ---------------------------------- */

static uint32_t most;           /* words that the next message may have */

/* Sends `count` words after those of the call, and notes whether they came. */
#define WORDS(...) \
    do { \
        most = UDM_ARGS_MAX - UDM_COUNT_(__VA_ARGS__); \
        for (uint32_t count = 0; count <= most; count++) { \
            way(); \
            udm_inject_words(udm_node(), counting, \
                             words + UDM_COUNT_(__VA_ARGS__), count, \
                             ##__VA_ARGS__); \
            settle(); \
            wrong += length != 2 + UDM_COUNT_(__VA_ARGS__) + count; \
        } \
    } while (0)

static void test_words(void)
{
    uint32_t words[UDM_ARGS_MAX];

    for (uint32_t k = 0; k < UDM_ARGS_MAX; k++) {
        words[k] = k + 1;
    }
    wrong = handled = 0;
    WORDS();
    WORDS(1);
    WORDS(1, 2, 3);
    WORDS(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    check("words of an array: all came", handled, 15 + 14 + 12 + 1);
    check("right", wrong, 0);
}

static void test_conditional_words(void)
{
    uint32_t words[UDM_ARGS_MAX] = { 2, 3, 4, 5, 6 }, sent = 0;

    wrong = handled = 0;
    udm_beginatom();
    while (udm_injectc_words(udm_node(), counting, words, sent % 6, 1)) {
        sent++;
    }
    /* The network has space for fewer words than the next message has. */
    check("injectc_words has told why it stops",
          udm_space() < 3 + sent % 6, true);
    udm_endatom();
    settle();
    check("and has sent what it says", handled, sent);
    check("these words", wrong, 0);
}

/* ---- Without waiting ----------------------------------------------------- */

static void test_conditional(void)
{
    uint32_t sent = 0;

    wrong = handled = 0;
    udm_beginatom();            /* not extracted: the network fills */
    way();
    while (!by_buffer && udm_injectc(udm_node(), counting, 1, 2, 3)) {
        sent++;
    }
    if (by_buffer) {            /* the kernel extracts them */
        for (; sent < 100; sent++) {
            while (!udm_injectc(udm_node(), counting, 1, 2, 3)) {
            }
        }
    }
    udm_endatom();
    settle();
    settle();
    check("injectc has sent what it says", handled, sent);
    check("and something", sent > 5, true);
    check("whole", wrong, 0);
}

/* ---- Polling ------------------------------------------------------------- */

static void test_extract(void)
{
    uint32_t words[FUGU_MSG_WORDS] = { 0 };

    udm_beginatom();
    way();
    udm_inject(udm_node(), counting, 11, 12, 13);
    while (!udm_available()) {
    }
    check("peek", udm_peek(3), 12);
    check("peek again", udm_peek(3), 12);
    check("extract: the length", udm_extract(words, FUGU_MSG_WORDS), 5);
    check("a word", words[4], 13);
    check("the handler", words[1], (uintptr_t)counting);
    check("then there is none", udm_available(), false);
    check("and no word", udm_peek(3), 0);
    udm_endatom();
}

/* ---- Bodies -------------------------------------------------------------- */

static uint32_t from[1024], to[1024], body_length;

static void body_handler(void)
{
    body_length = udm_body_length();
    wrong += udm_arg(0) != 99 || udm_length() != 3;
    /* First the second half, then the first half in two pieces. */
    udm_storeback(to + body_length / 8, body_length / 8 * 4,
                  body_length - body_length / 8 * 4);
    udm_storeback(to, 0, 4);
    udm_storeback(to + 1, 4, body_length / 8 * 4 - 4);
    udm_dispose();
}

static uint32_t differences(uint32_t words)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < words; i++) {
        count += to[i] != from[i];
    }
    return count;
}

static void test_bodies(void)
{
    wrong = 0;
    for (uint32_t i = 0; i < 1024; i++) {
        from[i] = i * 2654435761u + by_buffer;
    }
    way();
    udm_inject_body(udm_node(), body_handler, from, sizeof(from), 99);
    settle();
    settle();
    check("a body's length", body_length, sizeof(from));
    check("and contents", differences(1024), 0);

    memset(to, 0, sizeof(to));
    way();
    udm_inject_body2(udm_node(), body_handler, from, 40, from + 10, 60, 99);
    settle();
    check("in two pieces: length", body_length, 100);
    check("and contents", differences(25), 0);
    check("the words", wrong, 0);
}

static void storing(void)
{
    udm_storeback(to + udm_arg(0), 0, udm_body_length());
    udm_dispose();
    handled++;
}

/*
 * A body takes the DMA engine for as many cycles as it has words, and then the
 * way to the receiver and that of the credit.
 */
static bool second_body(void)
{
    return udm_injectc_body2(udm_node(), storing, from + 500, 400, from + 600,
                             400, 500);
}

static void test_conditional_bodies(void)
{
    uint32_t start, refused = 0, body_space, space;
    bool first;

    handled = 0;
    memset(to, 0, sizeof(to));
    way();
    first = udm_injectc_body(udm_node(), storing, from, 2000, 0);
    start = udm_cycles32();
    body_space = udm_body_space();
    space = udm_space();
    while (!second_body()) {
        refused++;
    }
    start = udm_cycles32() - start;
    check("injectc_body sends", first, true);
    check("the next one would wait", body_space, 0);
    check("a message without a body would not", space > 0, true);
    check("it is refused again and again", refused > 10, true);
    check("until the body before it has left", start > 500, true);
    check("and no longer", by_buffer || start < 3000, true);
    settle();
    check("both have come", handled, 2);
    check("with their contents", differences(700), 0);

    /* No space for the words, although no body is on its way. */
    udm_beginatom();
    while (udm_injectc(udm_node(), storing, 1, 2, 3, 4)) {
    }
    space = udm_space();
    check("injectc_body needs space",
          udm_injectc_body(udm_node(), storing, from, 4, 1, 2, 3, 4), false);
    check("and changes nothing", udm_space(), space);
    udm_endatom();
    settle();
}

static void test_all(void)
{
    uint32_t before = glaze_info(GLAZE_I_INSERTED);

    test_lengths();
    test_words();
    test_conditional();
    test_extract();
    test_bodies();
    test_conditional_bodies();
    check("the way that was meant",
          glaze_info(GLAZE_I_INSERTED) - before,
          by_buffer ? 15 + 42 + 100 + 3 + 1 : 0);
}

int main(void)
{
    test_conditional_words();
    test_all();
    by_buffer = true;
    test_all();
    return check_end();
}
