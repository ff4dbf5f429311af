/*
 * Decodes any bytes as a frame between processes
 *
 * Each kind of frame is decoded, by the rules of a machine of four nodes in
 * two processes, and encoded again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "wire/codec.h"
#include "link-frames.h"

#define NODES       4
#define PROCESSES   2
#define PEER_NODES  2
#define STATES      4
#define WAITS       5

/* Bodies in one network, as the FUGU interface has them. */
static const LinkLimits limits[LINK_NETWORKS] = {
    { .words = LINK_PACKET_WORDS, .body = LINK_BODY_MAX },
    { .words = LINK_PACKET_WORDS },
};

typedef const char *Decode(LinkReader *r, LinkBuffer *again);

/* ---- One kind after the other ------------------------------------------- */

static const char *try_hello(LinkReader *r, LinkBuffer *again)
{
    LinkHello hello;
    const char *wrong = link_get_hello(*r, &hello);

    if (!wrong) {
        link_put_hello(again, &hello);
    }
    return wrong;
}

static const char *try_packets(LinkReader *r, LinkBuffer *again,
                               const LinkRules *rules, uint32_t count)
{
    while (count--) {
        LinkPacket p;
        const char *wrong = link_get_packet(r, rules, &p);

        if (wrong) {
            return wrong;
        }
        link_put_packet(again, &p);
    }
    return NULL;
}

static const char *try_prints(const uint8_t *output, uint32_t len,
                              LinkBuffer *again)
{
    LinkReader r = { output, len };

    while (r.left) {
        LinkPrint print;
        const char *wrong = link_get_print(&r, &print);

        if (wrong) {
            return wrong;
        }
        link_put_print(again, &print);
    }
    return NULL;
}

static const char *try_round(LinkReader *r, LinkBuffer *again)
{
    LinkRound round;
    const char *wrong = link_get_round(r, PEER_NODES, &round);
    LinkRules rules = {
        .limits = limits,
        .source = PEER_NODES, .sources = PEER_NODES,
        .dests = NODES,
    };

    if (wrong) {
        return wrong;
    }
    link_put_round(again, &round);
    wrong = try_packets(r, again, &rules, round.packets);
    if (wrong) {
        return wrong;
    }
    wrong = link_get_output(r, round.output_len, &round.output);
    return wrong ? wrong : try_prints(round.output, round.output_len, again);
}

static const char *try_go(LinkReader *r, LinkBuffer *again)
{
    LinkGo go;
    const char *wrong = link_get_go(r, 64, &go);
    LinkRules rules = {
        .limits = limits,
        .sources = NODES, .dest = PEER_NODES,
        .dests = PEER_NODES, .arrival = 64,
    };

    if (wrong) {
        return wrong;
    }
    link_put_go(again, &go);
    wrong = try_packets(r, again, &rules, go.packets);
    return wrong ? wrong : link_get_end(r);
}

static const char *try_early(LinkReader *r, LinkBuffer *again)
{
    int64_t start;
    const char *wrong = link_get_early(r, 64, &start);

    if (!wrong) {
        link_put_early(again, start);
    }
    return wrong;
}

static const char *try_nodes(LinkReader *r, LinkBuffer *again)
{
    static const LinkNodeRules rules = { .states = STATES, .waits = WAITS };
    const uint8_t *output;
    const char *wrong;
    uint32_t len, status, len_of_note;

    if (!link_get_u32(r, &len) || !link_get_u32(r, &status)) {
        return "no length or no status";
    }
    link_put_u32(again, len);
    link_put_u32(again, status);
    for (int i = 0; i < PEER_NODES; i++) {
        const uint8_t *text;
        LinkNode node;

        wrong = link_get_node(r, &rules, &node);
        wrong = wrong ? wrong : link_get_note(r, &text, &len_of_note);
        if (wrong) {
            return wrong;
        }
        link_put_node(again, &node);
        link_put_u32(again, len_of_note);
        link_put_bytes(again, text, len_of_note);
    }
    wrong = link_get_output(r, len, &output);
    return wrong ? wrong : try_prints(output, len, again);
}

static const char *try_welcome(LinkReader *r, LinkBuffer *again)
{
    uint16_t where;

    if (!link_get_u16(r, &where)) {
        return "no number";
    }
    link_put_u16(again, where);
    return link_get_end(r);
}

static const char *try_end(LinkReader *r, LinkBuffer *again)
{
    uint32_t status;

    if (!link_get_u32(r, &status)) {
        return "no status";
    }
    link_put_u32(again, status);
    return link_get_end(r);
}

/* The text of another process may have been cut or cleaned: checks its form. */
static void check_text(const char *text)
{
    size_t len = strlen(text);

    assert(len <= FUGU_LINK_TEXT_MAX);
    for (size_t i = 0; i < len; i++) {
        assert(text[i] >= ' ' && text[i] <= '~');
    }
}

static const char *try_abort(LinkReader *r, LinkBuffer *again)
{
    LinkAbort end;
    const char *wrong = link_get_abort(*r, PROCESSES, &end);

    if (wrong) {
        return wrong;
    }
    check_text(end.text);
    end.text[0] = '\0';
    link_put_abort(again, &end);
    link_put_bytes(again, r->data + FUGU_LINK_ABORT_FIXED,
                   r->left - FUGU_LINK_ABORT_FIXED);
    return NULL;
}

static const char *try_refuse(LinkReader *r, LinkBuffer *again)
{
    char text[FUGU_LINK_TEXT_MAX + 1];

    link_get_text(*r, text);
    check_text(text);
    link_put_bytes(again, r->data, r->left);
    return NULL;
}

static const char *try_finish(LinkReader *r, LinkBuffer *again)
{
    uint32_t notes;

    if (!link_get_u32(r, &notes)) {
        return "no number";
    }
    link_put_u32(again, notes);
    return link_get_end(r);
}

/* ---- A frame ------------------------------------------------------------ */

static Decode *const decode[FUGU_FRAME_TYPES] = {
    [FUGU_FRAME_HELLO] = try_hello,
    [FUGU_FRAME_WELCOME] = try_welcome,
    [FUGU_FRAME_REFUSE] = try_refuse,
    [FUGU_FRAME_ROUND] = try_round,
    [FUGU_FRAME_GO] = try_go,
    [FUGU_FRAME_FINISH] = try_finish,
    [FUGU_FRAME_NODES] = try_nodes,
    [FUGU_FRAME_END] = try_end,
    [FUGU_FRAME_ABORT] = try_abort,
    [FUGU_FRAME_EARLY] = try_early,
};

/* Checks that the decoded frame encodes to the same bytes. */
static void check_again(LinkBuffer *again, size_t at, const uint8_t *data,
                        size_t size)
{
    bool fits = link_finish(again, at);

    assert(fits);
    assert(again->len == size);
    /* All bytes but the length, which may be wrong. */
    assert(!memcmp(again->data + 4, data + 4, size - 4));
}

const char *link_frames_try(const uint8_t *data, size_t size)
{
    LinkReader r;
    LinkBuffer again = { 0 };
    LinkHeader header;
    const char *wrong;
    size_t at;

    if (size < FUGU_LINK_HEADER_BYTES) {
        return "no header";
    }
    r.data = data + FUGU_LINK_HEADER_BYTES;
    r.left = size - FUGU_LINK_HEADER_BYTES;
    wrong = link_get_header(data, FUGU_LINK_FRAME_MAX, &header);
    if (!wrong && !decode[header.type]) {
        return "bytes that prove something, and have no other form";
    }
    if (!wrong) {
        at = link_begin(&again, header.type);
        wrong = decode[header.type](&r, &again);
        if (!wrong) {
            check_again(&again, at, data, size);
        }
        link_buffer_free(&again);
    }
    assert(!wrong || *wrong);
    return wrong;
}
