/*
 * A model of the network interfaces: messages on their way, and time
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "ni-model.h"

/* Cycles until all messages have arrived, if all nodes dispose of them. */
#define DRAIN_TURNS     400
#define DRAIN_CYCLES    2000

static uint32_t head_base(unsigned network)
{
    return network ? K(SECOND_HEAD) : K(HEAD);
}

/* ---- Errors -------------------------------------------------------------- */

void model_broken(Model *m, const char *format, ...)
{
    g_autofree char *text = NULL;
    va_list ap;

    va_start(ap, format);
    text = g_strdup_vprintf(format, ap);
    va_end(ap);
    g_printerr("fugu: step %u, %s: %s\n", m->step, m->doing, text);
    abort();
}

void model_expect(Model *m, int64_t is, int64_t should, const char *what)
{
    if (is != should) {
        model_broken(m, "%s is 0x%" PRIx64 ", and should be 0x%" PRIx64,
                     what, is, should);
    }
}

static void ask(Model *m, const char *question)
{
    g_auto(GStrv) words = qtest_command(m->qts, "fugu %s", question);
    g_autofree char *answer = g_strjoinv(" ", words + 1);

    if (*answer) {
        model_broken(m, "%s: %s does not hold", question, answer);
    }
}

void model_check(Model *m)
{
    ask(m, "check");
}

uint32_t model_reg(Model *m, unsigned node, uint32_t addr)
{
    return fugu_load(m->qts, node, addr);
}

/* ---- Messages on their way ---------------------------------------------- */

void model_init(Model *m, QTestState *qts)
{
    memset(m, 0, sizeof(*m));
    m->qts = qts;
    m->doing = "start";
    m->soft = model_reg(m, 0, FUGU_PARAM_BASE + FUGU_PARAM_ATOMICITY) ==
              FUGU_ATOMICITY_SOFT;
    m->messages = model_reg(m, 0, FUGU_CONTROL_BASE + FUGU_CONTROL_NETIF) ==
                  FUGU_NETIF_FUGU;
}

void message_free(void *message)
{
    Message *msg = message;

    g_free(msg->body);
    g_free(msg);
}

void model_sent(Model *m, unsigned network, unsigned source, unsigned dest,
                Message *message)
{
    g_queue_push_tail(&m->sent[network][source][dest], message);
}

/* Returns the node's head, read from its head record. */
static const Message *expected_head(Model *m, unsigned network, unsigned node)
{
    uint32_t header = model_reg(m, node, head_base(network));
    uint32_t source = header & FUGU_HDR_NODE_MASK;

    if (source >= MODEL_NODES ||
        g_queue_is_empty(&m->sent[network][source][node])) {
        model_broken(m, "node %u, network %u: a message that was never sent, "
                     "header 0x%08x", node, network, header);
    }
    return g_queue_peek_head(&m->sent[network][source][node]);
}

bool model_available(Model *m, unsigned node)
{
    bool should = model_reg(m, node, HEAD(PRESENT)) &&
                  !model_reg(m, node, HEAD(KERNEL)) &&
                  !model_reg(m, node, K(DIVERT)) &&
                  model_reg(m, node, HEAD(GID)) == model_reg(m, node, K(GID));

    model_expect(m, model_reg(m, node, RECORD(AVAILABLE)), should,
                 "message-available");
    return should;
}

const Message *model_head(Model *m, unsigned node)
{
    return expected_head(m, 0, node);
}

void model_check_head(Model *m, unsigned network, unsigned node)
{
    uint32_t base = head_base(network);
    const Message *should;

    if (m->seen[network][node] ||
        !model_reg(m, node, base + FUGU_HEAD_PRESENT)) {
        return;
    }
    should = expected_head(m, network, node);
    model_expect(m, model_reg(m, node, base + FUGU_HEAD_LENGTH),
                 should->length, "the head's length");
    model_expect(m, model_reg(m, node, base + FUGU_HEAD_BODY),
                 should->body_len, "the length of the head's body");
    for (unsigned i = 0; i < FUGU_MSG_WORDS; i++) {
        model_expect(m, model_reg(m, node, base + 4 * i), should->words[i],
                     "a word of the head");
    }
    m->seen[network][node] = true;
}

void model_dropped(Model *m, unsigned network, unsigned node, unsigned source)
{
    message_free(g_queue_pop_head(&m->sent[network][source][node]));
    m->seen[network][node] = false;
    model_check_head(m, network, node);
}

/* ---- Time --------------------------------------------------------------- */

void model_advance(Model *m, unsigned cycles)
{
    fugu_advance(m->qts, cycles);
    model_check(m);
    ask(m, "balance");
    for (unsigned node = 0; node < MODEL_NODES; node++) {
        model_check_head(m, 0, node);
        model_check_head(m, 1, node);
    }
}

static void drain_node(Model *m, unsigned node)
{
    while (model_reg(m, node, HEAD(PRESENT))) {
        model_expect(m, model_dispose(m, node, KERNEL), FUGU_DONE, "dispose");
    }
    while (model_reg(m, node, SECOND(PRESENT))) {
        model_store(m, node, KERNEL, 4, K(SECOND_DISPOSE), 0);
    }
}

static unsigned count_sent(Model *m)
{
    GQueue *queues = &m->sent[0][0][0];
    unsigned count = 0;

    for (unsigned i = 0; i < sizeof(m->sent) / sizeof(*queues); i++) {
        count += queues[i].length;
    }
    return count;
}

void model_finish(Model *m)
{
    m->doing = "taking out what is left";
    for (unsigned node = 0; node < MODEL_NODES; node++) {
        fugu_store(m->qts, node, K(DMA_ARM), 0);
    }
    for (unsigned turn = 0; count_sent(m); turn++) {
        if (turn == DRAIN_TURNS) {
            model_broken(m, "%u messages are lost", count_sent(m));
        }
        model_advance(m, DRAIN_CYCLES);
        for (unsigned node = 0; node < MODEL_NODES; node++) {
            drain_node(m, node);
        }
    }
    model_advance(m, DRAIN_CYCLES);
    for (unsigned node = 0; node < MODEL_NODES; node++) {
        fugu_store(m->qts, node, K(USER_LEN), 0);
        model_expect(m, model_reg(m, node, HEAD(PRESENT)), 0, "a head");
        model_expect(m, model_reg(m, node, K(SPACE)),
                     m->messages ? FUGU_MSG_WORDS : 0, "the space in the end");
        model_expect(m, model_reg(m, node, K(SECOND_SPACE)), FUGU_MSG_WORDS,
                     "the second network's space in the end");
    }
}
