/*
 * Unit tests of the frames between processes, without QEMU
 *
 * Frames are encoded and decoded again, limits are tested on both sides, and
 * errors must have the right text. "link-test DIRECTORY" also decodes the
 * inputs in that directory, which fuzzing has found.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "link-frames.h"
#include "link-test.h"

const LinkLimits link_test_limits[LINK_NETWORKS] = {
    { .words = LINK_PACKET_WORDS, .body = LINK_BODY_MAX },
    { .words = LINK_PACKET_WORDS },
};

const LinkRules link_test_rules = {
    .limits = link_test_limits,
    .source = 2, .sources = 2, .dest = 4, .dests = 3,
    .time = 1000, .arrival = 1064,
};

const LinkPacket link_test_message = {
    .time = 1000, .arrival = 1064, .sequence = 0x01020304,
    .source = 3, .dest = 6, .network = 1, .count = 3,
    .words = { 0x80000003, 0, UINT32_MAX },
};

const LinkPacket link_test_credit = {
    .kind = 1, .time = 1000, .arrival = 1064, .source = 2, .dest = 4,
    .count = 1, .words = { 16 },
};

/* A frame that is cut or continued anywhere must give an error. */
void link_assert_bounds(const LinkBuffer *b, Get *get)
{
    LinkBuffer longer = { 0 };

    g_assert_null(get(reader(b)));
    for (size_t n = 0; n < b->len; n++) {
        /* A copy, so that the address sanitizer knows its end. */
        g_autofree uint8_t *cut = g_memdup2(b->data, n);

        g_assert_nonnull(get((LinkReader) { cut, n }));
    }
    link_put_bytes(&longer, b->data, b->len);
    link_put_bytes(&longer, "", 1);
    g_assert_nonnull(get(reader(&longer)));
    link_buffer_free(&longer);
}

/* ---- Headers ------------------------------------------------------------ */

static const char *header_of(uint32_t length, uint16_t type, uint16_t rest,
                             uint32_t max)
{
    LinkBuffer b = { 0 };
    LinkHeader h;
    const char *wrong;

    link_put_u32(&b, length);
    link_put_u16(&b, type);
    link_put_u16(&b, rest);
    wrong = link_get_header(b.data, max, &h);
    if (!wrong) {
        g_assert_cmpuint(h.length, ==, length);
        g_assert_cmpuint(h.type, ==, type);
    }
    link_buffer_free(&b);
    return wrong;
}

static void test_header(void)
{
    const char *type = "a frame of no known type";

    for (int i = FUGU_FRAME_HELLO; i < FUGU_FRAME_TYPES; i++) {
        g_assert_null(header_of(100, i, 0, 100));
    }
    g_assert_cmpstr(header_of(101, FUGU_FRAME_GO, 0, 100), ==,
                    "a frame that is too long");
    g_assert_cmpstr(header_of(UINT32_MAX, FUGU_FRAME_GO, 0,
                              FUGU_LINK_FRAME_MAX), ==,
                    "a frame that is too long");
    g_assert_cmpstr(header_of(0, 0, 0, 100), ==, type);
    g_assert_cmpstr(header_of(0, FUGU_FRAME_TYPES, 0, 100), ==, type);
    g_assert_cmpstr(header_of(0, UINT16_MAX, 0, 100), ==, type);
    g_assert_cmpstr(header_of(0, FUGU_FRAME_GO, 1, 100), ==, type);
}

/* A frame's length is the number of bytes since it began. */
static void test_finish(void)
{
    LinkBuffer b = { 0 };
    LinkHeader h;
    size_t at;

    link_put_bytes(&b, "before", 6);
    at = link_begin(&b, FUGU_FRAME_END);
    link_put_u32(&b, 0x61626364);
    g_assert_true(link_finish(&b, at));
    g_assert_cmpuint(at, ==, 6);
    g_assert_null(link_get_header(b.data + at, 4, &h));
    g_assert_cmpuint(h.length, ==, 4);
    g_assert_cmpuint(h.type, ==, FUGU_FRAME_END);
    g_assert_cmpmem(b.data + at + FUGU_LINK_HEADER_BYTES, 4, "abcd", 4);
    link_buffer_free(&b);
    g_assert_null(b.data);
}

static void test_longest_frame(void)
{
    LinkBuffer b = { 0 };
    size_t at = link_begin(&b, FUGU_FRAME_ROUND);

    memset(link_put(&b, FUGU_LINK_FRAME_MAX), 0, FUGU_LINK_FRAME_MAX);
    g_assert_true(link_finish(&b, at));
    link_put_bytes(&b, "", 1);
    g_assert_false(link_finish(&b, at));
    link_buffer_free(&b);
}

/* ---- Greeting ----------------------------------------------------------- */

static const char *get_hello(LinkReader r)
{
    LinkHello hello;

    return link_get_hello(r, &hello);
}

static void test_hello(void)
{
    LinkHello hello = { .version = FUGU_LINK_VERSION, .process = 0x1234 };
    LinkHello read = { 0 };
    LinkBuffer b = { 0 };

    for (int i = 0; i < FUGU_LINK_NONCE_BYTES; i++) {
        hello.nonce[i] = 200 + i;
    }
    for (int i = 0; i < FUGU_LINK_PARAMS; i++) {
        hello.params[i] = UINT64_MAX - i;
    }
    link_put_hello(&b, &hello);
    g_assert_cmpuint(b.len, ==, FUGU_LINK_HELLO_BYTES);
    g_assert_null(link_get_hello(reader(&b), &read));
    g_assert_cmpuint(read.process, ==, 0x1234);
    g_assert_cmpmem(read.nonce, sizeof(read.nonce), hello.nonce,
                    sizeof(hello.nonce));
    g_assert_cmpmem(read.params, sizeof(read.params), hello.params,
                    sizeof(hello.params));
    link_assert_bounds(&b, get_hello);

    b.data[5]++;
    g_assert_cmpstr(link_get_hello(reader(&b), &read), ==,
                    "a greeting of another version");
    g_assert_cmpuint(read.version, ==, FUGU_LINK_VERSION + 1);
    b.data[0] ^= 1;
    g_assert_cmpstr(link_get_hello(reader(&b), &read), ==, "no greeting");
    link_buffer_free(&b);
}

/* ---- Rounds ------------------------------------------------------------- */

static const LinkRound plain_round = {
    .start = 64, .next = INT64_MAX, .flags = FUGU_ROUND_FLAGS, .ended = 2,
    .status = 119, .cycle = 63, .packets = 1, .output_len = 5,
};

static const char *get_round(LinkReader r)
{
    LinkRound round;
    LinkPacket p;
    const char *wrong = link_get_round(&r, 2, &round);

    for (uint32_t i = 0; !wrong && i < round.packets; i++) {
        wrong = link_get_packet(&r, &link_test_rules, &p);
    }
    return wrong ? wrong
                 : link_get_output(&r, round.output_len, &round.output);
}

static void test_round(void)
{
    LinkBuffer b = { 0 };
    LinkRound read;
    LinkReader r;

    link_put_round(&b, &plain_round);
    g_assert_cmpuint(b.len, ==, FUGU_LINK_ROUND_FIXED);
    link_put_packet(&b, &link_test_message);
    link_put_bytes(&b, "hello", 5);
    link_assert_bounds(&b, get_round);

    r = reader(&b);
    g_assert_null(link_get_round(&r, 2, &read));
    g_assert_cmpint(read.start, ==, 64);
    g_assert_cmpint(read.next, ==, INT64_MAX);
    g_assert_cmpuint(read.flags, ==, FUGU_ROUND_FLAGS);
    g_assert_cmpuint(read.ended, ==, 2);
    g_assert_cmpuint(read.status, ==, 119);
    g_assert_cmpuint(read.cycle, ==, 63);
    g_assert_cmpuint(read.packets, ==, 1);
    g_assert_cmpuint(read.output_len, ==, 5);
    g_assert_cmpuint(r.left, ==, b.len - FUGU_LINK_ROUND_FIXED);
    link_buffer_free(&b);
}

static const char *get_print(LinkReader r)
{
    LinkPrint print;
    const char *wrong = link_get_print(&r, &print);

    return wrong ? wrong : link_get_end(&r);
}

static void test_print(void)
{
    const LinkPrint pieces[] = {
        { false, 5, (const uint8_t *)"hello" },
        { true, 5, (const uint8_t *)"error" },
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(pieces); i++) {
        LinkBuffer b = { 0 };
        LinkPrint print;
        LinkReader r;

        link_put_print(&b, &pieces[i]);
        link_assert_bounds(&b, get_print);
        r = reader(&b);
        g_assert_null(link_get_print(&r, &print));
        g_assert_cmpint(print.error, ==, i);
        g_assert_cmpmem(print.data, print.len, pieces[i].data, 5);
        link_buffer_free(&b);
    }
}

static const char *wrong_round(LinkRound round)
{
    LinkBuffer b = { 0 };
    LinkReader r;
    LinkRound read;
    const char *wrong;

    link_put_round(&b, &round);
    r = reader(&b);
    wrong = link_get_round(&r, 2, &read);
    link_buffer_free(&b);
    return wrong;
}

static void test_round_fields(void)
{
    LinkRound round = plain_round;

    round.flags = FUGU_ROUND_FLAGS + 1;
    g_assert_cmpstr(wrong_round(round), ==, "a round with unknown flags");
    round = plain_round;
    round.ended = 3;
    g_assert_cmpstr(wrong_round(round), ==,
                    "a round with more ended nodes than it has");
    round = plain_round;
    round.next = -1;
    g_assert_cmpstr(wrong_round(round), ==,
                    "a round with an event before all time");
    round.next = 0;
    g_assert_null(wrong_round(round));
}

static const char *get_go(LinkReader r)
{
    LinkGo go;
    LinkPacket p;
    const char *wrong = link_get_go(&r, 128, &go);

    for (uint32_t i = 0; !wrong && i < go.packets; i++) {
        wrong = link_get_packet(&r, &link_test_rules, &p);
    }
    return wrong ? wrong : link_get_end(&r);
}

static void test_go(void)
{
    LinkBuffer b = { 0 };
    LinkReader r;
    LinkGo read;

    link_put_go(&b, &(LinkGo) { .start = 128, .packets = 2 });
    g_assert_cmpuint(b.len, ==, FUGU_LINK_GO_FIXED);
    link_put_packet(&b, &link_test_message);
    link_put_packet(&b, &link_test_credit);
    link_assert_bounds(&b, get_go);
    r = reader(&b);
    g_assert_null(link_get_go(&r, 128, &read));
    g_assert_cmpint(read.start, ==, 128);
    g_assert_cmpuint(read.packets, ==, 2);
    r = reader(&b);
    g_assert_cmpstr(link_get_go(&r, 129, &read), ==,
                    "a round from another time");
    link_buffer_free(&b);
}

/* Decodes GO and EARLY with this start, in a peer whose round ends at 128. */
static const char *started(int64_t start, bool early)
{
    LinkBuffer b = { 0 };
    const char *wrong;
    LinkReader r;
    LinkGo go;

    if (early) {
        link_put_early(&b, start);
        r = reader(&b);
        wrong = link_get_early(&r, 128, &go.start);
    } else {
        link_put_go(&b, &(LinkGo) { .start = start });
        r = reader(&b);
        wrong = link_get_go(&r, 128, &go);
    }
    g_assert_cmpint(go.start, ==, start);
    link_buffer_free(&b);
    return wrong;
}

static void test_starts(void)
{
    static const char other_round[] = "a round from another time";

    for (int early = 0; early < 2; early++) {
        g_assert_null(started(128, early));
        g_assert_null(started(INT64_MAX / 2, early));
        g_assert_cmpstr(started(127, early), ==, other_round);
        g_assert_cmpstr(started(-1, early), ==, other_round);
        g_assert_cmpstr(started(INT64_MAX / 2 + 1, early), ==, other_round);
        g_assert_cmpstr(started(INT64_MAX, early), ==, other_round);
    }
}

static const char *get_early(LinkReader r)
{
    int64_t start;

    return link_get_early(&r, 128, &start);
}

static void test_early(void)
{
    LinkBuffer b = { 0 };

    link_put_early(&b, 128);
    g_assert_cmpuint(b.len, ==, FUGU_LINK_EARLY_BYTES);
    link_assert_bounds(&b, get_early);
    link_buffer_free(&b);
}

/* ---- The end ------------------------------------------------------------ */

static const LinkNodeRules node_rules = { .states = 4, .waits = 5 };

static const char *get_one_node(LinkReader r)
{
    LinkNode node;
    const char *wrong = link_get_node(&r, &node_rules, &node);

    return wrong ? wrong : link_get_end(&r);
}

static void test_node(void)
{
    const LinkNode node = {
        .state = 3, .wait = 4, .pc = 0x40000000, .npc = UINT32_MAX,
        .status = 7, .end_time = INT64_MAX, .digest = 0x0123456789abcdef,
    };
    LinkBuffer b = { 0 };
    LinkReader r;
    LinkNode read;

    link_put_node(&b, &node);
    g_assert_cmpuint(b.len, ==, FUGU_LINK_NODE_BYTES);
    link_assert_bounds(&b, get_one_node);
    r = reader(&b);
    g_assert_null(link_get_node(&r, &node_rules, &read));
    g_assert_cmpuint(read.state, ==, node.state);
    g_assert_cmpuint(read.wait, ==, node.wait);
    g_assert_cmpuint(read.pc, ==, node.pc);
    g_assert_cmpuint(read.npc, ==, node.npc);
    g_assert_cmpuint(read.status, ==, node.status);
    g_assert_cmpint(read.end_time, ==, node.end_time);
    g_assert_cmphex(read.digest, ==, node.digest);

    b.data[3] = 4;
    g_assert_cmpstr(get_one_node(reader(&b)), ==, "a node in no known state");
    b.data[3] = 0;
    g_assert_null(get_one_node(reader(&b)));
    b.data[7] = 5;
    g_assert_cmpstr(get_one_node(reader(&b)), ==, "a node in no known state");
    link_buffer_free(&b);
}

static const char *get_one_note(LinkReader r)
{
    const uint8_t *text;
    uint32_t len;
    const char *wrong = link_get_note(&r, &text, &len);

    return wrong ? wrong : link_get_end(&r);
}

/* Any text can be a note; the rest of a long one is left out. */
static void test_note(void)
{
    g_autofree char *longest = g_strnfill(FUGU_LINK_NOTE_MAX, 'x');
    g_autofree char *longer = g_strnfill(FUGU_LINK_NOTE_MAX + 1, 'x');
    const char *const notes[] = { NULL, "", "a note", longest, longer };

    for (unsigned i = 0; i < G_N_ELEMENTS(notes); i++) {
        size_t should = notes[i] ? MIN(strlen(notes[i]), FUGU_LINK_NOTE_MAX)
                                 : 0;
        LinkBuffer b = { 0 };
        LinkReader r;
        const uint8_t *text;
        uint32_t len;

        link_put_note(&b, notes[i]);
        g_assert_cmpuint(b.len, ==, 4 + should);
        r = reader(&b);
        g_assert_null(link_get_note(&r, &text, &len));
        g_assert_cmpuint(len, ==, should);
        g_assert_true(!len || !memcmp(text, notes[i], len));
        if (i == 2) {
            link_assert_bounds(&b, get_one_note);
            b.data[1] = 1;
            g_assert_cmpstr(get_one_note(reader(&b)), ==,
                            "a note that is too long");
        }
        link_buffer_free(&b);
    }
}

static const char *get_abort(uint16_t process, uint16_t status,
                             const char *text, LinkAbort *read)
{
    LinkAbort end = { .process = process, .status = status };
    LinkBuffer b = { 0 };
    const char *wrong;

    g_strlcpy(end.text, text, sizeof(end.text));
    link_put_abort(&b, &end);
    wrong = link_get_abort(reader(&b), 3, read);
    link_buffer_free(&b);
    return wrong;
}

static void test_abort(void)
{
    LinkAbort read;

    g_assert_null(get_abort(2, 255, "the reason", &read));
    g_assert_cmpuint(read.process, ==, 2);
    g_assert_cmpuint(read.status, ==, 255);
    g_assert_cmpstr(read.text, ==, "the reason");
    g_assert_null(get_abort(0, 0, "", &read));
    g_assert_cmpstr(read.text, ==, "");
    g_assert_cmpstr(get_abort(3, 0, "x", &read), ==, "an end of no known kind");
    g_assert_cmpstr(get_abort(0, 256, "x", &read), ==,
                    "an end of no known kind");
    for (size_t n = 0; n < FUGU_LINK_ABORT_FIXED; n++) {
        g_autofree uint8_t *cut = g_malloc0(n);

        g_assert_cmpstr(link_get_abort((LinkReader) { cut, n }, 3, &read), ==,
                        "a frame that is too short");
    }
}

/* The text of another process cannot control the terminal. */
static void test_text(void)
{
    char text[FUGU_LINK_TEXT_MAX + 1];
    g_autofree char *longest = g_strnfill(FUGU_LINK_TEXT_MAX + 1, 'x');

    link_get_text((LinkReader) { (const uint8_t *)"a\0\033[2J\n\xff~", 9 },
                  text);
    g_assert_cmpstr(text, ==, "a??[2J??~");
    link_get_text((LinkReader) { (const uint8_t *)longest,
                                 FUGU_LINK_TEXT_MAX + 1 }, text);
    g_assert_cmpuint(strlen(text), ==, FUGU_LINK_TEXT_MAX);
}

static void test_numbers(void)
{
    const uint8_t bytes[] = { 1, 2, 3, 4 };
    LinkReader r = { bytes, sizeof(bytes) };
    uint32_t u32;
    uint16_t u16;

    g_assert_true(link_get_u32(&r, &u32));
    g_assert_cmphex(u32, ==, 0x01020304);
    g_assert_false(link_get_u16(&r, &u16));
    r = (LinkReader) { bytes, 3 };
    g_assert_false(link_get_u32(&r, &u32));
    g_assert_true(link_get_u16(&r, &u16));
    g_assert_cmphex(u16, ==, 0x0102);
    g_assert_cmpuint(r.left, ==, 1);
    g_assert_nonnull(link_get_end(&r));
}

/* ---- Corpus ------------------------------------------------------------- */

static const char *corpus;

static void test_corpus(void)
{
    g_autoptr(GDir) dir = g_dir_open(corpus, 0, NULL);
    const char *name;
    unsigned right = 0, wrong = 0;

    g_assert_nonnull(dir);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(corpus, name, NULL);
        g_autofree char *data = NULL;
        g_autofree uint8_t *exact = NULL;
        size_t size;

        g_assert_true(g_file_get_contents(path, &data, &size, NULL));
        exact = g_memdup2(data, size);
        g_test_message("%s", path);
        *(link_frames_try(exact, size) ? &wrong : &right) += 1;
    }
    /* The corpus must have valid and invalid frames. */
    g_assert_cmpuint(right, >, 0);
    g_assert_cmpuint(wrong, >, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/link/header", test_header);
    g_test_add_func("/link/finish", test_finish);
    g_test_add_func("/link/longest-frame", test_longest_frame);
    link_add_packet_tests();
    link_add_account_tests();
    g_test_add_func("/link/hello", test_hello);
    g_test_add_func("/link/round", test_round);
    g_test_add_func("/link/print", test_print);
    g_test_add_func("/link/round-fields", test_round_fields);
    g_test_add_func("/link/go", test_go);
    g_test_add_func("/link/starts", test_starts);
    g_test_add_func("/link/early", test_early);
    g_test_add_func("/link/node", test_node);
    g_test_add_func("/link/note", test_note);
    g_test_add_func("/link/abort", test_abort);
    g_test_add_func("/link/text", test_text);
    g_test_add_func("/link/numbers", test_numbers);
    if (argc > 1) {
        corpus = argv[1];
        g_test_add_func("/link/corpus", test_corpus);
    }
    return g_test_run();
}
