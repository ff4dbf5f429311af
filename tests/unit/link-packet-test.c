/*
 * Unit tests of the frames between processes: packets
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "link-test.h"

/* The bytes of a packet in the protocol, in this order. */
static void test_packet_bytes(void)
{
    static const uint8_t body[4] = { 1, 2, 3, 4 };
    static const uint8_t bytes[] = {
        0, 0, 0, 0, 0, 0, 3, 0xe8,  0, 0, 0, 0, 0, 0, 4, 0x28,
        1, 2, 3, 4,  0, 3,  0, 6,  0,  0,  1,  2,  0, 0, 0, 4,
        0x80, 0, 0, 3,  0, 0, 0, 0,  1, 2, 3, 4,
    };
    LinkPacket p = link_test_message;
    LinkBuffer b = { 0 };

    p.network = 0;
    p.count = 2;
    p.has_body = true;
    p.body = body;
    p.body_len = sizeof(body);
    link_put_packet(&b, &p);
    g_assert_cmpmem(b.data, b.len, bytes, sizeof(bytes));
    link_buffer_free(&b);
}

static const char *pass_by(const LinkRules *rules, const LinkPacket *p,
                           LinkPacket *read)
{
    LinkBuffer b = { 0 };
    g_autofree uint8_t *exact = NULL;
    LinkReader r;
    const char *wrong;

    link_put_packet(&b, p);
    exact = g_memdup2(b.data, b.len);
    r = (LinkReader) { exact, b.len };
    wrong = link_get_packet(&r, rules, read);
    if (!wrong) {
        g_assert_cmpuint(r.left, ==, 0);
        if (read->body_len) {
            g_assert_cmpmem(read->body, read->body_len, p->body, p->body_len);
        }
        read->body = NULL;
    }
    link_buffer_free(&b);
    return wrong;
}

static const char *pass(const LinkPacket *p, LinkPacket *read)
{
    return pass_by(&link_test_rules, p, read);
}

static void assert_same(const LinkPacket *p)
{
    LinkPacket read = { 0 };

    g_assert_null(pass(p, &read));
    g_assert_cmpint(read.time, ==, p->time);
    g_assert_cmpint(read.arrival, ==, p->arrival);
    g_assert_cmpuint(read.sequence, ==, p->sequence);
    g_assert_cmpuint(read.source, ==, p->source);
    g_assert_cmpuint(read.dest, ==, p->dest);
    g_assert_cmpuint(read.kind, ==, p->kind);
    g_assert_cmpuint(read.network, ==, p->network);
    g_assert_cmpint(read.has_body, ==, p->has_body);
    g_assert_cmpuint(read.body_len, ==, p->body_len);
    g_assert_cmpmem(read.words, 4 * read.count, p->words, 4 * p->count);
}

static void test_packets(void)
{
    static uint8_t body[LINK_BODY_MAX];
    LinkPacket p = link_test_message;

    for (int i = 0; i < LINK_BODY_MAX; i++) {
        body[i] = i * 7;
    }
    assert_same(&link_test_message);
    assert_same(&link_test_credit);
    for (p.count = 1; p.count <= LINK_PACKET_WORDS; p.count++) {
        p.words[p.count - 1] = 0x01010101 * p.count;
        assert_same(&p);
    }
    p = link_test_message;
    p.network = 0;
    p.has_body = true;
    p.body = body;
    assert_same(&p);                    /* a body may have no bytes */
    p.body_len = 4;
    assert_same(&p);
    p.body_len = LINK_BODY_MAX;
    assert_same(&p);
    p = link_test_credit;
    p.has_body = true;
    assert_same(&p);
}

/* A packet with one field changed, and the error for it, or NULL. */
typedef struct Change {
    const char *wrong;
    size_t offset, size;
    int64_t value;
} Change;

#define CHANGE(field, to, what) {                               \
    .wrong = (what), .value = (to),                             \
    .offset = offsetof(LinkPacket, field),                      \
    .size = sizeof(link_test_message.field),                    \
}

static const char elsewhere[] = "a packet of a node that is not its own";
static const char nowhere[] = "a packet to a node that does not exist here";
static const char kind[] = "a packet of no known kind";
static const char words[] = "a packet with a wrong number of words";
static const char returned[] = "a credit for a message of a wrong length";
static const char wrong_body[] = "a packet with a wrong body";
static const char unused[] = "a packet in a network that nobody uses";
static const char other_time[] = "a packet from another time";

static const Change changes[] = {
    CHANGE(source, 1, elsewhere),
    CHANGE(source, 2, NULL),
    CHANGE(source, 3, NULL),
    CHANGE(source, 4, elsewhere),
    CHANGE(source, 0xffff, elsewhere),
    CHANGE(dest, 3, nowhere),
    CHANGE(dest, 4, NULL),
    CHANGE(dest, 6, NULL),
    CHANGE(dest, 7, nowhere),
    CHANGE(dest, 0xffff, nowhere),
    CHANGE(kind, 2, kind),
    CHANGE(kind, 0xff, kind),
    CHANGE(network, 0, NULL),
    CHANGE(network, 2, unused),
    CHANGE(network, 3, kind),
    CHANGE(count, 0, words),
    CHANGE(time, 999, other_time),
    CHANGE(time, 0, other_time),
    CHANGE(time, -1, other_time),
    CHANGE(time, INT64_MIN, other_time),
    CHANGE(time, INT64_MAX, other_time),
    CHANGE(time, 1000 + (INT64_C(1) << 40), NULL),
    CHANGE(time, 1001 + (INT64_C(1) << 40), other_time),
    CHANGE(arrival, INT64_MAX / 2, NULL),
    CHANGE(arrival, 1063, other_time),
    CHANGE(arrival, -1, other_time),
    CHANGE(arrival, INT64_MAX / 2 + 1, other_time),
    CHANGE(arrival, INT64_MAX, other_time),
};

static void set_field(LinkPacket *p, const Change *change)
{
    union {
        uint8_t u8;
        uint16_t u16;
        uint64_t u64;
    } value;

    if (change->size == 1) {
        value.u8 = change->value;
    } else if (change->size == 2) {
        value.u16 = change->value;
    } else {
        g_assert_cmpuint(change->size, ==, 8);
        value.u64 = change->value;
    }
    memcpy((uint8_t *)p + change->offset, &value, change->size);
}

static void test_packet_fields(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
        LinkPacket p = link_test_message, read;

        set_field(&p, &changes[i]);
        g_test_message("change %zu", i);
        g_assert_cmpstr(pass(&p, &read), ==, changes[i].wrong);
    }
}

static void test_credit_fields(void)
{
    LinkPacket p = link_test_credit, read;

    p.count = 2;
    g_assert_cmpstr(pass(&p, &read), ==, words);
    p = link_test_credit;
    p.words[0] = 0;
    g_assert_cmpstr(pass(&p, &read), ==, returned);
    p.words[0] = 17;
    g_assert_cmpstr(pass(&p, &read), ==, returned);
    p.words[0] = 1;
    g_assert_null(pass(&p, &read));
    p.has_body = true;
    p.body = (const uint8_t *)"body";
    p.body_len = 4;
    g_assert_cmpstr(pass(&p, &read), ==, wrong_body);
}

static void test_bodies(void)
{
    static const uint8_t body[LINK_BODY_MAX + 4];
    LinkPacket p = link_test_message, read;

    p.network = 0;
    p.body = body;
    p.body_len = 4;
    /* The packet says that it has no body. */
    g_assert_cmpstr(pass(&p, &read), ==, wrong_body);
    p.has_body = true;
    p.body_len = LINK_BODY_MAX + 4;
    g_assert_cmpstr(pass(&p, &read), ==, wrong_body);
    for (p.body_len = 5; p.body_len < 8; p.body_len++) {
        g_assert_cmpstr(pass(&p, &read), ==, wrong_body);
    }
    g_assert_null(pass(&p, &read));
    /* The second network carries no bodies. */
    p.network = 1;
    g_assert_cmpstr(pass(&p, &read), ==, wrong_body);
}

/* The limits of another kind: no first network, and bodies that count. */
static void test_limits(void)
{
    static const LinkLimits limits[LINK_NETWORKS] = {
        [1] = { .words = 3, .body = 256, .counts_bodies = true },
    };
    static const uint8_t body[260];
    LinkRules rules = link_test_rules;
    LinkPacket p = link_test_message, credit = link_test_credit, read;

    rules.limits = limits;
    g_assert_null(pass_by(&rules, &p, &read));
    p.count = 4;
    g_assert_cmpstr(pass_by(&rules, &p, &read), ==, words);
    p.count = 3;
    p.has_body = true;
    p.body = body;
    p.body_len = 256;
    g_assert_null(pass_by(&rules, &p, &read));
    p.body_len = 260;
    g_assert_cmpstr(pass_by(&rules, &p, &read), ==, wrong_body);

    credit.network = 1;
    credit.words[0] = 3 + 256 / 4;
    g_assert_null(pass_by(&rules, &credit, &read));
    credit.words[0]++;
    g_assert_cmpstr(pass_by(&rules, &credit, &read), ==, returned);

    p = link_test_message;
    p.network = 0;
    g_assert_cmpstr(pass_by(&rules, &p, &read), ==, unused);
    credit.network = 0;
    credit.words[0] = 1;
    g_assert_cmpstr(pass_by(&rules, &credit, &read), ==, unused);
}

/* Bytes that no structure can hold. */
static const char *patched(size_t offset, uint8_t byte)
{
    LinkBuffer b = { 0 };
    LinkPacket p = link_test_message;
    LinkReader r;
    const char *wrong;

    p.count = LINK_PACKET_WORDS;
    link_put_packet(&b, &p);
    b.data[offset] = byte;
    memset(link_put(&b, 1024), 0, 1024);
    r = reader(&b);
    wrong = link_get_packet(&r, &link_test_rules, &p);
    link_buffer_free(&b);
    return wrong;
}

static void test_packet_raw(void)
{
    g_assert_cmpstr(patched(26, 2), ==, wrong_body);
    g_assert_cmpstr(patched(27, LINK_PACKET_WORDS + 1), ==, words);
    g_assert_cmpstr(patched(27, 255), ==, words);
    g_assert_cmpstr(patched(28, 0xff), ==, "a frame that is too short");
}

static const char *get_one_packet(LinkReader r)
{
    LinkPacket p;
    const char *wrong = link_get_packet(&r, &link_test_rules, &p);

    return wrong ? wrong : link_get_end(&r);
}

static void test_packet_bounds(void)
{
    LinkPacket p = link_test_message;
    LinkBuffer b = { 0 };

    p.network = 0;
    p.has_body = true;
    p.body = (const uint8_t *)"a body!!";
    p.body_len = 8;
    link_put_packet(&b, &p);
    link_assert_bounds(&b, get_one_packet);
    link_buffer_free(&b);
}

void link_add_packet_tests(void)
{
    g_test_add_func("/link/packet-bytes", test_packet_bytes);
    g_test_add_func("/link/packets", test_packets);
    g_test_add_func("/link/packet-fields", test_packet_fields);
    g_test_add_func("/link/credit-fields", test_credit_fields);
    g_test_add_func("/link/bodies", test_bodies);
    g_test_add_func("/link/limits", test_limits);
    g_test_add_func("/link/packet-raw", test_packet_raw);
    g_test_add_func("/link/packet-bounds", test_packet_bounds);
}
