/*
 * qtest of SHRIMP's registers: each rule of docs/machine.md by itself
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "shrimp-qtest.h"

#define DELIBERATE      FUGU_NIPT_DELIBERATE

/* ---- Registers ------------------------------------------------------------ */

static void assert_reset(QTestState *qts)
{
    static const uint32_t zero[] = {
        FUGU_K_NIPT_PAGE, FUGU_K_NIPT_SPLIT, FUGU_K_NIPT_LOWER,
        FUGU_K_NIPT_LOWER + 4, FUGU_K_NIPT_UPPER, FUGU_K_NIPT_UPPER + 4,
        FUGU_K_NIPT_IN, FUGU_K_OUT_WORDS, FUGU_K_OUT_AWAIT, FUGU_K_IN_WORDS,
        FUGU_K_IN_ENTERED, FUGU_K_IN_LEFT, FUGU_K_DROPPED,
        FUGU_K_DROPPED_PLACE, FUGU_K_DROPPED_CRC, FUGU_K_DROPPED_PAGE,
        FUGU_K_ENGINE_LEFT,
    };

    g_assert_cmpuint(fugu_load(qts, 0, FUGU_CONTROL_BASE + FUGU_CONTROL_NETIF),
                     ==, FUGU_NETIF_SHRIMP);
    for (size_t i = 0; i < ARRAY_SIZE(zero); i++) {
        g_assert_cmphex(shrimp_kernel(qts, 1, zero[i]), ==, 0);
    }
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_OUT_THRESHOLD), ==, 768);
    g_assert_cmphex(shrimp_kernel(qts, 1, FUGU_K_ARRIVAL), ==,
                    FUGU_SHRIMP_NO_PAGE);
    g_assert_cmphex(shrimp_kernel(qts, 1, FUGU_K_ENGINE_PAGE), ==,
                    FUGU_SHRIMP_NO_PAGE);
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_MERGE), ==, 32);
    g_assert_cmphex(shrimp_pending(qts, 1), ==, 0);
    g_assert_cmphex(fugu_load(qts, 1, U(FUGU_U_SENT)), ==, 0);
    g_assert_cmphex(fugu_load(qts, 1, U(FUGU_U_CREDITED)), ==, 0);
    shrimp_assert_holds(qts);
}

/* At the start, and after a reset while all parts of node 1 are at work. */
static void test_reset(void)
{
    QTestState *qts = fugu_start(SHRIMP, "");

    assert_reset(qts);
    shrimp_map(qts, 1, 1, 2, 2);
    shrimp_part(qts, 1, 3, true, FUGU_NIPT_BLOCKED, 1, AT(4, 0));
    shrimp_in(qts, 1, 4, FUGU_NIPT_IN_MAPPED | FUGU_NIPT_IN_ARMED);
    fugu_store(qts, 1, AT(3, 0), 1);
    fugu_advance(qts, ARRIVED);
    shrimp_in(qts, 1, 4, 0);
    fugu_store(qts, 1, AT(3, 0), 1);
    fugu_advance(qts, ARRIVED);
    g_assert_cmphex(shrimp_pending(qts, 1), ==, FUGU_PEND_ARRIVAL | FUGU_PEND_DROPPED);
    fugu_store(qts, 1, K(FUGU_K_OUT_THRESHOLD), 100);
    fugu_store(qts, 1, K(FUGU_K_OUT_AWAIT), 100);
    fugu_store(qts, 1, K(FUGU_K_MERGE), 1000);
    fugu_store(qts, 1, AT(3, 0), 1);    /* is the open packet */
    shrimp_assert_command(qts, 1, AT(1, 0), 1024);
    fugu_advance(qts, 150);
    shrimp_damage(qts, 1, "crc");

    qtest_system_reset(qts);
    assert_reset(qts);
    shrimp_map(qts, 1, 1, 2, 2);
    shrimp_fill(qts, 1, AT(1, 0), 4, 7);
    shrimp_assert_command(qts, 1, AT(1, 0), 4);
    fugu_advance(qts, ARRIVED);         /* the link is free, as all parts are */
    shrimp_assert_filled(qts, 2, AT(2, 0), 4, 7);
    /* Nothing of before the reset is left that could happen later. */
    fugu_advance(qts, 10 * ARRIVED);
    g_assert_cmpuint(fugu_load(qts, 1, U(FUGU_U_SENT)), ==, 1);
    g_assert_cmpuint(shrimp_kernel(qts, 2, FUGU_K_IN_LEFT), ==, 1);
    g_assert_cmphex(shrimp_pending(qts, 1), ==, 0);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

static void test_entry(void)
{
    QTestState *qts = fugu_start(SHRIMP ",node-ram=65536", "");
    uint32_t lower = K(FUGU_K_NIPT_LOWER);

    shrimp_split(qts, 0, 15, 8);
    g_assert_cmpint(shrimp_part(qts, 0, 15, false, DELIBERATE, 3, AT(7, 0xff8)),
                    ==, FUGU_DONE);
    shrimp_in(qts, 0, 15, ~0);
    /* Bits without a meaning are not stored. */
    fugu_store64(qts, 0, K(FUGU_K_NIPT_UPPER), 0xffff0002ffffffffull);

    g_assert_cmphex(fugu_load64(qts, 0, lower), ==,
                    (3ull << 62) | 3ull << 32 | AT(7, 0xff8));
    g_assert_cmphex(fugu_load64(qts, 0, K(FUGU_K_NIPT_UPPER)), ==,
                    (3ull << 62) | 2ull << 32 | 0xfffffff8);
    g_assert_cmphex(shrimp_kernel(qts, 0, FUGU_K_NIPT_SPLIT), ==, 8);
    g_assert_cmphex(shrimp_kernel(qts, 0, FUGU_K_NIPT_IN), ==, 3);

    /* A half has no effect until the other one comes. */
    fugu_store(qts, 0, lower, 3u << 30 | 1);
    g_assert_cmphex(fugu_load(qts, 0, lower), ==, 3u << 30 | 3);
    qts = fugu_migrate(qts, SHRIMP ",node-ram=65536", "");
    fugu_store(qts, 0, lower + 4, AT(1, 0));
    g_assert_cmphex(fugu_load64(qts, 0, lower), ==,
                    (3ull << 62) | 1ull << 32 | AT(1, 0));
    /* Nothing has no place. */
    fugu_store64(qts, 0, lower, 0x0000000312345678ull);
    g_assert_cmphex(fugu_load64(qts, 0, lower), ==, 0);

    /* Each page has its own entry. */
    fugu_store(qts, 0, K(FUGU_K_NIPT_PAGE), 14);
    g_assert_cmphex(fugu_load64(qts, 0, K(FUGU_K_NIPT_UPPER)), ==, 0);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

static void test_refused(void)
{
    QTestState *qts = fugu_start(SHRIMP ",node-ram=65536", "");
    static const struct { uint32_t offset, value; } bad[] = {
        { FUGU_K_NIPT_PAGE, 16 },
        { FUGU_K_NIPT_PAGE, ~0 },
        { FUGU_K_NIPT_SPLIT, 4 },
        { FUGU_K_NIPT_SPLIT, 4096 },
        { FUGU_K_ARRIVAL, 16 },
        { FUGU_K_OUT_THRESHOLD, 0 },
        { FUGU_K_OUT_THRESHOLD, 1025 },
        { FUGU_K_OUT_AWAIT, 1025 },
        { FUGU_K_OUT_WORDS, 0 },
        { FUGU_K_IN_WORDS, 0 },
        { FUGU_K_IN_ENTERED, 0 },
        { FUGU_K_IN_LEFT, 0 },
        { FUGU_K_DROPPED_PLACE, 0 },
        { FUGU_K_DROPPED_CRC, 0 },
        { FUGU_K_DROPPED_PAGE, 0 },
        { FUGU_K_ENGINE_PAGE, 0 },
        { FUGU_K_ENGINE_LEFT, 0 },
        { FUGU_K_MERGE, 0 },
        { FUGU_K_MERGE, FUGU_SHRIMP_MERGE_MAX + 1 },
        { FUGU_K_MERGE + 4, 0 },
    };

    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 4, K(bad[i].offset),
                                       bad[i].value), ==, VIOLATION);
    }
    g_assert_cmpint(shrimp_part(qts, 0, 1, true, FUGU_NIPT_SINGLE, 4, AT(0, 0)),
                    ==, VIOLATION);
    g_assert_cmpint(shrimp_part(qts, 0, 1, true, DELIBERATE, 4, AT(0, 0)), ==,
                    VIOLATION);
    g_assert_cmphex(fugu_load64(qts, 0, K(FUGU_K_NIPT_UPPER)), ==, 0);
    g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 8, K(FUGU_K_NIPT_PAGE), 0),
                    ==, VIOLATION);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 4, K(FUGU_K_NIPT_PAGE), 0), ==,
                    VIOLATION);
    g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 4, U(FUGU_U_SENT), 0), ==,
                    VIOLATION);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* What FUGU's message part has and this one has not. */
static void test_absent(void)
{
    QTestState *qts = fugu_start(SHRIMP, "");
    uint64_t value = 1;

    fugu_store(qts, 0, K(FUGU_K_DIVERT), 1);
    g_assert_cmphex(shrimp_kernel(qts, 0, FUGU_K_DIVERT), ==, 0);
    g_assert_cmpint(fugu_try_load(qts, 0, USER, 4, U(FUGU_U_RECORD), &value),
                    ==, FUGU_DONE);
    g_assert_cmphex(value, ==, 0);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 4, U(FUGU_U_OUT), 0), ==,
                    VIOLATION);
    g_assert_cmpint(fugu_op(qts, 0, USER, "launch", 1, 0), ==, 0x24);
    g_assert_cmpint(fugu_op(qts, 0, KERNEL, "dispose", 0, 0), ==, 0x24);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/shrimp-registers/reset", test_reset);
    qtest_add_func("fugu/shrimp-registers/entry", test_entry);
    qtest_add_func("fugu/shrimp-registers/refused", test_refused);
    qtest_add_func("fugu/shrimp-registers/absent", test_absent);
    return g_test_run();
}
