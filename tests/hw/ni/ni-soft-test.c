/*
 * qtest of the network interface: what is missing with soft atomicity
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "ni-qtest.h"

#define SOFT            "nodes=2,atomicity=soft"
#define CP_DISABLED     0x24
#define PARAMETER       (FUGU_PARAM_BASE + FUGU_PARAM_ATOMICITY)

static void test_parameter(void)
{
    static const struct { const char *options; uint32_t value; } rows[] = {
        { "nodes=2", FUGU_ATOMICITY_HARD },
        { "nodes=2,atomicity=hard", FUGU_ATOMICITY_HARD },
        { SOFT, FUGU_ATOMICITY_SOFT },
    };

    for (int i = 0; i < ARRAY_SIZE(rows); i++) {
        QTestState *qts = fugu_start(rows[i].options, "");

        g_assert_cmpuint(load(qts, 0, PARAMETER), ==, rows[i].value);
        g_assert_cmpuint(load(qts, 1, PARAMETER), ==, rows[i].value);
        qtest_quit(qts);
    }
}

/* There is no timer. UAC holds what was stored there. */
static void assert_registers(QTestState *qts, unsigned node, uint32_t uac)
{
    g_assert_cmphex(load(qts, node, U(UAC)), ==, uac);
    g_assert_cmphex(load(qts, node, K(UAC)), ==, uac);
    g_assert_cmpuint(load(qts, node, K(TIMEOUT)), ==, 0);
    g_assert_cmpuint(load(qts, node, K(TIMER)), ==, 0);
}

static void test_registers(void)
{
    QTestState *qts = fugu_start(SOFT, "");

    store(qts, 1, K(TIMEOUT), 500);
    assert_registers(qts, 1, 0);
    store(qts, 1, K(UAC), ~0u);
    store(qts, 1, K(TIMEOUT), 1);
    store(qts, 1, K(TIMER), 3);
    assert_registers(qts, 1, FUGU_UAC_ALL);
    assert_irq(qts, 1, 0);
    fugu_advance(qts, LONG_TIME);
    assert_registers(qts, 1, FUGU_UAC_ALL);
    assert_irq(qts, 1, 0);

    /* The user may not store there, as with hard atomicity. */
    g_assert_cmphex(fugu_try_store(qts, 1, USER, 4, K(UAC), 0), ==, VIOLATION);
    g_assert_cmphex(fugu_try_store(qts, 1, KERNEL, 4, U(UAC), 0), ==,
                    VIOLATION);
    /* The other operations exist. */
    store(qts, 1, K(GID), 7);
    store(qts, 1, K(DIVERT), 1);
    g_assert_cmpuint(load(qts, 1, K(GID)), ==, 7);
    g_assert_cmpuint(load(qts, 1, K(DIVERT)), ==, 1);
    qtest_quit(qts);
}

static void test_operations(void)
{
    static const FuguMode modes[] = { USER, KERNEL };
    QTestState *qts = fugu_start(SOFT, "");

    for (int i = 0; i < ARRAY_SIZE(modes); i++) {
        for (uint32_t mask = 0; mask <= FUGU_UAC_ALL; mask++) {
            g_assert_cmphex(fugu_op(qts, 0, modes[i], "beginatom", mask, 0),
                            ==, CP_DISABLED);
            g_assert_cmphex(fugu_op(qts, 0, modes[i], "endatom", mask, 0),
                            ==, CP_DISABLED);
        }
        assert_registers(qts, 0, 0);
    }
    qtest_quit(qts);
}

static int storeback(QTestState *qts, FuguMode mode)
{
    return fugu_try_store(qts, 1, mode, 4, U(SB_COUNT), 0);
}

/* Checks what the user of node 1 can do with the head. The head stays. */
static void assert_access(QTestState *qts, int storeback_is, int dispose_is)
{
    g_assert_cmphex(storeback(qts, USER), ==, storeback_is);
    g_assert_cmphex(dispose(qts, 1, USER), ==, dispose_is);
    g_assert_cmpint(storeback(qts, KERNEL), ==, FUGU_DONE);
}

/* Node 1, with GID 4, has this message. The kernel gets an interrupt for any
 * owner. */
static QTestState *start_with(uint32_t gid)
{
    QTestState *qts = fugu_start(SOFT, "");

    store(qts, 1, K(GID), 4);
    deliver(qts, KERNEL, FUGU_HDR_OWN_GID | GID(gid), 3);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    store(qts, 1, K(UAC), FUGU_UAC_ALL);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    g_assert_cmphex(load(qts, 1, HEAD(GID)), ==, gid);
    return qts;
}

/* Divert-mode hides any head from the user, and changes no interrupt. */
static void check_divert(QTestState *qts)
{
    store(qts, 1, K(DIVERT), 1);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    assert_zeros(qts, 1, U(RECORD), FUGU_REC_SIZE);
    assert_access(qts, FUGU_TT_STOREBACK_EXTEND, FUGU_TT_DISPOSE_EXTEND);
    store(qts, 1, K(DIVERT), 0);
}

static void test_users(void)
{
    QTestState *qts = start_with(4);

    check_divert(qts);
    assert_available(qts, 1, true);
    g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, 3);
    g_assert_cmphex(load(qts, 1, RECORD(HEADER)), ==, GID(4));
    g_assert_cmpint(storeback(qts, USER), ==, FUGU_DONE);
    assert_registers(qts, 1, FUGU_UAC_ALL);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    assert_registers(qts, 1, FUGU_UAC_ALL & ~FUGU_UAC_DISPOSE_PENDING);
    assert_irq(qts, 1, 0);
    g_assert_cmphex(dispose(qts, 1, USER), ==, FUGU_TT_BAD_DISPOSE);
    qtest_quit(qts);
}

static void test_others(void)
{
    QTestState *qts = start_with(5);

    check_divert(qts);
    assert_zeros(qts, 1, U(RECORD), FUGU_REC_SIZE);
    assert_access(qts, FUGU_TT_BAD_DISPOSE, FUGU_TT_BAD_DISPOSE);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    store(qts, 1, K(GID), 5);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    assert_available(qts, 1, true);
    store(qts, 1, K(GID), 4);
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    assert_irq(qts, 1, 0);
    assert_registers(qts, 1, FUGU_UAC_ALL);
    qtest_quit(qts);
}

static void test_kernel_message(void)
{
    QTestState *qts = fugu_start(SOFT, "");

    deliver(qts, KERNEL, FUGU_HDR_KERNEL, 2);
    for (unsigned divert = 0; divert <= 1; divert++) {
        store(qts, 1, K(DIVERT), divert);
        assert_irq(qts, 1, FUGU_PEND_MISMATCH);
        assert_zeros(qts, 1, U(RECORD), FUGU_REC_SIZE);
        g_assert_cmphex(dispose(qts, 1, USER), ==, divert
                        ? FUGU_TT_DISPOSE_EXTEND : FUGU_TT_BAD_DISPOSE);
        g_assert_cmphex(storeback(qts, USER), ==, divert
                        ? FUGU_TT_STOREBACK_EXTEND : FUGU_TT_BAD_DISPOSE);
    }
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    assert_irq(qts, 1, 0);
    qtest_quit(qts);
}

/* The hardware fills in the sender's GID, as with hard atomicity. */
static void test_stamp(void)
{
    QTestState *qts = fugu_start(SOFT, "");

    store(qts, 0, K(GID), 7);
    store(qts, 1, K(GID), 7);
    deliver(qts, USER, GID(9), 2);
    g_assert_cmpuint(load(qts, 1, HEAD(GID)), ==, 7);
    send_message(qts, 0, KERNEL, FUGU_HDR_OWN_GID | GID(9) | 1, 2);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    fugu_advance(qts, LONG_TIME);
    g_assert_cmpuint(load(qts, 1, HEAD(GID)), ==, 9);
    qtest_quit(qts);
}

static void test_migrate(void)
{
    QTestState *qts = fugu_start(SOFT, "");

    store(qts, 1, K(GID), 7);
    store(qts, 1, K(UAC), FUGU_UAC_TIMER_FORCE);
    deliver(qts, KERNEL, FUGU_HDR_OWN_GID | GID(7), 2);
    qts = fugu_migrate(qts, SOFT, "");
    g_assert_cmpuint(load(qts, 1, PARAMETER), ==, FUGU_ATOMICITY_SOFT);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    assert_available(qts, 1, true);
    assert_registers(qts, 1, FUGU_UAC_TIMER_FORCE);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/ni-soft/parameter", test_parameter);
    qtest_add_func("fugu/ni-soft/registers", test_registers);
    qtest_add_func("fugu/ni-soft/operations", test_operations);
    qtest_add_func("fugu/ni-soft/users", test_users);
    qtest_add_func("fugu/ni-soft/others", test_others);
    qtest_add_func("fugu/ni-soft/kernel-message", test_kernel_message);
    qtest_add_func("fugu/ni-soft/stamp", test_stamp);
    qtest_add_func("fugu/ni-soft/migrate", test_migrate);
    return g_test_run();
}
