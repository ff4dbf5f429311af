/*
 * qtest of the cycle timer (docs/machine.md, "Cycle timer")
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "../common/fugu-qtest.h"

#define COMPARE         (FUGU_TIMER_BASE + FUGU_TIMER_COMPARE)
#define CONTROL         (FUGU_TIMER_BASE + FUGU_TIMER_CONTROL)
#define STATUS          (FUGU_TIMER_BASE + FUGU_TIMER_STATUS)
#define NOW             (FUGU_TIMER_BASE + FUGU_TIMER_NOW)
#define OFFSET          (FUGU_NI_KERNEL_BASE + FUGU_K_OFFSET)

static void assert_reached(QTestState *qts, unsigned node, bool reached)
{
    g_assert_cmpuint(fugu_load(qts, node, STATUS), ==, reached);
    g_assert_cmphex(fugu_irq(qts, node), ==,
                    reached ? FUGU_IRQ_BIT(FUGU_IRQ_TIMER) : 0);
}

static void start_timer(QTestState *qts, unsigned node, uint64_t compare)
{
    fugu_store64(qts, node, COMPARE, compare);
    fugu_store(qts, node, CONTROL, 1);
}

static void test_reset(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    g_assert_cmpuint(fugu_load64(qts, 0, COMPARE), ==, 0);
    g_assert_cmpuint(fugu_load(qts, 0, CONTROL), ==, 0);
    g_assert_cmpuint(fugu_load64(qts, 0, NOW), ==, 0);
    assert_reached(qts, 0, false);

    start_timer(qts, 0, 500);
    fugu_store(qts, 0, COMPARE, 7);
    qtest_system_reset(qts);
    g_assert_cmpuint(fugu_load64(qts, 0, COMPARE), ==, 0);
    g_assert_cmpuint(fugu_load(qts, 0, CONTROL), ==, 0);
    fugu_advance(qts, 1000);
    assert_reached(qts, 0, false);
    /* The reset has dropped the high word that was written before. */
    fugu_store(qts, 0, COMPARE + 4, 9);
    g_assert_cmpuint(fugu_load64(qts, 0, COMPARE), ==, 9);
    qtest_quit(qts);
}

static void test_compare(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    start_timer(qts, 1, 1000);
    fugu_advance(qts, 999);
    assert_reached(qts, 1, false);
    fugu_advance(qts, 2);
    assert_reached(qts, 1, true);
    assert_reached(qts, 0, false);

    /* The interrupt goes down with a later compare, and comes up again. */
    fugu_store64(qts, 1, COMPARE, 1002);
    assert_reached(qts, 1, false);
    fugu_store64(qts, 1, COMPARE, 1001);
    assert_reached(qts, 1, true);

    /* The interrupt goes when the timer is disabled, and comes back. Unused
     * bits are 0. */
    fugu_store(qts, 1, CONTROL, ~1u);
    assert_reached(qts, 1, false);
    fugu_store(qts, 1, CONTROL, ~0u);
    g_assert_cmpuint(fugu_load(qts, 1, CONTROL), ==, 1);
    assert_reached(qts, 1, true);

    /* A time that the machine never reaches. */
    fugu_store64(qts, 1, COMPARE, UINT64_MAX);
    fugu_advance(qts, 100000);
    assert_reached(qts, 1, false);
    qtest_quit(qts);
}

static void test_halves(void)
{
    QTestState *qts = fugu_start("nodes=1", "");
    uint32_t low;

    start_timer(qts, 0, 1ull << 40);
    fugu_store(qts, 0, COMPARE, 0);
    fugu_advance(qts, 100);
    g_assert_cmphex(fugu_load64(qts, 0, COMPARE), ==, 1ull << 40);
    fugu_store(qts, 0, COMPARE + 4, 100);
    g_assert_cmphex(fugu_load64(qts, 0, COMPARE), ==, 100);
    assert_reached(qts, 0, true);

    fugu_store64(qts, 0, COMPARE, 0x123456789abcdef0);
    g_assert_cmphex(fugu_load(qts, 0, COMPARE), ==, 0x12345678);
    g_assert_cmphex(fugu_load(qts, 0, COMPARE + 4), ==, 0x9abcdef0);

    /* A load of the high word latches the low one; a debugger's does not. */
    fugu_store64(qts, 0, OFFSET, 0xfffffff0);
    g_assert_cmphex(fugu_load(qts, 0, NOW), ==, 1);
    fugu_advance(qts, 50);
    g_assert_cmphex(qtest_readl(qts, NOW), ==, 1);
    low = fugu_load(qts, 0, NOW + 4);
    g_assert_cmphex(low, ==, 0xfffffff0u + 100);
    g_assert_cmphex(fugu_load64(qts, 0, NOW), ==, 0xfffffff0 + 150ull);
    qtest_quit(qts);
}

static void test_offset(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    start_timer(qts, 0, 1000);
    fugu_advance(qts, 100);
    fugu_store64(qts, 0, OFFSET, 899);
    g_assert_cmpuint(fugu_load64(qts, 0, NOW), ==, 999);
    assert_reached(qts, 0, false);
    fugu_store64(qts, 0, OFFSET, 900);
    assert_reached(qts, 0, true);
    fugu_store64(qts, 0, OFFSET, 500);
    assert_reached(qts, 0, false);
    fugu_advance(qts, 401);
    assert_reached(qts, 0, true);
    qtest_quit(qts);
}

/* NOW before cycle 0 is a large number: compare is reached until NOW is 0. */
static void test_negative_offset(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    fugu_store64(qts, 0, OFFSET, -1000);
    start_timer(qts, 0, 100);
    assert_reached(qts, 0, true);
    fugu_advance(qts, 999);
    assert_reached(qts, 0, true);
    fugu_advance(qts, 2);
    g_assert_cmpuint(fugu_load64(qts, 0, NOW), ==, 1);
    assert_reached(qts, 0, false);
    fugu_advance(qts, 100);
    assert_reached(qts, 0, true);

    /* A compare of 0 is reached at all times. */
    fugu_store64(qts, 0, COMPARE, 0);
    fugu_store64(qts, 0, OFFSET, -2000);
    assert_reached(qts, 0, true);
    fugu_advance(qts, 2000);
    assert_reached(qts, 0, true);
    qtest_quit(qts);
}

static void test_bad_access(void)
{
    QTestState *qts = fugu_start("nodes=1", "");
    uint64_t value;

    fugu_assert_bad(qts, 0, FUGU_TIMER_BASE + 0x18, 4);
    fugu_assert_bad(qts, 0, FUGU_TIMER_BASE + 0xff8, 8);
    fugu_assert_bad(qts, 0, COMPARE, 1);
    fugu_assert_bad(qts, 0, CONTROL, 2);
    /* An std that acted as two words would have enabled the timer. */
    fugu_assert_bad(qts, 0, CONTROL, 8);
    assert_reached(qts, 0, false);

    /* NOW and STATUS cannot be written. */
    fugu_store64(qts, 0, NOW, 77);
    fugu_store(qts, 0, STATUS, 1);
    g_assert_cmpuint(fugu_load64(qts, 0, NOW), ==, 0);
    assert_reached(qts, 0, false);

    /* The MMU protects the page, so the device allows user accesses. */
    g_assert_cmpint(fugu_try_load(qts, 0, USER, 8, NOW, &value), ==,
                    FUGU_DONE);
    qtest_quit(qts);
}

static void test_migration(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    start_timer(qts, 1, 1000);
    fugu_store(qts, 1, COMPARE, 5);
    fugu_advance(qts, 600);
    qts = fugu_migrate(qts, "nodes=2", "");
    g_assert_cmpuint(fugu_load64(qts, 1, NOW), ==, 600);
    g_assert_cmpuint(fugu_load64(qts, 1, COMPARE), ==, 1000);
    assert_reached(qts, 1, false);
    fugu_advance(qts, 401);
    assert_reached(qts, 1, true);
    fugu_store(qts, 1, COMPARE + 4, 1);
    g_assert_cmphex(fugu_load64(qts, 1, COMPARE), ==, 0x500000001);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/timer/reset", test_reset);
    qtest_add_func("fugu/timer/compare", test_compare);
    qtest_add_func("fugu/timer/halves", test_halves);
    qtest_add_func("fugu/timer/offset", test_offset);
    qtest_add_func("fugu/timer/negative-offset", test_negative_offset);
    qtest_add_func("fugu/timer/bad-access", test_bad_access);
    qtest_add_func("fugu/timer/migration", test_migration);
    return g_test_run();
}
