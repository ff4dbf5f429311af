/*
 * Frames of link-proto.h to structures and back. See link-codec.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "link-codec.h"

/* ---- Big-endian numbers -------------------------------------------------- */

static void store(uint8_t *p, uint64_t value, unsigned bytes)
{
    while (bytes--) {
        p[bytes] = value;
        value >>= 8;
    }
}

static uint64_t load(const uint8_t *p, unsigned bytes)
{
    uint64_t value = 0;

    while (bytes--) {
        value = value << 8 | *p++;
    }
    return value;
}

/* ---- Writing ------------------------------------------------------------- */

void link_buffer_free(LinkBuffer *b)
{
    free(b->data);
    *b = (LinkBuffer) { 0 };
}

uint8_t *link_put(LinkBuffer *b, size_t n)
{
    uint8_t *place;

    if (b->max - b->len < n) {
        b->max = 2 * b->max + n + 256;
        b->data = realloc(b->data, b->max);
        if (!b->data) {
            abort();
        }
    }
    place = b->data + b->len;
    b->len += n;
    return place;
}

void link_put_bytes(LinkBuffer *b, const void *data, size_t n)
{
    if (n) {
        memcpy(link_put(b, n), data, n);
    }
}

static void put(LinkBuffer *b, uint64_t value, unsigned bytes)
{
    store(link_put(b, bytes), value, bytes);
}

void link_put_u16(LinkBuffer *b, uint16_t value)
{
    put(b, value, 2);
}

void link_put_u32(LinkBuffer *b, uint32_t value)
{
    put(b, value, 4);
}

size_t link_begin(LinkBuffer *b, unsigned type)
{
    size_t at = b->len;

    put(b, 0, 4);
    put(b, type, 2);
    put(b, 0, 2);
    return at;
}

bool link_finish(LinkBuffer *b, size_t at)
{
    size_t length = b->len - at - FUGU_LINK_HEADER_BYTES;

    if (length > FUGU_LINK_FRAME_MAX) {
        return false;
    }
    store(b->data + at, length, 4);
    return true;
}

/* ---- Reading ------------------------------------------------------------- */

static const char too_short[] = "a frame that is too short";

/* Caller must have checked that so much is left. */
static uint64_t get(LinkReader *r, unsigned bytes)
{
    uint64_t value = load(r->data, bytes);

    r->data += bytes;
    r->left -= bytes;
    return value;
}

static bool get_bytes(LinkReader *r, size_t n, const uint8_t **data)
{
    if (r->left < n) {
        return false;
    }
    *data = r->data;
    r->data += n;
    r->left -= n;
    return true;
}

bool link_get_u16(LinkReader *r, uint16_t *value)
{
    if (r->left < 2) {
        return false;
    }
    *value = get(r, 2);
    return true;
}

bool link_get_u32(LinkReader *r, uint32_t *value)
{
    if (r->left < 4) {
        return false;
    }
    *value = get(r, 4);
    return true;
}

const char *link_get_end(LinkReader *r)
{
    return r->left ? "a frame that is too long" : NULL;
}

const char *link_get_header(const uint8_t *data, uint32_t max, LinkHeader *h)
{
    h->length = load(data, 4);
    h->type = load(data + 4, 2);
    if (h->type == 0 || h->type >= FUGU_FRAME_TYPES || load(data + 6, 2)) {
        return "a frame of no known type";
    }
    if (h->length > max) {
        return "a frame that is too long";
    }
    return NULL;
}

void link_get_text(LinkReader r, char text[FUGU_LINK_TEXT_MAX + 1])
{
    size_t n = r.left < FUGU_LINK_TEXT_MAX ? r.left : FUGU_LINK_TEXT_MAX;

    for (size_t i = 0; i < n; i++) {
        text[i] = r.data[i] >= ' ' && r.data[i] <= '~' ? r.data[i] : '?';
    }
    text[n] = '\0';
}

/* ---- Packets ------------------------------------------------------------- */

enum { KIND_MESSAGE, KIND_CREDIT, KINDS };      /* FuguPacketKind */
enum { NETWORKS = 2 };

/* So far behind its round's start can no packet leave; sums cannot overflow. */
#define TIME_SLACK  (INT64_C(1) << 40)

void link_put_packet(LinkBuffer *b, const LinkPacket *p)
{
    put(b, p->time, 8);
    put(b, p->arrival, 8);
    put(b, p->sequence, 4);
    put(b, p->source, 2);
    put(b, p->dest, 2);
    put(b, p->kind, 1);
    put(b, p->network, 1);
    put(b, p->has_body, 1);
    put(b, p->count, 1);
    put(b, p->body_len, 4);
    for (unsigned i = 0; i < p->count; i++) {
        put(b, p->words[i], 4);
    }
    link_put_bytes(b, p->body, p->body_len);
}

static bool within(uint32_t value, uint32_t first, uint32_t count)
{
    return value >= first && value - first < count;
}

static const char *check_packet(const LinkPacket *p, const LinkRules *rules)
{
    if (!within(p->source, rules->source, rules->sources)) {
        return "a packet of a node that is not its own";
    }
    if (!within(p->dest, rules->dest, rules->dests)) {
        return "a packet to a node that does not exist here";
    }
    if (p->kind >= KINDS || p->network >= NETWORKS) {
        return "a packet of no known kind";
    }
    if (p->count == 0 || p->count > LINK_PACKET_WORDS ||
        (p->kind == KIND_CREDIT && p->count != 1)) {
        return "a packet with a wrong number of words";
    }
    if (p->kind == KIND_CREDIT &&
        (p->words[0] == 0 || p->words[0] > LINK_PACKET_WORDS)) {
        return "a credit for a message of a wrong length";
    }
    if (p->body_len > LINK_BODY_MAX || p->body_len % 4 ||
        (p->body_len && (!p->has_body || p->kind == KIND_CREDIT))) {
        return "a packet with a wrong body";
    }
    if (p->time < rules->time || p->time - rules->time > TIME_SLACK ||
        p->arrival < rules->arrival || p->arrival > INT64_MAX / 2) {
        return "a packet from another time";
    }
    return NULL;
}

const char *link_get_packet(LinkReader *r, const LinkRules *rules,
                            LinkPacket *p)
{
    uint8_t has_body;

    if (r->left < FUGU_LINK_PACKET_FIXED) {
        return too_short;
    }
    p->time = get(r, 8);
    p->arrival = get(r, 8);
    p->sequence = get(r, 4);
    p->source = get(r, 2);
    p->dest = get(r, 2);
    p->kind = get(r, 1);
    p->network = get(r, 1);
    has_body = get(r, 1);
    p->has_body = has_body;
    p->count = get(r, 1);
    p->body_len = get(r, 4);
    if (has_body > 1) {
        return "a packet with a wrong body";
    }
    if (r->left / 4 < p->count) {
        return too_short;
    }
    for (unsigned i = 0; i < p->count; i++) {
        uint32_t word = get(r, 4);

        if (i < LINK_PACKET_WORDS) {
            p->words[i] = word;
        }
    }
    if (!get_bytes(r, p->body_len, &p->body)) {
        return too_short;
    }
    return check_packet(p, rules);
}

/* ---- Frames -------------------------------------------------------------- */

void link_put_hello(LinkBuffer *b, const LinkHello *hello)
{
    put(b, FUGU_LINK_MAGIC, 4);
    put(b, hello->version, 2);
    put(b, hello->process, 2);
    link_put_bytes(b, hello->nonce, sizeof(hello->nonce));
    for (unsigned i = 0; i < FUGU_LINK_PARAMS; i++) {
        put(b, hello->params[i], 8);
    }
}

const char *link_get_hello(LinkReader r, LinkHello *hello)
{
    const uint8_t *nonce;

    if (r.left < 6 || get(&r, 4) != FUGU_LINK_MAGIC) {
        return "no greeting";
    }
    hello->version = get(&r, 2);
    if (hello->version != FUGU_LINK_VERSION) {
        return "a greeting of another version";
    }
    if (r.left != FUGU_LINK_HELLO_BYTES - 6) {
        return "a greeting of a wrong length";
    }
    hello->process = get(&r, 2);
    get_bytes(&r, sizeof(hello->nonce), &nonce);
    memcpy(hello->nonce, nonce, sizeof(hello->nonce));
    for (unsigned i = 0; i < FUGU_LINK_PARAMS; i++) {
        hello->params[i] = get(&r, 8);
    }
    return NULL;
}

void link_put_round(LinkBuffer *b, const LinkRound *round)
{
    put(b, round->start, 8);
    put(b, round->next, 8);
    put(b, round->flags, 4);
    put(b, round->ended, 4);
    put(b, round->status, 4);
    put(b, round->packets, 4);
    put(b, round->output_len, 4);
}

const char *link_get_round(LinkReader *r, uint32_t nodes, LinkRound *round)
{
    if (r->left < FUGU_LINK_ROUND_FIXED) {
        return too_short;
    }
    round->start = get(r, 8);
    round->next = get(r, 8);
    round->flags = get(r, 4);
    round->ended = get(r, 4);
    round->status = get(r, 4);
    round->packets = get(r, 4);
    round->output_len = get(r, 4);
    round->output = NULL;
    if (round->flags & ~FUGU_ROUND_FLAGS) {
        return "a round with unknown flags";
    }
    if (round->ended > nodes) {
        return "a round with more ended nodes than it has";
    }
    if (round->next < 0) {
        return "a round with an event before all time";
    }
    return NULL;
}

const char *link_get_output(LinkReader *r, uint32_t len,
                            const uint8_t **output)
{
    return get_bytes(r, len, output) ? link_get_end(r) : too_short;
}

void link_put_go(LinkBuffer *b, const LinkGo *go)
{
    put(b, go->start, 8);
    put(b, go->packets, 4);
}

const char *link_get_go(LinkReader *r, int64_t not_before, LinkGo *go)
{
    if (r->left < FUGU_LINK_GO_FIXED) {
        return too_short;
    }
    go->start = get(r, 8);
    go->packets = get(r, 4);
    return go->start < not_before ? "a round from another time" : NULL;
}

void link_put_node(LinkBuffer *b, const LinkNode *node)
{
    put(b, node->state, 4);
    put(b, node->wait, 4);
    put(b, node->pc, 4);
    put(b, node->npc, 4);
    put(b, node->status, 4);
    put(b, node->end_time, 8);
    put(b, node->digest, 8);
}

const char *link_get_node(LinkReader *r, const LinkNodeRules *rules,
                          LinkNode *node)
{
    if (r->left < FUGU_LINK_NODE_BYTES) {
        return too_short;
    }
    node->state = get(r, 4);
    node->wait = get(r, 4);
    node->pc = get(r, 4);
    node->npc = get(r, 4);
    node->status = get(r, 4);
    node->end_time = get(r, 8);
    node->digest = get(r, 8);
    if (node->state >= rules->states || node->wait >= rules->waits) {
        return "a node in no known state";
    }
    return NULL;
}

void link_put_abort(LinkBuffer *b, const LinkAbort *abort)
{
    put(b, abort->process, 2);
    put(b, abort->status, 2);
    link_put_bytes(b, abort->text, strlen(abort->text));
}

const char *link_get_abort(LinkReader r, uint32_t processes, LinkAbort *abort)
{
    if (r.left < FUGU_LINK_ABORT_FIXED) {
        return too_short;
    }
    abort->process = get(&r, 2);
    abort->status = get(&r, 2);
    link_get_text(r, abort->text);
    if (abort->process >= processes || abort->status > 255) {
        return "an end of no known kind";
    }
    return NULL;
}
