/*
 * A model of the network interfaces: launch, dispose, beginatom, endatom
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "ni-model.h"

#define CP_DISABLED     0x24

/* An operation of a message part that is not there. */
static int undefined(Model *m, unsigned node, FuguMode mode, const char *op,
                     uint32_t a, uint32_t b)
{
    uint32_t uac = model_reg(m, node, K(UAC));

    model_expect(m, fugu_op(m->qts, node, mode, op, a, b), CP_DISABLED, op);
    model_expect(m, model_reg(m, node, K(UAC)), uac, "UAC after it");
    return CP_DISABLED;
}

/* ---- launch ------------------------------------------------------------- */

static bool pairs_are_right(const Message *msg, unsigned first, unsigned pairs)
{
    uint32_t total = 0;

    for (unsigned i = 0; i < pairs; i++) {
        uint32_t addr = msg->words[first + 2 * i];
        uint32_t len = msg->words[first + 2 * i + 1];

        if (addr % 4 || len % 4 || len > FUGU_BODY_MAX ||
            total + len > FUGU_BODY_MAX || (len && !model_is_readable(addr, len))) {
            return false;
        }
        total += len;
    }
    return true;
}

/* Moves the body from memory into the message, and removes its pairs. */
static void take_body(Model *m, unsigned node, Message *msg, unsigned pairs)
{
    unsigned first = msg->length - 2 * pairs;

    msg->body = g_malloc(FUGU_BODY_MAX);
    for (unsigned i = first; i < msg->length; i += 2) {
        for (uint32_t at = 0; at < msg->words[i + 1]; at += 4) {
            stl_be_p(msg->body + msg->body_len,
                     fugu_load(m->qts, node, msg->words[i] + at));
            msg->body_len += 4;
        }
        msg->words[i] = msg->words[i + 1] = 0;
    }
    msg->length = first;
}

/* Returns the header that is sent: the hardware fills in GID and source. */
static uint32_t stamped(Model *m, unsigned node, FuguMode mode,
                        uint32_t header)
{
    uint32_t gid = GID(model_reg(m, node, K(GID)));

    if (mode == KERNEL && (header & FUGU_HDR_OWN_GID)) {
        gid = header & FUGU_HDR_GID_MASK;
    }
    return (header & FUGU_HDR_TYPE_MASK) | gid | node |
           (mode == KERNEL ? header & FUGU_HDR_KERNEL : 0);
}

static int expected_launch(Model *m, unsigned node, FuguMode mode,
                           const Message *msg, uint32_t n, uint32_t pairs,
                           unsigned described)
{
    uint32_t space = model_reg(m, node, mode == USER ? U(SPACE) : K(SPACE));

    if (!described) {
        return FUGU_DONE;
    }
    if ((mode == USER && (msg->words[0] & FUGU_HDR_KERNEL)) ||
        (msg->words[0] & FUGU_HDR_NODE_MASK) >= MODEL_NODES ||
        n == 0 || n > described || 2 * pairs >= n ||
        !pairs_are_right(msg, n - 2 * pairs, pairs)) {
        return VIOLATION;
    }
    return n - 2 * pairs > space ? FUGU_WAITS : FUGU_DONE;
}

static int launch_message(Model *m, unsigned node, FuguMode mode, uint32_t n,
                          uint32_t pairs)
{
    uint32_t window = mode == USER ? U(OUT) : K(OUT);
    unsigned described = model_reg(m, node, window + FUGU_U_DESC_LEN);
    uint32_t space = model_reg(m, node, U(SPACE));
    uint32_t body_space = model_reg(m, node, U(BODY_SPACE));
    Message *msg = g_new0(Message, 1);
    unsigned dest;
    int should, is;

    for (unsigned i = 0; i < MIN(n, described); i++) {
        msg->words[i] = model_reg(m, node, window + 4 * i);
    }
    should = expected_launch(m, node, mode, msg, n, pairs, described);
    is = fugu_op(m->qts, node, mode, "launch", n, pairs);
    /* U_BODY_SPACE is 0 while a body of this node is in the network, but also
     * if the user has no space at all. */
    if (pairs && should == FUGU_DONE &&
        (space ? body_space == 0 : is == FUGU_WAITS)) {
        should = FUGU_WAITS;
    }
    model_expect(m, is, should, "launch");
    model_expect(m, model_reg(m, node, window + FUGU_U_DESC_LEN),
                 is == FUGU_DONE ? 0 : described, "descriptor-length");
    if (is != FUGU_DONE || !described) {
        message_free(msg);
        return is;
    }
    msg->length = n;
    if (pairs) {
        take_body(m, node, msg, pairs);
    }
    dest = msg->words[0] & FUGU_HDR_NODE_MASK;
    msg->words[0] = stamped(m, node, mode, msg->words[0]);
    model_sent(m, 0, node, dest, msg);
    return is;
}

int model_launch(Model *m, unsigned node, FuguMode mode, uint32_t n,
                 uint32_t pairs)
{
    return m->messages ? launch_message(m, node, mode, n, pairs)
           : undefined(m, node, mode, "launch", n, pairs);
}

/* ---- dispose ------------------------------------------------------------ */

/* Where the DMA puts the body of a head that has @bytes of words. */
static uint32_t body_address(Model *m, unsigned node, uint32_t bytes)
{
    uint32_t body = model_reg(m, node, K(DMA_BODY));

    return body ? body : model_reg(m, node, K(DMA_ADDR)) + bytes;
}

static int expected_dispose(Model *m, unsigned node, FuguMode mode)
{
    uint32_t addr = model_reg(m, node, K(DMA_ADDR));
    uint32_t bytes = 4 * model_reg(m, node, HEAD(LENGTH));
    uint32_t body = model_reg(m, node, HEAD(BODY));

    if (mode == USER) {
        return model_reg(m, node, K(DIVERT)) ? FUGU_TT_DISPOSE_EXTEND
               : !model_available(m, node) ? FUGU_TT_BAD_DISPOSE
               : FUGU_DONE;
    }
    if (!model_reg(m, node, HEAD(PRESENT))) {
        return FUGU_TT_BAD_DISPOSE;
    }
    return model_reg(m, node, K(DMA_ARM)) &&
           (!model_is_ram(addr, bytes) ||
            (body && !model_is_ram(body_address(m, node, bytes), body)))
           ? VIOLATION : FUGU_DONE;
}

/* Checks what the DMA has stored: the words and the body. */
static void check_stored(Model *m, unsigned node, const Message *msg)
{
    uint32_t addr = model_reg(m, node, K(DMA_ADDR));
    uint32_t body = body_address(m, node, 4 * msg->length);

    if (body < addr + 4 * msg->length && addr < body + msg->body_len) {
        return;                     /* one lies over the other */
    }
    for (unsigned i = 0; i < msg->length; i++) {
        model_expect(m, model_reg(m, node, addr + 4 * i), msg->words[i],
                     "a word in memory");
    }
    model_check_body(m, node, body, msg, 0, msg->body_len);
}

static int dispose_message(Model *m, unsigned node, FuguMode mode)
{
    int should = expected_dispose(m, node, mode);
    bool stores = mode == KERNEL && model_reg(m, node, K(DMA_ARM));
    uint32_t uac = model_reg(m, node, K(UAC));
    uint32_t source = model_reg(m, node, HEAD(SOURCE));
    int is = fugu_op(m->qts, node, mode, "dispose", 0, 0);

    if (is == FUGU_WAITS && stores && should == FUGU_DONE) {
        should = FUGU_WAITS;        /* the DMA engine is busy */
    }
    model_expect(m, is, should, "dispose");
    if (is == FUGU_DONE) {
        if (stores) {
            check_stored(m, node,
                         g_queue_peek_head(&m->sent[0][source][node]));
        }
        if (mode == USER) {
            uac &= ~FUGU_UAC_DISPOSE_PENDING;
        }
        model_dropped(m, 0, node, source);
    }
    model_expect(m, model_reg(m, node, K(UAC)), uac, "UAC after dispose");
    return is;
}

int model_dispose(Model *m, unsigned node, FuguMode mode)
{
    return m->messages ? dispose_message(m, node, mode)
           : undefined(m, node, mode, "dispose", 0, 0);
}

/* ---- beginatom, endatom ------------------------------------------------- */

void model_atom(Model *m, unsigned node, FuguMode mode, bool begin,
                uint32_t mask)
{
    uint32_t mine = mask & (mode == USER ? FUGU_UAC_USER : FUGU_UAC_ALL);
    uint32_t uac = model_reg(m, node, K(UAC));
    int should = FUGU_DONE;

    if (m->soft) {
        should = CP_DISABLED;
    } else if (begin) {
        uac |= mine;
    } else if (mode == USER && (uac & FUGU_UAC_DISPOSE_PENDING)) {
        should = FUGU_TT_DISPOSE_FAILURE;
    } else if (mode == USER && (uac & FUGU_UAC_ATOMICITY_EXTEND)) {
        should = FUGU_TT_ATOMICITY_EXTEND;
    } else {
        uac &= ~mine;
    }
    model_expect(m, fugu_op(m->qts, node, mode,
                            begin ? "beginatom" : "endatom", mask, 0),
                 should, begin ? "beginatom" : "endatom");
    model_expect(m, model_reg(m, node, U(UAC)), uac, "UAC");
}
