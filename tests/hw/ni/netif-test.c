/*
 * qtest of the interface between node, mesh and a kind of network interface: a
 * machine of another kind than FUGU's, without a message part
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qobject/qdict.h"
#include "../common/fugu-qtest.h"

#define NONE    "network-interface=none,nodes=4,mesh=2x2"
#define K(reg)  (FUGU_NI_KERNEL_BASE + (reg))

/* Long enough for any message to arrive. */
#define ARRIVED 2000

static uint32_t kind(QTestState *qts)
{
    return fugu_load(qts, 0, FUGU_CONTROL_BASE + FUGU_CONTROL_NETIF);
}

static void test_kind(void)
{
    QTestState *fugu = fugu_start("nodes=1", "");
    QTestState *none = fugu_start(NONE, "");

    g_assert_cmpuint(kind(fugu), ==, FUGU_NETIF_FUGU);
    g_assert_cmpuint(kind(none), ==, FUGU_NETIF_NONE);
    qtest_quit(fugu);
    qtest_quit(none);
}

/* Sends @words words, of which the last is @word, and returns the result. */
static int send_words(QTestState *qts, unsigned from, unsigned to,
                      unsigned words, uint32_t word)
{
    fugu_store(qts, from, K(FUGU_K_SECOND_OUT), to);
    fugu_store(qts, from, K(FUGU_K_SECOND_OUT + 4 * (words - 1)), word);
    return fugu_try_store(qts, from, KERNEL, 4, K(FUGU_K_SECOND_LAUNCH),
                          words);
}

static void send_word(QTestState *qts, unsigned from, unsigned to,
                      uint32_t word)
{
    g_assert_cmpint(send_words(qts, from, to, 2, word), ==, FUGU_DONE);
}

static bool present(QTestState *qts, unsigned node)
{
    return fugu_load(qts, node, K(FUGU_K_SECOND_HEAD + FUGU_HEAD_PRESENT));
}

/* Asserts what always holds: @command is check or balance. */
static void assert_holds(QTestState *qts, const char *command)
{
    g_auto(GStrv) words = qtest_command(qts, "fugu %s", command);
    g_autofree char *answer = g_strjoinv(" ", words + 1);

    g_assert_cmpstr(answer, ==, "");
}

static void assert_received(QTestState *qts, unsigned node, uint32_t word)
{
    g_assert_true(present(qts, node));
    g_assert_cmphex(fugu_irq(qts, node), ==, FUGU_IRQ_BIT(FUGU_IRQ_SECOND));
    g_assert_cmphex(fugu_load(qts, node, K(FUGU_K_SECOND_HEAD + 4)), ==, word);
    fugu_store(qts, node, K(FUGU_K_SECOND_DISPOSE), 0);
    g_assert_cmphex(fugu_irq(qts, node), ==, 0);
}

static void test_message(void)
{
    QTestState *qts = fugu_start(NONE, "");

    send_word(qts, 0, 3, 0xcafe);
    send_word(qts, 1, 2, 0xbeef);
    fugu_advance(qts, ARRIVED);
    g_assert_false(present(qts, 0));
    g_assert_false(present(qts, 1));
    assert_received(qts, 2, 0xbeef);
    assert_received(qts, 3, 0xcafe);
    qtest_quit(qts);
}

/* A property of an object, as a monitor or a debugger asks for it. */
static char *property(QTestState *qts, const char *path, const char *name)
{
    QDict *answer = qtest_qmp(qts, "{'execute': 'qom-get', 'arguments': "
                              "{'path': %s, 'property': %s}}", path, name);
    char *value = g_strdup(qdict_get_str(answer, "return"));

    qobject_unref(answer);
    return value;
}

static void test_status(void)
{
    QTestState *qts = fugu_start(NONE, "");
    g_autofree char *state = NULL, *flight = NULL, *queue = NULL;

    for (unsigned k = 0; k < 4; k++) {
        g_assert_cmpint(send_words(qts, 0, 3, 16, 1), ==, FUGU_DONE);
    }
    g_assert_cmpint(send_words(qts, 0, 3, 1, 3), ==, FUGU_WAITS);
    qtest_qmp_assert_success(qts, "{'execute': 'stop'}");
    state = property(qts, "/machine/node[0]", "state");
    g_assert_nonnull(strstr(state, "waits for space in the second network"));

    flight = property(qts, "/machine/rounds", "flight");
    g_assert_nonnull(strstr(flight, "\"where\": \"sent\""));
    fugu_advance(qts, ARRIVED);
    queue = property(qts, "/machine/rounds", "flight");
    g_assert_nonnull(strstr(queue, "\"where\": \"queue\""));
    g_assert_nonnull(strstr(queue, "\"to\": 3"));

    /* The credits have come back. */
    g_assert_cmpint(send_words(qts, 0, 3, 1, 3), ==, FUGU_DONE);
    qtest_quit(qts);
}

static void test_saved(void)
{
    QTestState *qts = fugu_start(NONE, "");

    send_word(qts, 1, 2, 1);
    fugu_advance(qts, ARRIVED);
    send_word(qts, 0, 3, 2);
    fugu_advance(qts, 1);
    send_word(qts, 3, 0, 3);
    fugu_store(qts, 1, K(FUGU_K_GID), 7);
    fugu_store(qts, 1, K(FUGU_K_TIMEOUT), 5000);
    g_assert_cmpint(fugu_op(qts, 1, USER, "beginatom", FUGU_UAC_TIMER_FORCE,
                            0), ==, FUGU_DONE);

    /* One message is in a queue, one in flight, one not yet routed. */
    qts = fugu_migrate(qts, NONE, "");
    g_assert_cmpuint(fugu_load(qts, 1, K(FUGU_K_GID)), ==, 7);
    assert_received(qts, 2, 1);
    g_assert_false(present(qts, 3));
    fugu_advance(qts, ARRIVED);
    assert_received(qts, 3, 2);
    assert_received(qts, 0, 3);
    g_assert_cmphex(fugu_irq(qts, 1), ==, 0);
    fugu_advance(qts, 5000);
    g_assert_cmphex(fugu_irq(qts, 1), ==, FUGU_IRQ_BIT(FUGU_IRQ_TIMEOUT));
    assert_holds(qts, "check");
    assert_holds(qts, "balance");
    qtest_quit(qts);
}

/* ---- A model of the registers ---------------------------------------------- */

#define NODES           4
#define TT_UNDEFINED    0x24            /* cp_disabled */
#define VIOLATION       FUGU_TT_PROTECTION_VIOLATION

/* What a node's registers hold, by docs/machine.md. The timer and the second
 * network's queue depend on time; the machine's own checks watch them. */
typedef struct Model {
    QTestState *qts;
    struct {
        uint32_t uac, gid, timeout, offset_high, offset_low, high_written;
        uint32_t window[FUGU_MSG_WORDS];
    } node[NODES];
} Model;

static bool within(uint32_t offset, uint32_t first, uint32_t last)
{
    return offset >= first && offset <= last;
}

/* Whether FUGU's message part has a register there, which reads 0 here. */
static bool is_absent(uint32_t page, uint32_t offset)
{
    return page == FUGU_NI_USER_BASE
           ? offset <= FUGU_U_SPACE || offset == FUGU_U_BODY_SPACE ||
             within(offset, FUGU_U_RECORD, FUGU_U_RECORD + FUGU_REC_BODY) ||
             within(offset, FUGU_U_SB_ADDR, FUGU_U_SB_OFFSET)
           : offset <= FUGU_K_SPACE || offset == FUGU_K_DIVERT ||
             within(offset, FUGU_K_HEAD, FUGU_K_HEAD + FUGU_HEAD_SOURCE) ||
             within(offset, FUGU_K_USER_OUT, FUGU_K_USER_LEN) ||
             within(offset, FUGU_K_DMA_ADDR, FUGU_K_DMA_BODY);
}

/* Whether a register of every kind is there that a load can read. */
static bool is_readable(uint32_t page, uint32_t offset)
{
    return page == FUGU_NI_USER_BASE
           ? within(offset, FUGU_U_UAC, FUGU_U_NODES) ||
             within(offset, FUGU_U_CYCLES, FUGU_U_CYCLES + 4)
           : within(offset, FUGU_K_UAC, FUGU_K_OFFSET + 4) ||
             within(offset, FUGU_K_SECOND_OUT, FUGU_K_SECOND_OUT + 0x3c) ||
             offset == FUGU_K_SECOND_SPACE ||
             within(offset, FUGU_K_SECOND_HEAD,
                    FUGU_K_SECOND_HEAD + FUGU_HEAD_BODY);
}

/* Sets *@value if the model knows what is there. */
static bool known(Model *m, unsigned node, uint32_t page, uint32_t offset,
                  uint32_t *value)
{
    bool user = page == FUGU_NI_USER_BASE;

    if (is_absent(page, offset)) {
        *value = 0;
    } else if (offset == (user ? FUGU_U_UAC : FUGU_K_UAC)) {
        *value = m->node[node].uac;
    } else if (user && offset == FUGU_U_NODE) {
        *value = node;
    } else if (user && offset == FUGU_U_NODES) {
        *value = NODES;
    } else if (user) {
        return false;
    } else if (offset == FUGU_K_GID) {
        *value = m->node[node].gid;
    } else if (offset == FUGU_K_TIMEOUT) {
        *value = m->node[node].timeout;
    } else if (offset == FUGU_K_OFFSET) {
        *value = m->node[node].offset_high;
    } else if (offset == FUGU_K_OFFSET + 4) {
        *value = m->node[node].offset_low;
    } else if (within(offset, FUGU_K_SECOND_OUT, FUGU_K_SECOND_OUT + 0x3c)) {
        *value = m->node[node].window[(offset - FUGU_K_SECOND_OUT) / 4];
    } else {
        return false;
    }
    return true;
}

static void try_load(Model *m, unsigned node, FuguMode mode, uint32_t page,
                     uint32_t offset)
{
    bool may = !(mode == USER && page == FUGU_NI_KERNEL_BASE) &&
               (is_absent(page, offset) || is_readable(page, offset));
    uint64_t value = 0;
    uint32_t should;
    int got = fugu_try_load(m->qts, node, mode, 4, page + offset, &value);

    g_test_message("load 0x%x", page + offset);
    g_assert_cmpint(got, ==, may ? FUGU_DONE : VIOLATION);
    if (may && known(m, node, page, offset, &should)) {
        g_assert_cmphex(value, ==, should);
    }
}

/* Returns what a launch of @words words must give, or FUGU_WAITS where it may
 * give that or be done. */
static int launch_result(Model *m, unsigned node, uint32_t words)
{
    return words == 0 || words > FUGU_MSG_WORDS ||
           (m->node[node].window[0] & FUGU_HDR_NODE_MASK) >= NODES
           ? VIOLATION : FUGU_WAITS;
}

/* Stores to the kernel's page, by the kernel; returns the result that is right,
 * and follows it. */
static int store_result(Model *m, unsigned node, uint32_t offset,
                        uint32_t value)
{
    if (is_absent(FUGU_NI_KERNEL_BASE, offset)) {
        return FUGU_DONE;
    }
    if (within(offset, FUGU_K_SECOND_OUT, FUGU_K_SECOND_OUT + 0x3c)) {
        m->node[node].window[(offset - FUGU_K_SECOND_OUT) / 4] = value;
        return FUGU_DONE;
    }
    switch (offset) {
    case FUGU_K_UAC:
        m->node[node].uac = value & FUGU_UAC_ALL;
        return FUGU_DONE;
    case FUGU_K_GID:
        m->node[node].gid = value & FUGU_GID_MAX;
        return FUGU_DONE;
    case FUGU_K_TIMEOUT:
        m->node[node].timeout = value;
        return FUGU_DONE;
    case FUGU_K_TIMER:
        return FUGU_DONE;
    case FUGU_K_OFFSET:
        m->node[node].high_written = value;
        return FUGU_DONE;
    case FUGU_K_OFFSET + 4:
        m->node[node].offset_high = m->node[node].high_written;
        m->node[node].offset_low = value;
        return FUGU_DONE;
    case FUGU_K_SECOND_LAUNCH:
        return launch_result(m, node, value);
    case FUGU_K_SECOND_DISPOSE:
        return present(m->qts, node) ? FUGU_DONE : FUGU_TT_BAD_DISPOSE;
    }
    return VIOLATION;
}

static void try_store(Model *m, unsigned node, FuguMode mode, uint32_t page,
                      uint32_t offset, uint32_t value)
{
    bool ignored = within(offset, FUGU_U_RECORD,
                          FUGU_U_RECORD + FUGU_REC_BODY) ||
                   within(offset, FUGU_U_SB_ADDR, FUGU_U_SB_OFFSET);
    int should = page == FUGU_NI_USER_BASE ? (ignored ? FUGU_DONE : VIOLATION)
                 : mode == USER ? VIOLATION
                 : store_result(m, node, offset, value);
    int got = fugu_try_store(m->qts, node, mode, 4, page + offset, value);

    g_test_message("store 0x%x", page + offset);
    if (should != FUGU_WAITS || got != FUGU_DONE) {
        g_assert_cmpint(got, ==, should);
    }
}

static void try_op(Model *m, unsigned node, FuguMode mode, unsigned op,
                   uint32_t mask)
{
    static const char *const ops[] = { "launch", "dispose", "beginatom",
                                       "endatom" };
    uint32_t may = mask & (mode == USER ? FUGU_UAC_USER : FUGU_UAC_ALL);
    uint32_t *uac = &m->node[node].uac;
    int should = op < 2 ? TT_UNDEFINED : FUGU_DONE;

    if (op == 2) {
        *uac |= may;
    } else if (op == 3 && mode == USER && *uac & FUGU_UAC_DISPOSE_PENDING) {
        should = FUGU_TT_DISPOSE_FAILURE;
    } else if (op == 3 && mode == USER && *uac & FUGU_UAC_ATOMICITY_EXTEND) {
        should = FUGU_TT_ATOMICITY_EXTEND;
    } else if (op == 3) {
        *uac &= ~may;
    }
    g_assert_cmpint(fugu_op(m->qts, node, mode, ops[op], mask, 0), ==, should);
}

static GRand *rng;

static bool random_bit(void)
{
    return g_rand_boolean(rng);
}

/* Returns a number from @first to @end - 1. */
static int random_range(int first, int end)
{
    return g_rand_int_range(rng, first, end);
}

/* Returns an offset of a register most often, and of any word otherwise. */
static uint32_t random_offset(void)
{
    static const uint32_t often[] = {
        FUGU_K_UAC, FUGU_K_GID, FUGU_K_TIMEOUT, FUGU_K_TIMER, FUGU_K_OFFSET,
        FUGU_K_OFFSET + 4, FUGU_K_SECOND_OUT, FUGU_K_SECOND_LAUNCH,
        FUGU_K_SECOND_DISPOSE,
    };

    return random_bit()
           ? often[random_range(0, ARRAY_SIZE(often))]
           : 4 * random_range(0, FUGU_K_SECOND_DISPOSE / 4 + 8);
}

/* Does one thing at random on a node. */
static void act(Model *m, unsigned node)
{
    FuguMode mode = random_bit() ? USER : KERNEL;
    uint32_t page = random_range(0, 3) ? FUGU_NI_KERNEL_BASE
                                                : FUGU_NI_USER_BASE;
    uint32_t value = random_bit() ? g_rand_int(rng)
                                       : random_range(0, 20);

    switch (random_range(0, 4)) {
    case 0:
        try_op(m, node, mode, random_range(0, 4), value & 31);
        break;
    case 1:
        try_load(m, node, mode, page, random_offset());
        break;
    default:
        try_store(m, node, mode, page, random_offset(), value);
        break;
    }
}

/* The machine agrees with the model after each of some actions, and what always holds
 * does, also after the machine was saved and loaded. */
static void act_at_random(unsigned seed, int actions)
{
    Model m = { .qts = fugu_start(NONE, "") };

    rng = g_rand_new_with_seed(seed);
    for (int i = 0; i < actions; i++) {
        act(&m, random_range(0, NODES));
        if (i % 8 == 0) {
            fugu_advance(m.qts, random_range(1, 400));
        }
        if (i % 100 == 0) {
            assert_holds(m.qts, "check");
        }
        if (i % 1500 == 1499) {
            m.qts = fugu_migrate(m.qts, NONE, "");
        }
    }
    fugu_advance(m.qts, ARRIVED);
    assert_holds(m.qts, "check");
    assert_holds(m.qts, "balance");
    g_rand_free(rng);
    qtest_quit(m.qts);
}

static void test_random(void)
{
    act_at_random(1, 6000);
}

static void test_random_for_long(void)
{
    act_at_random(2, 1000000);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/netif/kind", test_kind);
    qtest_add_func("fugu/netif/message", test_message);
    qtest_add_func("fugu/netif/status", test_status);
    qtest_add_func("fugu/netif/saved", test_saved);
    qtest_add_func("fugu/netif/random", test_random);
    if (g_test_slow()) {
        qtest_add_func("fugu/netif/random-for-long", test_random_for_long);
    }
    return g_test_run();
}
