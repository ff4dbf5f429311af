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

    g_assert_cmpint(send_words(qts, 0, 3, 16, 1), ==, FUGU_DONE);
    g_assert_cmpint(send_words(qts, 0, 3, 16, 2), ==, FUGU_DONE);
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

/* ---- Random accesses ------------------------------------------------------ */

/* Whether the FUGU interface's message part has a register at @offset of the
 * kernel's page, none of which is here. */
static bool is_absent(uint32_t offset)
{
    return offset <= FUGU_K_SPACE || offset == FUGU_K_DIVERT ||
           (offset >= FUGU_K_HEAD && offset < FUGU_K_HEAD + FUGU_HEAD_SIZE) ||
           (offset >= FUGU_K_USER_OUT && offset <= FUGU_K_USER_LEN) ||
           (offset >= FUGU_K_DMA_ADDR && offset <= FUGU_K_DMA_BODY);
}

/* Does one thing at random on a node: a store anywhere in the pages, an
 * operation, or a dispose. */
static void act(QTestState *qts, unsigned node)
{
    uint32_t offset = g_test_rand_int_range(0, FUGU_K_SECOND_DISPOSE / 4 + 4);
    FuguMode mode = g_test_rand_bit() ? USER : KERNEL;
    uint32_t value = g_test_rand_bit() ? g_test_rand_int()
                                       : g_test_rand_int_range(0, 20);
    static const char *const ops[] = { "launch", "dispose", "beginatom",
                                       "endatom" };
    unsigned op = g_test_rand_int_range(0, 4);
    uint64_t read;
    int result;

    offset *= 4;
    switch (g_test_rand_int_range(0, 4)) {
    case 0:
        result = fugu_op(qts, node, mode, ops[op], value & 31, 0);
        if (op < 2) {
            g_assert_cmpint(result, ==, 0x24);          /* cp_disabled */
        }
        break;
    case 1:
        fugu_try_store(qts, node, mode, 4,
                       (g_test_rand_bit() ? FUGU_NI_USER_BASE
                                          : FUGU_NI_KERNEL_BASE) + offset,
                       value);
        break;
    case 2:
        result = fugu_try_load(qts, node, KERNEL, 4, K(offset), &read);
        if (is_absent(offset)) {
            g_assert_cmpint(result, ==, FUGU_DONE);
            g_assert_cmphex(read, ==, 0);
        }
        break;
    case 3:
        fugu_try_store(qts, node, KERNEL, 4, K(FUGU_K_SECOND_OUT),
                       g_test_rand_int_range(0, 5));
        fugu_try_store(qts, node, KERNEL, 4, K(FUGU_K_SECOND_LAUNCH),
                       g_test_rand_int_range(0, 18));
        if (g_test_rand_bit()) {
            fugu_try_store(qts, node, KERNEL, 4, K(FUGU_K_SECOND_DISPOSE), 0);
        }
        break;
    }
}

/* What always holds does, whatever kernels and users do. */
static void test_random(void)
{
    QTestState *qts = fugu_start(NONE, "");

    for (int i = 0; i < 3000; i++) {
        act(qts, g_test_rand_int_range(0, 4));
        if (i % 8 == 0) {
            fugu_advance(qts, g_test_rand_int_range(1, 400));
        }
        if (i % 100 == 0) {
            assert_holds(qts, "check");
        }
    }
    fugu_advance(qts, ARRIVED);
    assert_holds(qts, "check");
    assert_holds(qts, "balance");
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/netif/kind", test_kind);
    qtest_add_func("fugu/netif/message", test_message);
    qtest_add_func("fugu/netif/status", test_status);
    qtest_add_func("fugu/netif/saved", test_saved);
    qtest_add_func("fugu/netif/random", test_random);
    return g_test_run();
}
