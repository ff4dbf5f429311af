/*
 * Conversion between the frames of protocol.h and structures. See
 * codec.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include <endian.h>
#include "codec.h"

/* ---- Big-endian numbers ------------------------------------------------- */

/*
 * set16() and the like store a value at *p, and advance *p. get16() and the
 * like read a value, and advance the reader. Caller must have checked that
 * enough bytes are left.
 */
#define NUMBERS(bits)                                                   \
    static inline void set##bits(uint8_t **p, uint##bits##_t value)     \
    {                                                                   \
        value = htobe##bits(value);                                     \
        memcpy(*p, &value, sizeof(value));                              \
        *p += sizeof(value);                                            \
    }                                                                   \
                                                                        \
    static inline uint##bits##_t get##bits(LinkReader *r)               \
    {                                                                   \
        uint##bits##_t value;                                           \
                                                                        \
        memcpy(&value, r->data, sizeof(value));                         \
        r->data += sizeof(value);                                       \
        r->left -= sizeof(value);                                       \
        return be##bits##toh(value);                                    \
    }

NUMBERS(16)
NUMBERS(32)
NUMBERS(64)

static inline void set8(uint8_t **p, uint8_t value)
{
    *(*p)++ = value;
}

static inline uint8_t get8(LinkReader *r)
{
    r->left--;
    return *r->data++;
}

/* ---- Writing ------------------------------------------------------------ */

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

void link_put_u16(LinkBuffer *b, uint16_t value)
{
    uint8_t *p = link_put(b, 2);

    set16(&p, value);
}

void link_put_u32(LinkBuffer *b, uint32_t value)
{
    uint8_t *p = link_put(b, 4);

    set32(&p, value);
}

size_t link_begin(LinkBuffer *b, unsigned type)
{
    size_t at = b->len;
    uint8_t *p = link_put(b, FUGU_LINK_HEADER_BYTES);

    set32(&p, 0);
    set16(&p, type);
    set16(&p, 0);
    return at;
}

bool link_finish(LinkBuffer *b, size_t at)
{
    size_t length = b->len - at - FUGU_LINK_HEADER_BYTES;
    uint8_t *p = b->data + at;

    if (length > FUGU_LINK_FRAME_MAX) {
        return false;
    }
    set32(&p, length);
    return true;
}

/* ---- Reading ------------------------------------------------------------ */

static const char too_short[] = "a frame that is too short";

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
    *value = get16(r);
    return true;
}

bool link_get_u32(LinkReader *r, uint32_t *value)
{
    if (r->left < 4) {
        return false;
    }
    *value = get32(r);
    return true;
}

const char *link_get_end(LinkReader *r)
{
    return r->left ? "a frame that is too long" : NULL;
}

const char *link_get_header(const uint8_t *data, uint32_t max, LinkHeader *h)
{
    LinkReader r = { data, FUGU_LINK_HEADER_BYTES };

    h->length = get32(&r);
    h->type = get16(&r);
    if (h->type == 0 || h->type >= FUGU_FRAME_TYPES || get16(&r)) {
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

/* ---- Packets ------------------------------------------------------------ */

enum { KIND_MESSAGE, KIND_CREDIT, KINDS };      /* equal to FuguPacketKind */

/*
 * A peer that skips rounds gets packets that were sent at most this many cycles
 * after its last one. The bound keeps sums of times from overflowing.
 */
#define TIME_SLACK  (INT64_C(1) << 40)

void link_put_packet(LinkBuffer *b, const LinkPacket *p)
{
    uint8_t *to = link_put(b, FUGU_LINK_PACKET_FIXED + 4 * p->count);

    set64(&to, p->time);
    set64(&to, p->arrival);
    set32(&to, p->sequence);
    set16(&to, p->source);
    set16(&to, p->dest);
    set8(&to, p->kind);
    set8(&to, p->network);
    set8(&to, p->has_body);
    set8(&to, p->count);
    set32(&to, p->body_len);
    for (unsigned i = 0; i < p->count; i++) {
        set32(&to, p->words[i]);
    }
    link_put_bytes(b, p->body, p->body_len);
}

static bool within(uint32_t value, uint32_t first, uint32_t count)
{
    return value >= first && value - first < count;
}

/* Returns the most words that a credit returns. */
static uint32_t most_counted(const LinkLimits *limits)
{
    return limits->words + (limits->counts_bodies ? limits->body / 4 : 0);
}

static const char *check_contents(const LinkPacket *p,
                                  const LinkLimits *limits)
{
    if (p->count == 0 || p->count > limits->words ||
        (p->kind == KIND_CREDIT && p->count != 1)) {
        return "a packet with a wrong number of words";
    }
    if (p->kind == KIND_CREDIT &&
        (p->words[0] == 0 || p->words[0] > most_counted(limits))) {
        return "a credit for a message of a wrong length";
    }
    if (p->body_len > limits->body || p->body_len % 4 ||
        (p->has_body && !limits->body) ||
        (p->body_len && (!p->has_body || p->kind == KIND_CREDIT))) {
        return "a packet with a wrong body";
    }
    return NULL;
}

static const char *check_packet(const LinkPacket *p, const LinkRules *rules)
{
    const char *wrong;

    if (!within(p->source, rules->source, rules->sources)) {
        return "a packet of a node that is not its own";
    }
    if (!within(p->dest, rules->dest, rules->dests)) {
        return "a packet to a node that does not exist here";
    }
    if (p->kind >= KINDS || p->network >= LINK_NETWORKS) {
        return "a packet of no known kind";
    }
    if (!rules->limits[p->network].words) {
        return "a packet in a network that nobody uses";
    }
    wrong = check_contents(p, &rules->limits[p->network]);
    if (wrong) {
        return wrong;
    }
    if (p->time < rules->time ||
        p->time - rules->time > (rules->cycles ? rules->cycles - 1 : TIME_SLACK) ||
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
    p->time = get64(r);
    p->arrival = get64(r);
    p->sequence = get32(r);
    p->source = get16(r);
    p->dest = get16(r);
    p->kind = get8(r);
    p->network = get8(r);
    has_body = get8(r);
    p->has_body = has_body;
    p->count = get8(r);
    p->body_len = get32(r);
    if (has_body > 1) {
        return "a packet with a wrong body";
    }
    if (r->left / 4 < p->count) {
        return too_short;
    }
    for (unsigned i = 0; i < p->count; i++) {
        uint32_t word = get32(r);

        if (i < LINK_PACKET_WORDS) {
            p->words[i] = word;
        }
    }
    if (!get_bytes(r, p->body_len, &p->body)) {
        return too_short;
    }
    return check_packet(p, rules);
}

/* ---- Frames ------------------------------------------------------------- */

void link_put_hello(LinkBuffer *b, const LinkHello *hello)
{
    uint8_t *to = link_put(b, FUGU_LINK_HELLO_BYTES);

    set32(&to, FUGU_LINK_MAGIC);
    set16(&to, hello->version);
    set16(&to, hello->process);
    memcpy(to, hello->nonce, sizeof(hello->nonce));
    to += sizeof(hello->nonce);
    for (unsigned i = 0; i < FUGU_LINK_PARAMS; i++) {
        set64(&to, hello->params[i]);
    }
}

const char *link_get_hello(LinkReader r, LinkHello *hello)
{
    const uint8_t *nonce;

    if (r.left < 6 || get32(&r) != FUGU_LINK_MAGIC) {
        return "no greeting";
    }
    hello->version = get16(&r);
    if (hello->version != FUGU_LINK_VERSION) {
        return "a greeting of another version";
    }
    if (r.left != FUGU_LINK_HELLO_BYTES - 6) {
        return "a greeting of a wrong length";
    }
    hello->process = get16(&r);
    get_bytes(&r, sizeof(hello->nonce), &nonce);
    memcpy(hello->nonce, nonce, sizeof(hello->nonce));
    for (unsigned i = 0; i < FUGU_LINK_PARAMS; i++) {
        hello->params[i] = get64(&r);
    }
    return NULL;
}

void link_put_round(LinkBuffer *b, const LinkRound *round)
{
    uint8_t *to = link_put(b, FUGU_LINK_ROUND_FIXED);

    set64(&to, round->start);
    set64(&to, round->next);
    set32(&to, round->flags);
    set32(&to, round->ended);
    set32(&to, round->status);
    set32(&to, round->cycle);
    set32(&to, round->packets);
    set32(&to, round->output_len);
}

const char *link_get_round(LinkReader *r, uint32_t nodes, LinkRound *round)
{
    if (r->left < FUGU_LINK_ROUND_FIXED) {
        return too_short;
    }
    round->start = get64(r);
    round->next = get64(r);
    round->flags = get32(r);
    round->ended = get32(r);
    round->status = get32(r);
    round->cycle = get32(r);
    round->packets = get32(r);
    round->output_len = get32(r);
    round->output = NULL;
    if (round->flags & ~FUGU_ROUND_FLAGS) {
        return "a round with unknown flags";
    }
    if ((round->flags & FUGU_ROUND_STOPS) && round->status > 255) {
        return "a round with an exit status above 255";
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

void link_put_print(LinkBuffer *b, const LinkPrint *print)
{
    link_put_u32(b, print->len | (print->error ? FUGU_PRINT_ERROR : 0));
    link_put_bytes(b, print->data, print->len);
}

const char *link_get_print(LinkReader *r, LinkPrint *print)
{
    uint32_t word;

    if (!link_get_u32(r, &word)) {
        return "output that is too short";
    }
    print->error = word & FUGU_PRINT_ERROR;
    print->len = word & ~FUGU_PRINT_ERROR;
    return get_bytes(r, print->len, &print->data) ? NULL
                                                  : "output that is too short";
}

/* The bound on @start keeps the time of the round's end from overflowing. */
static const char *check_start(int64_t start, int64_t not_before)
{
    return start < not_before || start > INT64_MAX / 2
           ? "a round from another time" : NULL;
}

void link_put_early(LinkBuffer *b, int64_t start)
{
    uint8_t *to = link_put(b, FUGU_LINK_EARLY_BYTES);

    set64(&to, start);
}

const char *link_get_early(LinkReader *r, int64_t not_before, int64_t *start)
{
    if (r->left < FUGU_LINK_EARLY_BYTES) {
        return too_short;
    }
    *start = get64(r);
    return check_start(*start, not_before) ?: link_get_end(r);
}

void link_put_go(LinkBuffer *b, const LinkGo *go)
{
    uint8_t *to = link_put(b, FUGU_LINK_GO_FIXED);

    set64(&to, go->start);
    set32(&to, go->packets);
}

const char *link_get_go(LinkReader *r, int64_t not_before, LinkGo *go)
{
    if (r->left < FUGU_LINK_GO_FIXED) {
        return too_short;
    }
    go->start = get64(r);
    go->packets = get32(r);
    return check_start(go->start, not_before);
}

void link_put_node(LinkBuffer *b, const LinkNode *node)
{
    uint8_t *to = link_put(b, FUGU_LINK_NODE_BYTES);

    set32(&to, node->state);
    set32(&to, node->wait);
    set32(&to, node->pc);
    set32(&to, node->npc);
    set32(&to, node->status);
    set64(&to, node->end_time);
    set64(&to, node->digest);
}

const char *link_get_node(LinkReader *r, const LinkNodeRules *rules,
                          LinkNode *node)
{
    if (r->left < FUGU_LINK_NODE_BYTES) {
        return too_short;
    }
    node->state = get32(r);
    node->wait = get32(r);
    node->pc = get32(r);
    node->npc = get32(r);
    node->status = get32(r);
    node->end_time = get64(r);
    node->digest = get64(r);
    if (node->state >= rules->states || node->wait >= rules->waits) {
        return "a node in no known state";
    }
    return NULL;
}

void link_put_note(LinkBuffer *b, const char *text)
{
    uint32_t len = text ? strnlen(text, FUGU_LINK_NOTE_MAX) : 0;

    link_put_u32(b, len);
    link_put_bytes(b, text, len);
}

const char *link_get_note(LinkReader *r, const uint8_t **text, uint32_t *len)
{
    if (!link_get_u32(r, len)) {
        return too_short;
    }
    if (*len > FUGU_LINK_NOTE_MAX) {
        return "a note that is too long";
    }
    return get_bytes(r, *len, text) ? NULL : too_short;
}

void link_put_abort(LinkBuffer *b, const LinkAbort *abort)
{
    uint8_t *to = link_put(b, FUGU_LINK_ABORT_FIXED);

    set16(&to, abort->process);
    set16(&to, abort->status);
    link_put_bytes(b, abort->text, strlen(abort->text));
}

const char *link_get_abort(LinkReader r, uint32_t processes, LinkAbort *abort)
{
    if (r.left < FUGU_LINK_ABORT_FIXED) {
        return too_short;
    }
    abort->process = get16(&r);
    abort->status = get16(&r);
    link_get_text(r, abort->text);
    if (abort->process >= processes || abort->status > 255) {
        return "an end of no known kind";
    }
    return NULL;
}
