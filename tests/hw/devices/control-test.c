/*
 * qtest of node control (docs/machine.md, "Node control")
 *
 * Tests that run programs check the machine's exit status.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "../common/fugu-qtest.h"

#define EXIT            (FUGU_CONTROL_BASE + FUGU_CONTROL_EXIT)
#define STOP            (FUGU_CONTROL_BASE + FUGU_CONTROL_STOP)
#define FETCH_MISS      (FUGU_CONTROL_BASE + FUGU_CONTROL_FETCH_MISS)
#define DATA_MISS       (FUGU_CONTROL_BASE + FUGU_CONTROL_DATA_MISS)

/* FuguNodeState in hw/node/node.h */
enum { RUNS, WAITS, ENDED };

static void assert_node(QTestState *qts, unsigned node, int state,
                        unsigned status)
{
    FuguEnd end = fugu_end(qts, node);

    g_assert_cmpint(end.state, ==, state);
    g_assert_cmpuint(end.status, ==, status);
}

static void assert_stop(QTestState *qts, bool stopping, unsigned status)
{
    FuguEnd end = fugu_end(qts, 0);

    g_assert_cmpint(end.stopping, ==, stopping);
    g_assert_cmpuint(end.stop_status, ==, status);
}

static void test_exit(void)
{
    QTestState *qts = fugu_start("nodes=3", "");

    assert_node(qts, 1, RUNS, 0);
    fugu_store(qts, 1, EXIT, 5);
    assert_node(qts, 1, ENDED, 5);
    assert_node(qts, 0, RUNS, 0);
    assert_stop(qts, false, 0);
    /* Statuses from 120 on are reserved for the machine. */
    fugu_store(qts, 2, EXIT, 124);
    assert_node(qts, 2, ENDED, 119);
    fugu_store(qts, 0, EXIT, 0xffffffff);
    assert_node(qts, 0, ENDED, 119);

    qtest_system_reset(qts);
    assert_node(qts, 1, RUNS, 0);
    qtest_quit(qts);
}

/* A node that has ended still receives. */
static void test_exit_receives(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    fugu_store(qts, 1, EXIT, 0);
    fugu_store(qts, 0, FUGU_NI_KERNEL_BASE + FUGU_K_OUT, 1);
    g_assert_cmpint(fugu_op(qts, 0, KERNEL, "launch", 1, 0), ==, FUGU_DONE);
    fugu_advance(qts, 1000);
    g_assert_cmpuint(fugu_load(qts, 1, FUGU_NI_USER_BASE + FUGU_U_RECORD +
                               FUGU_REC_AVAILABLE), ==, 1);
    assert_node(qts, 1, ENDED, 0);
    qtest_quit(qts);
}

static void test_stop(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    assert_stop(qts, false, 0);
    fugu_store(qts, 1, STOP, 3);
    assert_stop(qts, true, 3);
    /* The machine runs to the round's end, and the first status counts. */
    assert_node(qts, 1, RUNS, 0);
    fugu_store(qts, 0, STOP, 4);
    assert_stop(qts, true, 3);

    qtest_system_reset(qts);
    assert_stop(qts, false, 0);
    fugu_store(qts, 0, STOP, 120);
    assert_stop(qts, true, 119);
    qtest_quit(qts);
}

static void test_misses(gconstpointer cache)
{
    QTestState *qts = fugu_start(cache, "");

    /* No processor runs here, so guest programs test the counting. */
    g_assert_cmpuint(fugu_load(qts, 0, FETCH_MISS), ==, 0);
    g_assert_cmpuint(fugu_load(qts, 0, DATA_MISS), ==, 0);
    qtest_quit(qts);
}

static void test_bad_access(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    fugu_assert_bad(qts, 0, EXIT, 1);
    fugu_assert_bad(qts, 0, EXIT, 8);
    fugu_assert_bad(qts, 0, FUGU_CONTROL_BASE + 0x08, 4);
    fugu_assert_bad(qts, 0, FETCH_MISS, 4);
    fugu_assert_bad(qts, 0, DATA_MISS, 4);
    fugu_assert_bad(qts, 0, FETCH_MISS, 8);
    fugu_assert_bad(qts, 0, FUGU_CONTROL_BASE + FUGU_CONTROL_NETIF, 8);
    g_assert_cmpuint(fugu_load(qts, 0, EXIT), ==, 0);
    g_assert_cmpuint(fugu_load(qts, 0, STOP), ==, 0);
    assert_node(qts, 0, RUNS, 0);
    assert_stop(qts, false, 0);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/control/exit", test_exit);
    qtest_add_func("fugu/control/exit-receives", test_exit_receives);
    qtest_add_func("fugu/control/stop", test_stop);
    qtest_add_data_func("fugu/control/misses/cache", "nodes=1", test_misses);
    qtest_add_data_func("fugu/control/misses/no-cache", "nodes=1,cache=off",
                        test_misses);
    qtest_add_func("fugu/control/bad-access", test_bad_access);
    return g_test_run();
}
