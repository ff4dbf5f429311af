/*
 * qtest of the interface between node, mesh and a kind of network interface:
 * a second kind, hw/debug/test-ni.c, takes the place of the FUGU one
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qobject/qdict.h"
#include "../common/fugu-qtest.h"

#define TEST_NI "network-interface=test-ni,nodes=4,mesh=2x2"

/* hw/debug/test-ni.c */
#define KIND    0x7e57
#define DEST    (FUGU_NI_USER_BASE + 0)
#define SEND    (FUGU_NI_USER_BASE + 4)
#define COUNT   (FUGU_NI_USER_BASE + 8)
#define RECEIVE (FUGU_NI_USER_BASE + 12)

/* Long enough for any message to arrive. */
#define ARRIVED 1000

static uint32_t kind(QTestState *qts)
{
    return fugu_load(qts, 0, FUGU_CONTROL_BASE + FUGU_CONTROL_NETIF);
}

static void test_kind(void)
{
    QTestState *fugu = fugu_start("nodes=1", "");
    QTestState *test = fugu_start(TEST_NI, "");

    g_assert_cmpuint(kind(fugu), ==, FUGU_NETIF_FUGU);
    g_assert_cmpuint(kind(test), ==, KIND);
    qtest_quit(fugu);
    qtest_quit(test);
}

static void send_word(QTestState *qts, unsigned from, unsigned to,
                      uint32_t word)
{
    fugu_store(qts, from, DEST, to);
    fugu_store(qts, from, SEND, word);
}

static void assert_received(QTestState *qts, unsigned node, uint32_t word)
{
    g_assert_cmpuint(fugu_load(qts, node, COUNT), ==, 1);
    g_assert_cmphex(fugu_irq(qts, node), ==, FUGU_IRQ_BIT(FUGU_IRQ_MESSAGE));
    g_assert_cmphex(fugu_load(qts, node, RECEIVE), ==, word);
    g_assert_cmphex(fugu_irq(qts, node), ==, 0);
}

static void test_message(void)
{
    QTestState *qts = fugu_start(TEST_NI, "");

    send_word(qts, 0, 3, 0xcafe);
    send_word(qts, 1, 2, 0xbeef);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(fugu_load(qts, 0, COUNT), ==, 0);
    g_assert_cmpuint(fugu_load(qts, 1, COUNT), ==, 0);
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
    QTestState *qts = fugu_start(TEST_NI, "");
    g_autofree char *state = NULL, *flight = NULL, *queue = NULL;

    send_word(qts, 0, 3, 0xcafe);
    g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 4, SEND, 1), ==,
                    FUGU_WAITS);
    qtest_qmp_assert_success(qts, "{'execute': 'stop'}");
    state = property(qts, "/machine/node[0]", "state");
    g_assert_nonnull(strstr(state, "waits for space in the network"));

    flight = property(qts, "/machine/rounds", "flight");
    g_assert_nonnull(strstr(flight, "\"where\": \"sent\""));
    fugu_advance(qts, ARRIVED);
    queue = property(qts, "/machine/rounds", "flight");
    g_assert_nonnull(strstr(queue, "\"where\": \"queue\""));
    g_assert_nonnull(strstr(queue, "\"to\": 3"));

    /* The credit has come back. */
    g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 4, SEND, 1), ==, FUGU_DONE);
    qtest_quit(qts);
}

static void test_saved(void)
{
    QTestState *qts = fugu_start(TEST_NI, "");

    send_word(qts, 1, 2, 1);
    fugu_advance(qts, ARRIVED);
    send_word(qts, 0, 3, 2);
    fugu_advance(qts, 1);
    send_word(qts, 3, 0, 3);

    /* One message is in a queue, one in flight, one not yet routed. */
    qts = fugu_migrate(qts, TEST_NI, "");
    assert_received(qts, 2, 1);
    g_assert_cmpuint(fugu_load(qts, 3, COUNT), ==, 0);
    g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 4, SEND, 1), ==,
                    FUGU_WAITS);
    fugu_advance(qts, ARRIVED);
    assert_received(qts, 3, 2);
    assert_received(qts, 0, 3);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/netif/kind", test_kind);
    qtest_add_func("fugu/netif/message", test_message);
    qtest_add_func("fugu/netif/status", test_status);
    qtest_add_func("fugu/netif/saved", test_saved);
    return g_test_run();
}
