/*
 * qtest of the network interface: registers and output windows
 *
 * Guest programs test what needs a processor: the mode in which the atomicity
 * timer counts, addresses that the MMU translates, and waiting.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "ni-qtest.h"

/* ---- Registers ---------------------------------------------------------- */

static void assert_after_reset(QTestState *qts, unsigned node)
{
    assert_zeros(qts, node, U(OUT), 4 * FUGU_MSG_WORDS);
    g_assert_cmpuint(load(qts, node, U(DESC_LEN)), ==, 0);
    g_assert_cmpuint(load(qts, node, U(SPACE)), ==, FUGU_MSG_WORDS);
    g_assert_cmphex(load(qts, node, U(UAC)), ==, 0);
    g_assert_cmpuint(load(qts, node, U(NODE)), ==, node);
    g_assert_cmpuint(load(qts, node, U(NODES)), ==, 2);
    g_assert_cmpuint(load(qts, node, U(BODY_SPACE)), ==, FUGU_MSG_WORDS);
    g_assert_cmpuint(fugu_load64(qts, node, U(CYCLES)), ==, 0);
    assert_zeros(qts, node, U(RECORD), FUGU_REC_SIZE);
    assert_zeros(qts, node, U(SB_ADDR), 8);

    assert_zeros(qts, node, K(OUT), 4 * FUGU_MSG_WORDS);
    g_assert_cmpuint(load(qts, node, K(DESC_LEN)), ==, 0);
    g_assert_cmpuint(load(qts, node, K(SPACE)), ==, FUGU_MSG_WORDS);
    g_assert_cmphex(load(qts, node, K(UAC)), ==, 0);
    g_assert_cmpuint(load(qts, node, K(GID)), ==, 0);
    g_assert_cmpuint(load(qts, node, K(DIVERT)), ==, 0);
    g_assert_cmpuint(load(qts, node, K(TIMEOUT)), ==, 0);
    g_assert_cmpuint(load(qts, node, K(TIMER)), ==, 0);
    g_assert_cmpuint(fugu_load64(qts, node, K(OFFSET)), ==, 0);
    assert_zeros(qts, node, K(HEAD), FUGU_HEAD_SIZE);
    assert_zeros(qts, node, K(USER_OUT), 4 * FUGU_MSG_WORDS);
    g_assert_cmpuint(load(qts, node, K(USER_LEN)), ==, 0);
    assert_zeros(qts, node, K(DMA_ADDR), 12);
    assert_zeros(qts, node, K(SECOND_OUT), 4 * FUGU_MSG_WORDS);
    g_assert_cmpuint(load(qts, node, K(SECOND_SPACE)), ==, FUGU_MSG_WORDS);
    assert_zeros(qts, node, K(SECOND_HEAD), FUGU_HEAD_BODY + 4);
    assert_irq(qts, node, 0);
}

static void test_reset(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    assert_after_reset(qts, 0);
    assert_after_reset(qts, 1);

    /* State everywhere: in registers, in queues and in flight. */
    store(qts, 1, K(UAC), FUGU_UAC_ALL);
    store(qts, 1, K(GID), 5);
    store(qts, 1, K(DIVERT), 1);
    store(qts, 1, K(TIMEOUT), 9);
    store(qts, 1, K(DMA_ARM), 1);
    store(qts, 1, K(DMA_BODY), FUGU_RAM_BASE);
    store(qts, 1, U(SB_OFFSET), 8);
    fugu_store64(qts, 1, K(OFFSET), -5);
    store(qts, 1, K(SECOND_OUT) + 4, 8);
    describe(qts, 1, U(OUT), 0, 5);
    describe(qts, 1, K(OUT), 0, 6);
    deliver(qts, KERNEL, FUGU_HDR_KERNEL, 16);
    send_message(qts, 0, KERNEL, 1, 16);
    fugu_advance(qts, 10);
    qtest_system_reset(qts);
    fugu_advance(qts, LONG_TIME);
    fugu_store64(qts, 0, K(OFFSET), -fugu_time(qts, 0));
    fugu_store64(qts, 1, K(OFFSET), -fugu_time(qts, 1));
    g_assert_cmpuint(fugu_load64(qts, 1, U(CYCLES)), ==, 0);
    qtest_system_reset(qts);
    assert_after_reset(qts, 0);
    assert_after_reset(qts, 1);
    qtest_quit(qts);
}

static void test_kernel_registers(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    /* Unused bits read as 0. */
    store(qts, 0, K(UAC), ~0u);
    g_assert_cmphex(load(qts, 0, K(UAC)), ==, FUGU_UAC_ALL);
    g_assert_cmphex(load(qts, 0, U(UAC)), ==, FUGU_UAC_ALL);
    store(qts, 0, K(GID), ~0u);
    g_assert_cmphex(load(qts, 0, K(GID)), ==, FUGU_GID_MAX);
    store(qts, 0, K(DIVERT), ~0u);
    g_assert_cmphex(load(qts, 0, K(DIVERT)), ==, 1);
    store(qts, 0, K(DIVERT), ~1u);
    g_assert_cmphex(load(qts, 0, K(DIVERT)), ==, 0);
    store(qts, 0, K(DMA_ADDR), ~0u);
    g_assert_cmphex(load(qts, 0, K(DMA_ADDR)), ==, ~3u);
    store(qts, 0, K(DMA_BODY), ~0u);
    g_assert_cmphex(load(qts, 0, K(DMA_BODY)), ==, ~3u);
    store(qts, 0, K(DMA_ARM), ~0u);
    g_assert_cmphex(load(qts, 0, K(DMA_ARM)), ==, 1);
    store(qts, 0, U(SB_ADDR), 0x12345678);
    g_assert_cmphex(load(qts, 0, U(SB_ADDR)), ==, 0x12345678);
    store(qts, 0, U(SB_OFFSET), 0x9abcdef0);
    g_assert_cmphex(load(qts, 0, U(SB_OFFSET)), ==, 0x9abcdef0);
    /* The other node's register has not changed. */
    assert_after_reset(qts, 1);
    qtest_quit(qts);
}

static void test_cycles(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    fugu_advance(qts, 100);
    g_assert_cmpuint(fugu_load64(qts, 0, U(CYCLES)), ==, 100);
    fugu_store64(qts, 0, K(OFFSET), 0x1ffffffff);
    g_assert_cmphex(fugu_load64(qts, 0, U(CYCLES)), ==, 0x200000063);
    g_assert_cmpuint(fugu_load64(qts, 1, U(CYCLES)), ==, 100);
    fugu_store64(qts, 0, K(OFFSET), -101);
    g_assert_cmphex(fugu_load64(qts, 0, U(CYCLES)), ==, UINT64_MAX);

    /* Written by halves. */
    store(qts, 0, K(OFFSET), 0);
    g_assert_cmphex(fugu_load64(qts, 0, K(OFFSET)), ==, (uint64_t)-101);
    store(qts, 0, K(OFFSET) + 4, 0xffffff9b);
    g_assert_cmphex(fugu_load64(qts, 0, K(OFFSET)), ==, 0xffffff9b);
    g_assert_cmphex(load(qts, 0, U(CYCLES)), ==, 0);
    fugu_advance(qts, 1);
    g_assert_cmphex(load(qts, 0, U(CYCLES) + 4), ==, 0xffffffff);
    g_assert_cmphex(load(qts, 0, U(CYCLES)), ==, 1);
    g_assert_cmphex(load(qts, 0, U(CYCLES) + 4), ==, 0);
    qtest_quit(qts);
}

static int try_load(QTestState *qts, FuguMode mode, unsigned size,
                    uint32_t addr)
{
    uint64_t value;

    return fugu_try_load(qts, 0, mode, size, addr, &value);
}

/* Invalid accesses trap, in either mode. */
static void test_violations(void)
{
    static const uint32_t not_writable[] = {
        U(DESC_LEN), U(SPACE), U(UAC), U(NODE), U(NODES), U(BODY_SPACE),
        U(CYCLES), U(CYCLES) + 4,
        RECORD(HEADER), RECORD(AVAILABLE), RECORD(BODY),
        K(DESC_LEN), K(SPACE), K(PENDING), HEAD(WORDS), HEAD(PRESENT),
        HEAD(SOURCE), K(SECOND_SPACE), SECOND(WORDS), SECOND(BODY),
    };
    static const uint32_t not_readable[] = {
        U(SB_COUNT), K(SECOND_LAUNCH), K(SECOND_DISPOSE),
    };
    static const uint32_t nothing[] = {
        U(CYCLES) + 8, U(RECORD) + FUGU_REC_SIZE,
        U(SB_COUNT) + 4, U(OUT) + 0xffc,
        K(OUT) + 0xffc, K(OFFSET) + 8, K(HEAD) + FUGU_HEAD_SIZE,
        K(USER_LEN) + 4, K(DMA_BODY) + 4, K(SECOND_SPACE) + 4,
        SECOND(GID), K(SECOND_DISPOSE) + 4,
    };
    QTestState *qts = fugu_start("nodes=2", "");

    for (int i = 0; i < ARRAY_SIZE(not_writable); i++) {
        g_assert_cmpint(try_load(qts, KERNEL, 4, not_writable[i]), ==,
                        FUGU_DONE);
        g_assert_cmphex(fugu_try_store(qts, 0, KERNEL, 4, not_writable[i], 0),
                        ==, VIOLATION);
    }
    for (int i = 0; i < ARRAY_SIZE(not_readable); i++) {
        g_assert_cmphex(try_load(qts, KERNEL, 4, not_readable[i]), ==,
                        VIOLATION);
    }
    for (int i = 0; i < ARRAY_SIZE(nothing); i++) {
        g_assert_cmphex(try_load(qts, KERNEL, 4, nothing[i]), ==, VIOLATION);
        g_assert_cmphex(fugu_try_store(qts, 0, KERNEL, 4, nothing[i], 0), ==,
                        VIOLATION);
    }
    for (unsigned size = 1; size <= 2; size++) {
        g_assert_cmphex(try_load(qts, USER, size, U(NODE)), ==, VIOLATION);
        g_assert_cmphex(try_load(qts, KERNEL, size, K(GID)), ==, VIOLATION);
        g_assert_cmphex(fugu_try_store(qts, 0, USER, size, U(OUT), 1), ==,
                        VIOLATION);
        g_assert_cmphex(fugu_try_store(qts, 0, KERNEL, size, K(GID), 1), ==,
                        VIOLATION);
    }

    /* Both modes may access the user page, only the kernel the other one. */
    g_assert_cmpint(try_load(qts, USER, 4, U(NODE)), ==, FUGU_DONE);
    g_assert_cmphex(try_load(qts, USER, 4, K(GID)), ==, VIOLATION);
    g_assert_cmphex(try_load(qts, USER, 8, K(OFFSET)), ==, VIOLATION);
    g_assert_cmphex(fugu_try_store(qts, 0, USER, 4, K(GID), 1), ==, VIOLATION);
    g_assert_cmphex(fugu_try_store(qts, 0, USER, 8, K(OFFSET), 1), ==,
                    VIOLATION);
    assert_after_reset(qts, 0);
    qtest_quit(qts);
}

/* ---- Output windows ----------------------------------------------------- */

static void check_window(QTestState *qts, uint32_t window, uint32_t length)
{
    /* A store beyond the end fills the gap with zeros. */
    store(qts, 0, window, 1);
    store(qts, 0, window + 4, 0xdead);
    store(qts, 0, window + 12, 0xbeef);
    g_assert_cmpuint(load(qts, 0, length), ==, 4);
    g_assert_cmphex(load(qts, 0, window + 4), ==, 0xdead);
    g_assert_cmphex(load(qts, 0, window + 8), ==, 0);
    g_assert_cmphex(load(qts, 0, window + 12), ==, 0xbeef);
    assert_zeros(qts, 0, window + 16, 4 * (FUGU_MSG_WORDS - 4));

    /* A store within the described words does not change the length. An std is
     * one store. */
    store(qts, 0, window + 8, 0xf00d);
    g_assert_cmpuint(load(qts, 0, length), ==, 4);
    fugu_store64(qts, 0, window + 24, 0x1122334455667788);
    g_assert_cmpuint(load(qts, 0, length), ==, 8);
    g_assert_cmphex(load(qts, 0, window + 20), ==, 0);
    g_assert_cmphex(load(qts, 0, window + 24), ==, 0x11223344);
    g_assert_cmphex(load(qts, 0, window + 28), ==, 0x55667788);
}

/* The windows are separate, and no words of an old message remain. */
static void test_windows(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    check_window(qts, U(OUT), U(DESC_LEN));
    g_assert_cmpuint(load(qts, 0, K(DESC_LEN)), ==, 0);
    g_assert_cmphex(load(qts, 0, K(OUT)), ==, 0);
    check_window(qts, K(OUT), K(DESC_LEN));

    g_assert_cmpint(launch(qts, 0, USER, 8), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 0);
    assert_zeros(qts, 0, U(OUT), 4 * FUGU_MSG_WORDS);
    g_assert_cmpuint(load(qts, 0, K(DESC_LEN)), ==, 8);
    /* A gap in the next message is 0, and holds no old word. */
    store(qts, 0, U(OUT) + 60, 7);
    assert_zeros(qts, 0, U(OUT), 60);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 16);
    qtest_quit(qts);
}

/* The kernel saves the user's descriptor and restores it. */
static void test_user_descriptor(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    describe(qts, 0, U(OUT), 1, 6);
    g_assert_cmpuint(load(qts, 0, K(USER_LEN)), ==, 6);
    g_assert_cmphex(load(qts, 0, K(USER_OUT)), ==, 1);
    g_assert_cmphex(load(qts, 0, K(USER_OUT) + 20), ==, 0x104);
    g_assert_cmphex(load(qts, 0, K(USER_OUT) + 24), ==, 0);
    store(qts, 0, K(USER_LEN), 0);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 0);
    assert_zeros(qts, 0, U(OUT), 4 * FUGU_MSG_WORDS);

    /* Words and length in either order. */
    store(qts, 0, K(USER_OUT), 1);
    store(qts, 0, K(USER_OUT) + 4, 0xaa);
    store(qts, 0, K(USER_LEN), 3);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 3);
    g_assert_cmphex(load(qts, 0, U(OUT) + 4), ==, 0xaa);
    g_assert_cmphex(load(qts, 0, U(OUT) + 8), ==, 0);
    store(qts, 0, K(USER_LEN), 0);
    store(qts, 0, K(USER_LEN), 3);
    g_assert_cmphex(load(qts, 0, U(OUT) + 4), ==, 0);
    store(qts, 0, K(USER_OUT) + 4, 0xbb);
    store(qts, 0, K(USER_OUT), 1);
    g_assert_cmphex(load(qts, 0, U(OUT) + 4), ==, 0xbb);
    g_assert_cmpint(launch(qts, 0, USER, 3), ==, FUGU_DONE);

    store(qts, 0, K(USER_LEN), 99);
    g_assert_cmpuint(load(qts, 0, K(USER_LEN)), ==, FUGU_MSG_WORDS);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/ni/reset", test_reset);
    qtest_add_func("fugu/ni/kernel-registers", test_kernel_registers);
    qtest_add_func("fugu/ni/cycles", test_cycles);
    qtest_add_func("fugu/ni/violations", test_violations);
    qtest_add_func("fugu/ni/windows", test_windows);
    qtest_add_func("fugu/ni/user-descriptor", test_user_descriptor);
    return g_test_run();
}
