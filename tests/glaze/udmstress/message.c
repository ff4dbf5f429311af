/*
 * Messages: their contents, how they are sent, and how they are checked.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "stress.h"

#define HEADER_GID      (FUGU_HDR_KERNEL | FUGU_HDR_OWN_GID | \
                         FUGU_HDR_TYPE_MASK | FUGU_HDR_GID_MASK)
#define BODY_WORDS      (FUGU_BODY_MAX / 4)

struct counts counts;
bool with_bodies = true;

static uint32_t to[NODES_MAX][STREAMS], from[NODES_MAX][STREAMS];
static uint32_t gid_bits;

struct message message_of(uint32_t x)
{
    struct message m = { .value = x };

    m.args = (x & 15) == 15 ? 0 : x & 15;
    m.kind = x >> 4 & 15;
    m.request = (x >> 8 & 7) == 0;
    m.body = with_bodies && (x >> 11 & 15) == 0;
    if (m.body) {
        m.args = m.args > 10 ? 10 : m.args;
        m.body_bytes = 4 * (((x >> 15 & 1023) + 1) >> (x >> 25 & 7));
        m.pieces = x >> 28 & 1;
    }
    return m;
}

void streams_init(uint32_t seed)
{
    uint32_t me = udm_node();

    gid_bits = glaze_info(GLAZE_I_GID) << FUGU_HDR_GID_SHIFT;
    for (uint32_t node = 0; node < udm_nodes(); node++) {
        for (unsigned stream = 0; stream < STREAMS; stream++) {
            to[node][stream] = random_start(seed, me << 8 | node, stream);
            from[node][stream] = random_start(seed, node << 8 | me, stream);
        }
    }
}

/* ---- Sending ------------------------------------------------------------- */

/* Bodies to send: one buffer per stream, since one sender may interrupt
 * another. */
static uint32_t bodies[STREAMS][BODY_WORDS];

static uint32_t *body_make(const struct message *m, enum stream stream)
{
    uint32_t *body = m->body_bytes && chance(8) == 0 ? fresh_page()
                                                     : bodies[stream];
    uint32_t word = m->value;

    for (uint32_t i = 0; i < m->body_bytes / 4; i++) {
        word += BODY_STEP;
        body[i] = word;
    }
    return body;
}

/* Writes the words of a message's descriptor. Returns how many there are. */
static unsigned describe(uint32_t *words, const struct message *m,
                         uint32_t node, enum stream stream)
{
    unsigned n = 2;
    uint32_t word = m->value;

    words[0] = node;
    words[1] = (uintptr_t)handler_of(stream, m->kind);
    for (unsigned i = 0; i < m->args; i++) {
        words[n++] = word;
        word += ARG_STEP;
    }
    if (m->body) {
        uint32_t *body = body_make(m, stream);
        uint32_t first = m->pieces ? m->body_bytes / 8 * 4 : m->body_bytes;

        words[n++] = (uintptr_t)body;
        words[n++] = first;
        if (m->pieces) {
            words[n++] = (uintptr_t)body + first;
            words[n++] = m->body_bytes - first;
        }
    }
    return n;
}

/* launch n, pieces: like udm_inject(), but the compiler does not know the
 * number of words. */
static void launch(unsigned n, unsigned pieces)
{
    register uint32_t words asm ("o0") = n;

    if (pieces == 0) {
        asm volatile (".word %0" : : "i" (FUGU_INSN(FUGU_OPC_LAUNCH, 0, 8, 0)),
                      "r" (words) : "memory");
    } else if (pieces == 1) {
        asm volatile (".word %0" : : "i" (FUGU_INSN(FUGU_OPC_LAUNCH, 0, 8, 1)),
                      "r" (words) : "memory");
    } else {
        asm volatile (".word %0" : : "i" (FUGU_INSN(FUGU_OPC_LAUNCH, 0, 8, 2)),
                      "r" (words) : "memory");
    }
}

/* Stores a descriptor. If `gap` is the number of a word, pauses after that
 * word, with the message half described. */
static void store(const uint32_t *words, unsigned n, unsigned gap)
{
    volatile uint32_t *out = (volatile uint32_t *)(FUGU_NI_USER_BASE +
                                                   FUGU_U_OUT);

    for (unsigned i = 0; i < n; i++) {
        out[i] = words[i];
        if (i == gap) {
            spin(chance(128));
        }
    }
}

/* Like udm_injectc(): returns false if there is no space now. */
static bool store_if_space(const uint32_t *words, unsigned n)
{
    if (udm_space() < n) {
        return false;
    }
    store(words, n, UDM_ARGS_MAX + 2);
    return true;
}

/* Sends by udm_inject() or udm_injectc(), for the lengths that are tried
 * here. Returns false for any other message. */
static bool inject(const struct message *m, uint32_t node,
                   udm_handler_t handler)
{
    uint32_t x = m->value;

    if (m->body) {
        return false;
    }
    switch (m->args) {
    case 0:
        udm_inject(node, handler);
        return true;
    case 1:
        udm_inject(node, handler, x);
        return true;
    case 3:
        while (!udm_injectc(node, handler, x, x + ARG_STEP,
                            x + 2 * ARG_STEP)) {
            spin(8);
        }
        return true;
    default:
        return false;
    }
}

void message_send(uint32_t node, enum stream stream)
{
    struct message m;
    uint32_t words[UDM_ARGS_MAX + 2], x;
    unsigned n;

    x = next_random(to[node][stream]);
    to[node][stream] = x;
    counts.out[node][stream]++;
    m = message_of(x);
    if (chance(2) && inject(&m, node, handler_of(stream, m.kind))) {
        return;
    }
    n = describe(words, &m, node, stream);
    if (chance(4) == 0) {
        while (!store_if_space(words, n)) {
            spin(8);
        }
    } else {
        store(words, n, chance(32));
    }
    launch(n, m.body ? 1 + m.pieces : 0);
}

/* ---- Receiving ----------------------------------------------------------- */

static uint32_t *body_fetch(uint32_t bytes)
{
    static uint32_t kept[BODY_WORDS];
    uint32_t *body = chance(8) == 0 ? fresh_page() : kept;
    uint32_t split = chance(2048) * 4 % (bytes + 4);

    udm_storeback(body, 0, split);
    if (chance(16) == 0) {
        spin(chance(256));
    }
    udm_storeback((char *)body + split, split, bytes - split);
    return body;
}

static void wrong(const struct message *m, uint32_t source,
                  enum stream stream, unsigned kind, const char *what)
{
    uint32_t x = m->value;
    unsigned ahead = 0;

    while (ahead < 1000 && x != udm_arg(0)) {
        x = next_random(x);
        ahead++;
    }
    fail("%s: message %lu of stream %d from node %lu; handler's stream and "
         "kind %d, expected %d; length %lu, expected %d; body %lu, expected "
         "%lu; first argument 0x%08lx, expected 0x%08lx: it is %s%d; header "
         "0x%08lx", what, (unsigned long)counts.in[source][stream], stream,
         (unsigned long)source, kind, m->kind, (unsigned long)udm_length(),
         m->args + 2, (unsigned long)udm_body_length(),
         (unsigned long)m->body_bytes, (unsigned long)udm_arg(0),
         (unsigned long)m->value, ahead < 1000 ? "ahead by " : "unknown, ",
         ahead, (unsigned long)udm_peek(0));
}

/* Checks the arguments. Returns the sum of all argument words. */
static uint32_t check_words(const struct message *m, uint32_t source,
                            enum stream stream)
{
    uint32_t expected = m->value, sum = 0;

    for (unsigned i = 0; i < UDM_ARGS_MAX; i++) {
        uint32_t word = udm_arg(i);

        if (word != (i < m->args ? expected : 0)) {
            wrong(m, source, stream, m->kind, "a wrong word");
        }
        expected += ARG_STEP;
        sum += word;
    }
    return sum;
}

static uint32_t check_body(const struct message *m, uint32_t source,
                           enum stream stream)
{
    uint32_t *body = body_fetch(m->body_bytes);
    uint32_t expected = m->value, sum = 0;

    for (uint32_t i = 0; i < m->body_bytes / 4; i++) {
        expected += BODY_STEP;
        if (body[i] != expected) {
            wrong(m, source, stream, m->kind, "a wrong body");
        }
        sum += body[i];
    }
    counts.bodies++;
    return sum;
}

bool message_receive(enum stream stream, unsigned kind, uint32_t *from_whom)
{
    uint32_t source = udm_source(), sum;
    struct message m;

    CHECK(udm_available());
    CHECK(source < udm_nodes());
    from[source][stream] = next_random(from[source][stream]);
    m = message_of(from[source][stream]);
    if ((udm_peek(0) & HEADER_GID) != gid_bits) {
        wrong(&m, source, stream, kind, "another job's message");
    }
    if (kind != m.kind || udm_length() != m.args + 2 ||
        udm_body_length() != m.body_bytes ||
        udm_handler() != handler_of(stream, kind)) {
        wrong(&m, source, stream, kind, "not the one to come");
    }
    sum = check_words(&m, source, stream);
    if (m.body_bytes) {
        sum += check_body(&m, source, stream);
    }
    sum += udm_length() + (kind << 8) + (udm_body_length() << 16);
    counts.sum[source][stream] = 3 * counts.sum[source][stream] + sum;
    counts.in[source][stream]++;
    counts.received++;
    *from_whom = source;
    dispose();
    return m.request;
}

/* Returns a sum over all streams: there is no common count, since each
 * stream may only be counted by its sender. */
uint32_t counts_sent(void)
{
    uint32_t sent = 0;

    for (uint32_t node = 0; node < udm_nodes(); node++) {
        for (unsigned stream = 0; stream < STREAMS; stream++) {
            sent += counts.out[node][stream];
        }
    }
    return sent;
}
