/*
 * qtest of the network interface: both pages, the operations, queues, flow
 * control, interrupts, the second network (docs/machine.md)
 *
 * What needs a processor is for guest programs to test: the mode that the
 * atomicity timer counts, addresses that the MMU translates, waiting.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "fugu-qtest.h"

#define U(reg)          (FUGU_NI_USER_BASE + FUGU_U_##reg)
#define K(reg)          (FUGU_NI_KERNEL_BASE + FUGU_K_##reg)
#define RECORD(reg)     (U(RECORD) + FUGU_REC_##reg)
#define HEAD(reg)       (K(HEAD) + FUGU_HEAD_##reg)
#define SECOND(reg)     (K(SECOND_HEAD) + FUGU_HEAD_##reg)
#define GID(gid)        ((uint32_t)(gid) << FUGU_HDR_GID_SHIFT)

#define VIOLATION       FUGU_TT_PROTECTION_VIOLATION

/* Defaults of the machine, and the way between the nodes of "nodes=2". */
#define QUEUE_WORDS     128
#define SPACE_WORDS     64
#define SECOND_WORDS    32
#define CREDIT_TIME     (64 + 2)
#define MESSAGE_TIME(n) (CREDIT_TIME + 4 * (n))
#define SECOND_CREDIT   (256 + 2)
#define SECOND_TIME(n)  (SECOND_CREDIT + 32 * (n))
#define LONG_TIME       2000

/* ---- Steps ---------------------------------------------------------------- */

static uint32_t load(QTestState *qts, unsigned node, uint32_t addr)
{
    return fugu_load(qts, node, addr);
}

static void store(QTestState *qts, unsigned node, uint32_t addr,
                  uint32_t value)
{
    fugu_store(qts, node, addr, value);
}

/* Words are HEADER, 0x100, 0x101 and so on. */
static void describe(QTestState *qts, unsigned node, uint32_t window,
                     uint32_t header, unsigned words)
{
    store(qts, node, window, header);
    for (unsigned i = 1; i < words; i++) {
        store(qts, node, window + 4 * i, 0x100 + i - 1);
    }
}

static int launch(QTestState *qts, unsigned node, FuguMode mode, unsigned n)
{
    return fugu_op(qts, node, mode, "launch", n, 0);
}

static int dispose(QTestState *qts, unsigned node, FuguMode mode)
{
    return fugu_op(qts, node, mode, "dispose", 0, 0);
}

static void send(QTestState *qts, unsigned node, FuguMode mode,
                 uint32_t header, unsigned words)
{
    describe(qts, node, mode == USER ? U(OUT) : K(OUT), header, words);
    g_assert_cmpint(launch(qts, node, mode, words), ==, FUGU_DONE);
}

/* From node 0 to node 1, and there. */
static void deliver(QTestState *qts, FuguMode mode, uint32_t flags,
                    unsigned words)
{
    send(qts, 0, mode, flags | 1, words);
    fugu_advance(qts, MESSAGE_TIME(words) + 1);
}

static void assert_irq(QTestState *qts, unsigned node, uint32_t pending)
{
    static const struct { uint32_t pending; unsigned level; } lines[] = {
        { FUGU_PEND_MESSAGE, FUGU_IRQ_MESSAGE },
        { FUGU_PEND_MISMATCH, FUGU_IRQ_MISMATCH },
        { FUGU_PEND_TIMEOUT, FUGU_IRQ_TIMEOUT },
        { FUGU_PEND_SECOND, FUGU_IRQ_SECOND },
    };
    uint32_t levels = 0;

    for (int i = 0; i < ARRAY_SIZE(lines); i++) {
        if (pending & lines[i].pending) {
            levels |= FUGU_IRQ_BIT(lines[i].level);
        }
    }
    g_assert_cmphex(load(qts, node, K(PENDING)), ==, pending);
    g_assert_cmphex(fugu_irq(qts, node), ==, levels);
}

static void assert_available(QTestState *qts, unsigned node, bool available)
{
    g_assert_cmpuint(load(qts, node, RECORD(AVAILABLE)), ==, available);
}

static void assert_zeros(QTestState *qts, unsigned node, uint32_t addr,
                         unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i += 4) {
        g_assert_cmphex(load(qts, node, addr + i), ==, 0);
    }
}

/* ---- Registers ------------------------------------------------------------ */

static void assert_after_reset(QTestState *qts, unsigned node)
{
    assert_zeros(qts, node, U(OUT), 4 * FUGU_MSG_WORDS);
    g_assert_cmpuint(load(qts, node, U(DESC_LEN)), ==, 0);
    g_assert_cmpuint(load(qts, node, U(SPACE)), ==, FUGU_MSG_WORDS);
    g_assert_cmphex(load(qts, node, U(UAC)), ==, 0);
    g_assert_cmpuint(load(qts, node, U(NODE)), ==, node);
    g_assert_cmpuint(load(qts, node, U(NODES)), ==, 2);
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
    assert_zeros(qts, node, K(DMA_ADDR), 8);
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

    /* Something everywhere: in registers, queues, in flight. */
    store(qts, 1, K(UAC), FUGU_UAC_ALL);
    store(qts, 1, K(GID), 5);
    store(qts, 1, K(DIVERT), 1);
    store(qts, 1, K(TIMEOUT), 9);
    store(qts, 1, K(DMA_ARM), 1);
    store(qts, 1, U(SB_OFFSET), 8);
    fugu_store64(qts, 1, K(OFFSET), -5);
    store(qts, 1, K(SECOND_OUT) + 4, 8);
    describe(qts, 1, U(OUT), 0, 5);
    describe(qts, 1, K(OUT), 0, 6);
    deliver(qts, KERNEL, FUGU_HDR_KERNEL, 16);
    send(qts, 0, KERNEL, 1, 16);
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

    /* Bits without meaning read 0. */
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
    store(qts, 0, K(DMA_ARM), ~0u);
    g_assert_cmphex(load(qts, 0, K(DMA_ARM)), ==, 1);
    store(qts, 0, U(SB_ADDR), 0x12345678);
    g_assert_cmphex(load(qts, 0, U(SB_ADDR)), ==, 0x12345678);
    store(qts, 0, U(SB_OFFSET), 0x9abcdef0);
    g_assert_cmphex(load(qts, 0, U(SB_OFFSET)), ==, 0x9abcdef0);
    /* The other node has its own. */
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

    /* By halves. */
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

/* Accesses that make no sense trap, in either mode. */
static void test_violations(void)
{
    static const uint32_t not_writable[] = {
        U(DESC_LEN), U(SPACE), U(UAC), U(NODE), U(NODES), U(CYCLES),
        U(CYCLES) + 4, RECORD(HEADER), RECORD(AVAILABLE), RECORD(BODY),
        K(DESC_LEN), K(SPACE), K(PENDING), HEAD(WORDS), HEAD(PRESENT),
        HEAD(SOURCE), K(SECOND_SPACE), SECOND(WORDS), SECOND(BODY),
    };
    static const uint32_t not_readable[] = {
        U(SB_COUNT), K(SECOND_LAUNCH), K(SECOND_DISPOSE),
    };
    static const uint32_t nothing[] = {
        U(NODES) + 4, U(CYCLES) + 8, U(RECORD) + FUGU_REC_SIZE, U(SB_COUNT) + 4,
        U(OUT) + 0xffc, K(OFFSET) + 8, K(HEAD) + FUGU_HEAD_SIZE,
        K(USER_LEN) + 4, K(DMA_ARM) + 4, K(SECOND_SPACE) + 4, SECOND(GID),
        K(SECOND_DISPOSE) + 4, K(OUT) + 0xffc,
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

    /* The user's page is for both, the kernel's for the kernel. */
    g_assert_cmpint(try_load(qts, USER, 4, U(NODE)), ==, FUGU_DONE);
    g_assert_cmphex(try_load(qts, USER, 4, K(GID)), ==, VIOLATION);
    g_assert_cmphex(try_load(qts, USER, 8, K(OFFSET)), ==, VIOLATION);
    g_assert_cmphex(fugu_try_store(qts, 0, USER, 4, K(GID), 1), ==, VIOLATION);
    g_assert_cmphex(fugu_try_store(qts, 0, USER, 8, K(OFFSET), 1), ==,
                    VIOLATION);
    assert_after_reset(qts, 0);
    qtest_quit(qts);
}

/* ---- Output windows ------------------------------------------------------- */

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

    /* One within it does not change the length; an std counts as one. */
    store(qts, 0, window + 8, 0xf00d);
    g_assert_cmpuint(load(qts, 0, length), ==, 4);
    fugu_store64(qts, 0, window + 24, 0x1122334455667788);
    g_assert_cmpuint(load(qts, 0, length), ==, 8);
    g_assert_cmphex(load(qts, 0, window + 20), ==, 0);
    g_assert_cmphex(load(qts, 0, window + 24), ==, 0x11223344);
    g_assert_cmphex(load(qts, 0, window + 28), ==, 0x55667788);
}

/* Each in its own place: what is left of one shows in nothing of the other. */
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
    /* A gap in the next message holds no word of the last one. */
    store(qts, 0, U(OUT) + 60, 7);
    assert_zeros(qts, 0, U(OUT), 60);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 16);
    qtest_quit(qts);
}

/* A kernel takes the user's descriptor away and brings it back. */
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

/* ---- Messages ------------------------------------------------------------- */

static void test_latency(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    /* The least that there is, and to another round's cycles. */
    fugu_advance(qts, 100);
    send(qts, 0, USER, 1, 2);
    fugu_advance(qts, MESSAGE_TIME(2));
    assert_available(qts, 1, false);
    fugu_advance(qts, 1);
    assert_available(qts, 1, true);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);

    /* To oneself: no hop. */
    send(qts, 1, USER, 1, 16);
    fugu_advance(qts, 64 + 4 * 16);
    assert_available(qts, 1, false);
    fugu_advance(qts, 1);
    assert_available(qts, 1, true);
    qtest_quit(qts);
}

static void test_receive(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    deliver(qts, USER, 0x20000000, 4);
    g_assert_cmphex(load(qts, 1, RECORD(HEADER)), ==, 0x20000000);
    g_assert_cmphex(load(qts, 1, RECORD(HANDLER)), ==, 0x100);
    g_assert_cmphex(load(qts, 1, RECORD(ARGS) + 4), ==, 0x102);
    assert_zeros(qts, 1, RECORD(ARGS) + 8, FUGU_REC_AVAILABLE - 16);
    assert_available(qts, 1, true);
    g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, 4);
    g_assert_cmpuint(load(qts, 1, RECORD(BODY)), ==, 0);

    g_assert_cmphex(load(qts, 1, HEAD(WORDS)), ==, 0x20000000);
    g_assert_cmphex(load(qts, 1, HEAD(WORDS) + 12), ==, 0x102);
    g_assert_cmphex(load(qts, 1, HEAD(WORDS) + 16), ==, 0);
    g_assert_cmpuint(load(qts, 1, HEAD(PRESENT)), ==, 1);
    g_assert_cmpuint(load(qts, 1, HEAD(LENGTH)), ==, 4);
    g_assert_cmpuint(load(qts, 1, HEAD(BODY)), ==, 0);
    g_assert_cmpuint(load(qts, 1, HEAD(GID)), ==, 0);
    g_assert_cmpuint(load(qts, 1, HEAD(KERNEL)), ==, 0);
    g_assert_cmpuint(load(qts, 1, HEAD(SOURCE)), ==, 0);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    assert_zeros(qts, 0, U(RECORD), FUGU_REC_SIZE);
    qtest_quit(qts);
}

/* What travels in the header, by who sends it. */
static void test_header(void)
{
    static const struct {
        FuguMode mode;
        uint32_t written, received;
    } rows[] = {
        { USER, 0, GID(7) },
        { USER, GID(9), GID(7) },
        { USER, FUGU_HDR_OWN_GID | GID(9), GID(7) },
        { USER, FUGU_HDR_TYPE_MASK, FUGU_HDR_TYPE_MASK | GID(7) },
        { KERNEL, GID(9), GID(7) },
        { KERNEL, FUGU_HDR_OWN_GID | GID(9), GID(9) },
        { KERNEL, FUGU_HDR_KERNEL, FUGU_HDR_KERNEL | GID(7) },
        { KERNEL, ~FUGU_HDR_NODE_MASK,
          FUGU_HDR_KERNEL | FUGU_HDR_TYPE_MASK | GID(0xfff) },
    };
    QTestState *qts = fugu_start("nodes=2", "");

    store(qts, 1, K(GID), 7);
    for (int i = 0; i < ARRAY_SIZE(rows); i++) {
        send(qts, 1, rows[i].mode, rows[i].written, 1);
        fugu_advance(qts, LONG_TIME);
        /* The node field was the destination, 0, and is the source. */
        g_assert_cmphex(load(qts, 0, HEAD(WORDS)), ==, rows[i].received | 1);
        g_assert_cmpuint(load(qts, 0, HEAD(GID)), ==,
                         (rows[i].received >> 16) & 0xfff);
        g_assert_cmpuint(load(qts, 0, HEAD(KERNEL)), ==,
                         rows[i].received >> 31);
        g_assert_cmpuint(load(qts, 0, HEAD(SOURCE)), ==, 1);
        g_assert_cmpint(dispose(qts, 0, KERNEL), ==, FUGU_DONE);
    }
    qtest_quit(qts);
}

/* One after the other, whoever sends them and whatever they are. */
static void test_order(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    for (unsigned n = 16; n > 12; n--) {
        send(qts, 0, n & 1 ? USER : KERNEL, 1, n);
    }
    fugu_advance(qts, LONG_TIME);
    for (unsigned n = 16; n > 12; n--) {
        g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, n);
        g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    }
    assert_available(qts, 1, false);
    qtest_quit(qts);
}

static void check_refused(QTestState *qts, FuguMode mode, uint32_t window,
                          uint32_t length)
{
    static const struct { uint32_t n, d; } wrong[] = {
        { 0, 0 }, { 6, 0 }, { 17, 0 }, { 0x80000000, 0 },
        { 2, 1 }, { 5, 3 }, { 5, 16 }, { 5, 0x80000001 },
    };

    /* Nothing described: no effect, whatever the operands. */
    g_assert_cmpint(launch(qts, 0, mode, 0), ==, FUGU_DONE);
    g_assert_cmpint(launch(qts, 0, mode, 16), ==, FUGU_DONE);

    describe(qts, 0, window, 1, 5);
    for (int i = 0; i < ARRAY_SIZE(wrong); i++) {
        g_assert_cmphex(fugu_op(qts, 0, mode, "launch", wrong[i].n,
                                wrong[i].d), ==, VIOLATION);
    }
    store(qts, 0, window, 2);
    g_assert_cmphex(launch(qts, 0, mode, 5), ==, VIOLATION);
    store(qts, 0, window, 0xffff);
    g_assert_cmphex(launch(qts, 0, mode, 5), ==, VIOLATION);

    /* Pairs that make no body. */
    store(qts, 0, window, 1);
    store(qts, 0, window + 12, FUGU_RAM_BASE + 2);
    store(qts, 0, window + 16, 4);
    g_assert_cmphex(fugu_op(qts, 0, mode, "launch", 5, 1), ==, VIOLATION);
    store(qts, 0, window + 12, FUGU_RAM_BASE);
    store(qts, 0, window + 16, 6);
    g_assert_cmphex(fugu_op(qts, 0, mode, "launch", 5, 1), ==, VIOLATION);
    store(qts, 0, window + 16, FUGU_BODY_MAX + 4);
    g_assert_cmphex(fugu_op(qts, 0, mode, "launch", 5, 1), ==, VIOLATION);
    store(qts, 0, window + 4, FUGU_RAM_BASE);
    store(qts, 0, window + 8, 4);
    store(qts, 0, window + 16, FUGU_BODY_MAX);
    g_assert_cmphex(fugu_op(qts, 0, mode, "launch", 5, 2), ==, VIOLATION);

    /* Nothing was lost, and nothing sent. */
    g_assert_cmpuint(load(qts, 0, length), ==, 5);
    g_assert_cmphex(load(qts, 0, window + 4), ==, FUGU_RAM_BASE);
    fugu_advance(qts, LONG_TIME);
    g_assert_cmpuint(load(qts, 1, HEAD(PRESENT)), ==, 0);
}

static void test_launch_refused(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    check_refused(qts, USER, U(OUT), U(DESC_LEN));
    check_refused(qts, KERNEL, K(OUT), K(DESC_LEN));
    store(qts, 0, U(OUT), FUGU_HDR_KERNEL | 1);
    g_assert_cmphex(launch(qts, 0, USER, 5), ==, VIOLATION);

    /* Less than was described can be sent. */
    store(qts, 0, U(OUT), 1);
    g_assert_cmpint(launch(qts, 0, USER, 2), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 0);
    fugu_advance(qts, LONG_TIME);
    g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, 2);
    g_assert_cmphex(load(qts, 1, RECORD(HANDLER)), ==, FUGU_RAM_BASE);
    g_assert_cmphex(load(qts, 1, RECORD(ARGS)), ==, 0);
    qtest_quit(qts);
}

/* ---- Whose message, and what becomes of it --------------------------------- */

static void test_matching(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    store(qts, 0, K(GID), 3);
    deliver(qts, USER, 0, 2);
    assert_irq(qts, 1, FUGU_PEND_MISMATCH);
    assert_zeros(qts, 1, U(RECORD), FUGU_REC_SIZE);
    g_assert_cmpuint(load(qts, 1, HEAD(PRESENT)), ==, 1);
    store(qts, 1, K(GID), 3);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    assert_available(qts, 1, true);

    store(qts, 1, K(DIVERT), 1);
    assert_irq(qts, 1, FUGU_PEND_MISMATCH);
    assert_available(qts, 1, false);
    store(qts, 1, K(DIVERT), 0);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);

    /* interrupt-disable masks message-available, and leaves the flag. */
    store(qts, 1, K(UAC), FUGU_UAC_INTERRUPT_DISABLE);
    assert_irq(qts, 1, 0);
    assert_available(qts, 1, true);
    store(qts, 1, K(GID), 4);
    assert_irq(qts, 1, FUGU_PEND_MISMATCH);
    store(qts, 1, K(UAC), 0);
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    assert_irq(qts, 1, 0);

    /* A kernel message matches nobody. */
    deliver(qts, KERNEL, FUGU_HDR_KERNEL | FUGU_HDR_OWN_GID | GID(4), 2);
    assert_irq(qts, 1, FUGU_PEND_MISMATCH);
    assert_available(qts, 1, false);
    qtest_quit(qts);
}

static void test_dispose(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    g_assert_cmphex(dispose(qts, 1, USER), ==, FUGU_TT_BAD_DISPOSE);
    g_assert_cmphex(dispose(qts, 1, KERNEL), ==, FUGU_TT_BAD_DISPOSE);
    store(qts, 1, K(DIVERT), 1);
    g_assert_cmphex(dispose(qts, 1, USER), ==, FUGU_TT_DISPOSE_EXTEND);
    g_assert_cmphex(dispose(qts, 1, KERNEL), ==, FUGU_TT_BAD_DISPOSE);

    /* The user's clears dispose-pending, the kernel's leaves UAC alone. */
    deliver(qts, USER, 0, 2);
    deliver(qts, USER, 0, 3);
    store(qts, 1, K(UAC), FUGU_UAC_ALL);
    g_assert_cmphex(dispose(qts, 1, USER), ==, FUGU_TT_DISPOSE_EXTEND);
    g_assert_cmpuint(load(qts, 1, HEAD(LENGTH)), ==, 2);
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    g_assert_cmphex(load(qts, 1, K(UAC)), ==, FUGU_UAC_ALL);
    g_assert_cmpuint(load(qts, 1, HEAD(LENGTH)), ==, 3);
    store(qts, 1, K(DIVERT), 0);
    store(qts, 1, K(GID), 1);
    g_assert_cmphex(dispose(qts, 1, USER), ==, FUGU_TT_BAD_DISPOSE);
    store(qts, 1, K(GID), 0);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    g_assert_cmphex(load(qts, 1, K(UAC)), ==,
                    FUGU_UAC_ALL & ~FUGU_UAC_DISPOSE_PENDING);
    g_assert_cmpuint(load(qts, 1, HEAD(PRESENT)), ==, 0);
    qtest_quit(qts);
}

/* What a storeback refuses before it looks at memory. */
static void test_storeback_refused(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    g_assert_cmphex(fugu_try_store(qts, 1, USER, 4, U(SB_COUNT), 0), ==,
                    FUGU_TT_BAD_DISPOSE);
    /* A body of length 0 is allowed. */
    describe(qts, 0, U(OUT), 1, 2);
    store(qts, 0, U(OUT) + 8, FUGU_RAM_BASE);
    store(qts, 0, U(OUT) + 12, 0);
    g_assert_cmpint(fugu_op(qts, 0, USER, "launch", 4, 1), ==, FUGU_DONE);
    fugu_advance(qts, LONG_TIME);
    g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, 2);
    g_assert_cmpuint(load(qts, 1, RECORD(BODY)), ==, 0);

    store(qts, 1, U(SB_ADDR), FUGU_RAM_BASE);
    g_assert_cmphex(fugu_try_store(qts, 1, USER, 4, U(SB_COUNT), 4), ==,
                    VIOLATION);
    g_assert_cmphex(fugu_try_store(qts, 1, USER, 4, U(SB_COUNT), 1), ==,
                    VIOLATION);
    store(qts, 1, U(SB_OFFSET), 4);
    g_assert_cmphex(fugu_try_store(qts, 1, USER, 4, U(SB_COUNT), 0), ==,
                    VIOLATION);
    store(qts, 1, U(SB_OFFSET), 0);
    store(qts, 1, U(SB_ADDR), FUGU_RAM_BASE + 1);
    g_assert_cmphex(fugu_try_store(qts, 1, USER, 4, U(SB_COUNT), 0), ==,
                    VIOLATION);
    store(qts, 1, U(SB_ADDR), FUGU_RAM_BASE);
    g_assert_cmpint(fugu_try_store(qts, 1, USER, 4, U(SB_COUNT), 0), ==,
                    FUGU_DONE);

    store(qts, 1, K(DIVERT), 1);
    g_assert_cmphex(fugu_try_store(qts, 1, USER, 4, U(SB_COUNT), 0), ==,
                    FUGU_TT_DISPOSE_EXTEND);
    g_assert_cmpint(fugu_try_store(qts, 1, KERNEL, 4, U(SB_COUNT), 0), ==,
                    FUGU_DONE);
    qtest_quit(qts);
}

static void test_kernel_dispose_dma(void)
{
    const uint32_t addr = FUGU_RAM_BASE + 0x1000;
    QTestState *qts = fugu_start("nodes=2,dma-word=10", "");

    deliver(qts, KERNEL, FUGU_HDR_KERNEL, 3);
    deliver(qts, USER, 0, 2);
    store(qts, 1, K(DMA_ARM), 1);

    /* Not RAM: nothing happens. */
    store(qts, 1, K(DMA_ADDR), FUGU_BOOT_BASE);
    g_assert_cmphex(dispose(qts, 1, KERNEL), ==, VIOLATION);
    store(qts, 1, K(DMA_ADDR), FUGU_RAM_BASE + 8 * 1024 * 1024 - 8);
    g_assert_cmphex(dispose(qts, 1, KERNEL), ==, VIOLATION);
    g_assert_cmpuint(load(qts, 1, HEAD(LENGTH)), ==, 3);
    g_assert_cmpuint(load(qts, 1, K(DMA_ARM)), ==, 1);

    /* In memory at once, the two low bits of the address ignored. */
    store(qts, 1, addr + 12, 0x55555555);
    store(qts, 1, K(DMA_ADDR), addr | 3);
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    g_assert_cmphex(load(qts, 1, addr), ==, FUGU_HDR_KERNEL);
    g_assert_cmphex(load(qts, 1, addr + 4), ==, 0x100);
    g_assert_cmphex(load(qts, 1, addr + 8), ==, 0x101);
    g_assert_cmphex(load(qts, 1, addr + 12), ==, 0x55555555);
    g_assert_cmpuint(load(qts, 1, K(DMA_ARM)), ==, 0);

    /* The next head shows when the engine is through. */
    assert_irq(qts, 1, 0);
    assert_zeros(qts, 1, K(HEAD), FUGU_HEAD_SIZE);
    fugu_advance(qts, 29);
    assert_irq(qts, 1, 0);
    fugu_advance(qts, 2);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    g_assert_cmpuint(load(qts, 1, HEAD(LENGTH)), ==, 2);

    /* It is armed for one message only. */
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    g_assert_cmphex(load(qts, 1, addr + 4), ==, 0x100);

    /* The user's dispose has nothing to do with it. */
    deliver(qts, USER, 0, 2);
    store(qts, 1, K(DMA_ARM), 1);
    store(qts, 1, K(DMA_ADDR), addr + 0x100);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 1, K(DMA_ARM)), ==, 1);
    g_assert_cmphex(load(qts, 1, addr + 0x104), ==, 0);
    qtest_quit(qts);
}

/* ---- Atomicity ------------------------------------------------------------ */

static void test_uac(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    fugu_op(qts, 0, USER, "beginatom", ~0u, 0);
    g_assert_cmphex(load(qts, 0, U(UAC)), ==, FUGU_UAC_USER);
    fugu_op(qts, 0, KERNEL, "beginatom", FUGU_UAC_DISPOSE_PENDING | 0x30, 0);
    g_assert_cmphex(load(qts, 0, U(UAC)), ==,
                    FUGU_UAC_USER | FUGU_UAC_DISPOSE_PENDING);

    g_assert_cmphex(fugu_op(qts, 0, USER, "endatom", 0, 0), ==,
                    FUGU_TT_DISPOSE_FAILURE);
    store(qts, 0, K(UAC), FUGU_UAC_ALL);
    g_assert_cmphex(fugu_op(qts, 0, USER, "endatom", 3, 0), ==,
                    FUGU_TT_DISPOSE_FAILURE);
    store(qts, 0, K(UAC), FUGU_UAC_USER | FUGU_UAC_ATOMICITY_EXTEND);
    g_assert_cmphex(fugu_op(qts, 0, USER, "endatom", 3, 0), ==,
                    FUGU_TT_ATOMICITY_EXTEND);
    g_assert_cmphex(load(qts, 0, U(UAC)), ==,
                    FUGU_UAC_USER | FUGU_UAC_ATOMICITY_EXTEND);

    store(qts, 0, K(UAC), FUGU_UAC_ALL);
    g_assert_cmpint(fugu_op(qts, 0, KERNEL, "endatom",
                            ~FUGU_UAC_TIMER_FORCE, 0), ==, FUGU_DONE);
    g_assert_cmphex(load(qts, 0, U(UAC)), ==, FUGU_UAC_TIMER_FORCE);
    fugu_op(qts, 0, USER, "beginatom", FUGU_UAC_INTERRUPT_DISABLE, 0);
    g_assert_cmpint(fugu_op(qts, 0, USER, "endatom",
                            FUGU_UAC_TIMER_FORCE, 0), ==, FUGU_DONE);
    g_assert_cmphex(load(qts, 0, U(UAC)), ==, FUGU_UAC_INTERRUPT_DISABLE);
    qtest_quit(qts);
}

/* beginatom and endatom mask and unmask the interrupt at once. */
static void test_uac_interrupt(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    deliver(qts, USER, 0, 2);
    fugu_op(qts, 1, USER, "beginatom", FUGU_UAC_INTERRUPT_DISABLE, 0);
    assert_irq(qts, 1, 0);
    fugu_op(qts, 1, USER, "endatom", FUGU_UAC_INTERRUPT_DISABLE, 0);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    qtest_quit(qts);
}

/* In kernel mode, where it holds; guests let it run. */
static void test_timer(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    /* Off: never up, whatever the counter. */
    store(qts, 1, K(UAC), FUGU_UAC_TIMER_FORCE);
    assert_irq(qts, 1, 0);
    store(qts, 1, K(UAC), 0);

    /* Disabled: it follows the preset, and cannot be written. */
    store(qts, 1, K(TIMEOUT), 500);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 500);
    store(qts, 1, K(TIMER), 0);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 500);
    assert_irq(qts, 1, 0);

    /* Enabled: it can be written, and a new preset is for later. */
    store(qts, 1, K(UAC), FUGU_UAC_TIMER_FORCE);
    store(qts, 1, K(TIMER), 77);
    store(qts, 1, K(TIMEOUT), 600);
    fugu_advance(qts, 1000);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 77);
    assert_irq(qts, 1, 0);
    store(qts, 1, K(TIMER), 0);
    assert_irq(qts, 1, FUGU_PEND_TIMEOUT);

    /* Down with a write, or when it is disabled, or turned off. */
    store(qts, 1, K(TIMER), 1);
    assert_irq(qts, 1, 0);
    store(qts, 1, K(TIMER), 0);
    assert_irq(qts, 1, FUGU_PEND_TIMEOUT);
    store(qts, 1, K(UAC), 0);
    assert_irq(qts, 1, 0);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 600);
    store(qts, 1, K(UAC), FUGU_UAC_TIMER_FORCE);
    store(qts, 1, K(TIMER), 0);
    store(qts, 1, K(TIMEOUT), 0);
    assert_irq(qts, 1, 0);
    qtest_quit(qts);
}

static void test_timer_enabled(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    /* interrupt-disable alone does not; with message-available it does. */
    store(qts, 1, K(TIMEOUT), 500);
    store(qts, 1, K(UAC), FUGU_UAC_INTERRUPT_DISABLE);
    store(qts, 1, K(TIMER), 0);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 500);
    deliver(qts, USER, 0, 2);
    deliver(qts, USER, 0, 2);
    store(qts, 1, K(TIMER), 0);
    assert_irq(qts, 1, FUGU_PEND_TIMEOUT);
    /* The kernel's dispose leaves it, the user's presets it. */
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    assert_irq(qts, 1, FUGU_PEND_TIMEOUT);
    deliver(qts, USER, 0, 2);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 500);
    assert_irq(qts, 1, 0);
    /* With a head that is not the user's it is disabled. */
    store(qts, 1, K(TIMER), 7);
    store(qts, 1, K(DIVERT), 1);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 500);
    qtest_quit(qts);
}

/* ---- Flow control ---------------------------------------------------------- */

static void test_source_space(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    send(qts, 0, USER, 1, 16);
    send(qts, 0, USER, 1, 16);
    send(qts, 0, USER, 1, 16);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    send(qts, 0, USER, 1, 6);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 10);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 10);

    /* Words that the network cannot take wait, and have no effect. */
    store(qts, 0, U(OUT), 0);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 4, U(OUT) + 40, 1), ==,
                    FUGU_WAITS);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 8, U(OUT) + 40, 1), ==,
                    FUGU_WAITS);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 1);
    store(qts, 0, U(OUT) + 36, 1);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 10);
    g_assert_cmpint(launch(qts, 0, USER, 10), ==, FUGU_DONE);

    /* All is taken: even the first word, and to oneself. */
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 0);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 4, U(OUT), 0), ==,
                    FUGU_WAITS);
    g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 4, K(OUT), 0), ==,
                    FUGU_WAITS);

    /* The space is back one credit latency after each message. */
    fugu_advance(qts, MESSAGE_TIME(16) + CREDIT_TIME);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 0);
    fugu_advance(qts, 1);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    fugu_advance(qts, LONG_TIME);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    qtest_quit(qts);
}

/* Neither window can take what the other was promised. */
static void test_reserved(void)
{
    QTestState *qts = fugu_start("nodes=2,source-space=32", "");

    describe(qts, 0, U(OUT), 1, 10);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 16);
    send(qts, 0, KERNEL, 1, 16);
    /* 32 - 16 are left, 10 of which are the user's. */
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 6);
    g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 4, K(OUT) + 24, 1), ==,
                    FUGU_WAITS);
    send(qts, 0, KERNEL, 1, 6);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 10);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 0);
    g_assert_cmpint(launch(qts, 0, USER, 10), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 0);
    qtest_quit(qts);
}

/* A descriptor that was taken away and brought back is not reserved. */
static void test_reloaded(void)
{
    QTestState *qts = fugu_start("nodes=2,source-space=16", "");

    describe(qts, 0, U(OUT), 1, 10);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 6);
    store(qts, 0, K(USER_LEN), 0);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 16);
    send(qts, 0, KERNEL, 1, 16);

    /* This never waits; what it brings back does. */
    store(qts, 0, K(USER_OUT), 1);
    store(qts, 0, K(USER_LEN), 10);
    g_assert_cmpint(launch(qts, 0, USER, 10), ==, FUGU_WAITS);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 10);
    fugu_advance(qts, MESSAGE_TIME(16) + CREDIT_TIME + 1);
    g_assert_cmpint(launch(qts, 0, USER, 10), ==, FUGU_DONE);
    qtest_quit(qts);
}

/* A receiver that does not listen stops its senders. */
static void test_full_queue(void)
{
    QTestState *qts = fugu_start("nodes=2", "");
    unsigned sent;

    for (sent = 0; load(qts, 0, U(SPACE)) == 16; sent++) {
        send(qts, 0, USER, 1, 16);
        fugu_advance(qts, LONG_TIME);
    }
    g_assert_cmpuint(sent * 16, ==, QUEUE_WORDS + SPACE_WORDS);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 0);

    /* Words enter when those before them are disposed of. */
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    fugu_advance(qts, CREDIT_TIME);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 0);
    fugu_advance(qts, 1);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);

    /* A short message waits behind the long ones, though it would fit. */
    send(qts, 0, USER, 1, 1);
    fugu_advance(qts, LONG_TIME);
    for (unsigned i = 1; i < sent; i++) {
        g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, 16);
        g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    }
    g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, 1);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    assert_irq(qts, 1, 0);
    fugu_advance(qts, LONG_TIME);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    qtest_quit(qts);
}

static void test_small_queue(void)
{
    QTestState *qts = fugu_start("nodes=2,input-queue=16,source-space=32", "");

    send(qts, 0, USER, 1, 10);
    send(qts, 0, USER, 1, 7);
    send(qts, 0, USER, 1, 2);
    fugu_advance(qts, LONG_TIME);
    /* 10 are in the queue; 7 do not fit, and hold back the 2. */
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    send(qts, 0, USER, 1, 16);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 7);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, 7);
    qtest_quit(qts);
}

/* ---- Second network --------------------------------------------------------- */

static int send_second(QTestState *qts, unsigned node, uint32_t header,
                       unsigned words)
{
    describe(qts, node, K(SECOND_OUT), header, MIN(words, FUGU_MSG_WORDS));
    return fugu_try_store(qts, node, KERNEL, 4, K(SECOND_LAUNCH), words);
}

static void test_second(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    /* All of the header but the node is the software's. */
    g_assert_cmpint(send_second(qts, 0, 0xabcd0001, 3), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 16);
    g_assert_cmphex(load(qts, 0, K(SECOND_OUT) + 4), ==, 0x100);
    fugu_advance(qts, SECOND_TIME(3));
    assert_irq(qts, 1, 0);
    fugu_advance(qts, 1);
    assert_irq(qts, 1, FUGU_PEND_SECOND);
    g_assert_cmphex(load(qts, 1, SECOND(WORDS)), ==, 0xabcd0000);
    g_assert_cmphex(load(qts, 1, SECOND(WORDS) + 8), ==, 0x101);
    g_assert_cmphex(load(qts, 1, SECOND(WORDS) + 12), ==, 0);
    g_assert_cmpuint(load(qts, 1, SECOND(PRESENT)), ==, 1);
    g_assert_cmpuint(load(qts, 1, SECOND(LENGTH)), ==, 3);
    g_assert_cmpuint(load(qts, 1, SECOND(BODY)), ==, 0);
    g_assert_cmpuint(load(qts, 1, HEAD(PRESENT)), ==, 0);

    store(qts, 1, K(SECOND_DISPOSE), 0);
    assert_irq(qts, 1, 0);
    assert_zeros(qts, 1, K(SECOND_HEAD), FUGU_HEAD_BODY + 4);
    g_assert_cmphex(fugu_try_store(qts, 1, KERNEL, 4, K(SECOND_DISPOSE), 0),
                    ==, FUGU_TT_BAD_DISPOSE);
    qtest_quit(qts);
}

static void test_second_refused(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    g_assert_cmphex(send_second(qts, 0, 1, 0), ==, VIOLATION);
    g_assert_cmphex(send_second(qts, 0, 1, 17), ==, VIOLATION);
    g_assert_cmphex(send_second(qts, 0, 1, 0x80000001), ==, VIOLATION);
    g_assert_cmphex(send_second(qts, 0, 2, 1), ==, VIOLATION);
    fugu_advance(qts, LONG_TIME);
    g_assert_cmpuint(load(qts, 1, SECOND(PRESENT)), ==, 0);
    g_assert_cmpuint(load(qts, 0, SECOND(PRESENT)), ==, 0);
    qtest_quit(qts);
}

static void test_second_flow(void)
{
    QTestState *qts = fugu_start("nodes=2", "");
    int taken = 0;

    g_assert_cmpint(send_second(qts, 0, 1, 16), ==, FUGU_DONE);
    g_assert_cmpint(send_second(qts, 0, 1, 12), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 4);
    g_assert_cmpint(send_second(qts, 0, 1, 5), ==, FUGU_WAITS);
    g_assert_cmpint(send_second(qts, 0, 1, 4), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 0);
    fugu_advance(qts, SECOND_TIME(16) + SECOND_CREDIT);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 0);
    fugu_advance(qts, 1);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 16);

    /* Its queue holds two long messages; the third waits in the network. */
    fugu_advance(qts, LONG_TIME);
    g_assert_cmpint(send_second(qts, 0, 1, 16), ==, FUGU_DONE);
    g_assert_cmpint(send_second(qts, 0, 1, 16), ==, FUGU_DONE);
    fugu_advance(qts, LONG_TIME);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 0);
    for (; load(qts, 1, SECOND(PRESENT)); taken++) {
        store(qts, 1, K(SECOND_DISPOSE), 1);
    }
    g_assert_cmpint(taken, ==, 5);
    qtest_quit(qts);
}

/* Nothing on the first network delays the second, nor the reverse. */
static void test_second_is_apart(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    while (load(qts, 0, U(SPACE)) == 16) {
        send(qts, 0, USER, 1, 16);
        fugu_advance(qts, LONG_TIME);
    }
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 16);
    g_assert_cmpint(send_second(qts, 0, 1, 1), ==, FUGU_DONE);
    fugu_advance(qts, SECOND_TIME(1) + 1);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE | FUGU_PEND_SECOND);

    send(qts, 1, USER, 0, 1);
    g_assert_cmpint(send_second(qts, 1, 0, 16), ==, FUGU_DONE);
    fugu_advance(qts, MESSAGE_TIME(1) + 1);
    assert_irq(qts, 0, FUGU_PEND_MESSAGE);
    qtest_quit(qts);
}

/* ---- State ------------------------------------------------------------------ */

static void test_migration(void)
{
    const char *options = "nodes=2,input-queue=16,source-space=32";
    QTestState *qts = fugu_start(options, "");

    /* In the queue, in front of it, in flight, half described. */
    send(qts, 0, USER, 1, 10);
    send(qts, 0, USER, 1, 7);
    fugu_advance(qts, LONG_TIME);
    send(qts, 0, USER, 1, 2);
    fugu_advance(qts, 20);
    describe(qts, 0, U(OUT), 1, 5);
    store(qts, 1, K(UAC), FUGU_UAC_INTERRUPT_DISABLE);
    store(qts, 1, K(TIMEOUT), 500);
    fugu_store64(qts, 1, K(OFFSET), -3);
    qts = fugu_migrate(qts, options, "");

    g_assert_cmpuint(fugu_load64(qts, 1, U(CYCLES)), ==, LONG_TIME + 17);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 500);
    assert_irq(qts, 1, 0);
    store(qts, 1, K(UAC), 0);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, 10);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, 7);
    g_assert_cmphex(load(qts, 1, RECORD(ARGS)), ==, 0x101);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    fugu_advance(qts, MESSAGE_TIME(2) - 20);
    assert_available(qts, 1, false);
    fugu_advance(qts, 1);
    g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, 2);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 5);
    g_assert_cmpint(launch(qts, 0, USER, 5), ==, FUGU_DONE);
    fugu_advance(qts, LONG_TIME);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 16);
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
    qtest_add_func("fugu/ni/latency", test_latency);
    qtest_add_func("fugu/ni/receive", test_receive);
    qtest_add_func("fugu/ni/header", test_header);
    qtest_add_func("fugu/ni/order", test_order);
    qtest_add_func("fugu/ni/launch-refused", test_launch_refused);
    qtest_add_func("fugu/ni/matching", test_matching);
    qtest_add_func("fugu/ni/dispose", test_dispose);
    qtest_add_func("fugu/ni/storeback-refused", test_storeback_refused);
    qtest_add_func("fugu/ni/kernel-dispose-dma", test_kernel_dispose_dma);
    qtest_add_func("fugu/ni/uac", test_uac);
    qtest_add_func("fugu/ni/uac-interrupt", test_uac_interrupt);
    qtest_add_func("fugu/ni/timer", test_timer);
    qtest_add_func("fugu/ni/timer-enabled", test_timer_enabled);
    qtest_add_func("fugu/ni/source-space", test_source_space);
    qtest_add_func("fugu/ni/reserved", test_reserved);
    qtest_add_func("fugu/ni/reloaded", test_reloaded);
    qtest_add_func("fugu/ni/full-queue", test_full_queue);
    qtest_add_func("fugu/ni/small-queue", test_small_queue);
    qtest_add_func("fugu/ni/second", test_second);
    qtest_add_func("fugu/ni/second-refused", test_second_refused);
    qtest_add_func("fugu/ni/second-flow", test_second_flow);
    qtest_add_func("fugu/ni/second-is-apart", test_second_is_apart);
    qtest_add_func("fugu/ni/migration", test_migration);
    return g_test_run();
}
