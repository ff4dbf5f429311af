/*
 * qtest of the network interface: messages, their owners, atomicity
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "ni-qtest.h"

/* ---- Messages ----------------------------------------------------------- */

static void test_latency(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    /* The shortest message, which arrives in a later round. */
    fugu_advance(qts, 100);
    send_message(qts, 0, USER, 1, 2);
    fugu_advance(qts, MESSAGE_TIME(2));
    assert_available(qts, 1, false);
    fugu_advance(qts, 1);
    assert_available(qts, 1, true);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);

    /* From a node to itself: no hop. */
    send_message(qts, 1, USER, 1, 16);
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

/* The header that is sent, by user and kernel. */
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
        send_message(qts, 1, rows[i].mode, rows[i].written, 1);
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

/* Messages arrive in order, of any sender and any kind. */
static void test_order(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    for (unsigned n = 16; n > 12; n--) {
        send_message(qts, 0, n & 1 ? USER : KERNEL, 1, n);
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

    /* An empty window: no effect with any operands. */
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

    /* Pairs of address and length that are no valid body. */
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

    /* The window is unchanged, and nothing was sent. */
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

    /* A launch can send fewer words than were described. */
    store(qts, 0, U(OUT), 1);
    g_assert_cmpint(launch(qts, 0, USER, 2), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 0);
    fugu_advance(qts, LONG_TIME);
    g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, 2);
    g_assert_cmphex(load(qts, 1, RECORD(HANDLER)), ==, FUGU_RAM_BASE);
    g_assert_cmphex(load(qts, 1, RECORD(ARGS)), ==, 0);
    qtest_quit(qts);
}

/* ---- Whose message, and what becomes of it ------------------------------ */

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

    /* interrupt-disable masks the interrupt, not the flag message-available. */
    store(qts, 1, K(UAC), FUGU_UAC_INTERRUPT_DISABLE);
    assert_irq(qts, 1, 0);
    assert_available(qts, 1, true);
    store(qts, 1, K(GID), 4);
    assert_irq(qts, 1, FUGU_PEND_MISMATCH);
    store(qts, 1, K(UAC), 0);
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    assert_irq(qts, 1, 0);

    /* A kernel message matches no user. */
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

    /* A user's dispose clears dispose-pending, a kernel's leaves UAC alone. */
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

/* Operands that a storeback refuses before it accesses memory. */
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
                    FUGU_TT_STOREBACK_EXTEND);
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

    /* An address outside RAM: a trap, and no effect. */
    store(qts, 1, K(DMA_ADDR), FUGU_BOOT_BASE);
    g_assert_cmphex(dispose(qts, 1, KERNEL), ==, VIOLATION);
    store(qts, 1, K(DMA_ADDR), FUGU_RAM_BASE + 8 * 1024 * 1024 - 8);
    g_assert_cmphex(dispose(qts, 1, KERNEL), ==, VIOLATION);
    g_assert_cmpuint(load(qts, 1, HEAD(LENGTH)), ==, 3);
    g_assert_cmpuint(load(qts, 1, K(DMA_ARM)), ==, 1);

    /* The head is in memory at once. The low two address bits are ignored. */
    store(qts, 1, addr + 12, 0x55555555);
    store(qts, 1, K(DMA_ADDR), addr | 3);
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    g_assert_cmphex(load(qts, 1, addr), ==, FUGU_HDR_KERNEL);
    g_assert_cmphex(load(qts, 1, addr + 4), ==, 0x100);
    g_assert_cmphex(load(qts, 1, addr + 8), ==, 0x101);
    g_assert_cmphex(load(qts, 1, addr + 12), ==, 0x55555555);
    g_assert_cmpuint(load(qts, 1, K(DMA_ARM)), ==, 0);

    /* The next head appears when the engine is done. */
    assert_irq(qts, 1, 0);
    assert_zeros(qts, 1, K(HEAD), FUGU_HEAD_SIZE);
    fugu_advance(qts, 29);
    assert_irq(qts, 1, 0);
    fugu_advance(qts, 2);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    g_assert_cmpuint(load(qts, 1, HEAD(LENGTH)), ==, 2);

    /* K_DMA_ARM counts for one message only. */
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    g_assert_cmphex(load(qts, 1, addr + 4), ==, 0x100);

    /* A user's dispose ignores K_DMA_ARM. */
    deliver(qts, USER, 0, 2);
    store(qts, 1, K(DMA_ARM), 1);
    store(qts, 1, K(DMA_ADDR), addr + 0x100);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 1, K(DMA_ARM)), ==, 1);
    g_assert_cmphex(load(qts, 1, addr + 0x104), ==, 0);
    qtest_quit(qts);
}

/* Delivers two words and a body of @bytes bytes from node 0 to node 1. */
static void deliver_body(QTestState *qts, uint32_t bytes)
{
    describe(qts, 0, U(OUT), 1, 2);
    store(qts, 0, U(OUT) + 8, FUGU_RAM_BASE);
    store(qts, 0, U(OUT) + 12, bytes);
    g_assert_cmpint(fugu_op(qts, 0, USER, "launch", 4, 1), ==, FUGU_DONE);
    fugu_advance(qts, LONG_TIME);
}

/* With K_DMA_BODY, the body goes elsewhere than the words. */
static void test_kernel_dispose_body(void)
{
    const uint32_t addr = FUGU_RAM_BASE + 0x1000, body = addr + 0x1000;
    QTestState *qts = fugu_start("nodes=2,dma-word=10", "");

    store(qts, 0, FUGU_RAM_BASE, 0xb0d1);
    store(qts, 0, FUGU_RAM_BASE + 4, 0xb0d2);
    deliver_body(qts, 8);
    store(qts, 1, K(DMA_ADDR), addr);
    store(qts, 1, K(DMA_ARM), 1);

    /* Both addresses have to be in RAM. */
    store(qts, 1, K(DMA_BODY), FUGU_RAM_BASE + 8 * 1024 * 1024 - 4);
    g_assert_cmphex(dispose(qts, 1, KERNEL), ==, VIOLATION);
    store(qts, 1, K(DMA_BODY), FUGU_BOOT_BASE + 0x1000);
    g_assert_cmphex(dispose(qts, 1, KERNEL), ==, VIOLATION);
    g_assert_cmpuint(load(qts, 1, HEAD(LENGTH)), ==, 2);
    assert_zeros(qts, 1, addr, 8);

    store(qts, 1, K(DMA_BODY), body | 3);
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    g_assert_cmphex(load(qts, 1, addr + 4), ==, 0x100);
    assert_zeros(qts, 1, addr + 8, 8);
    g_assert_cmphex(load(qts, 1, body), ==, 0xb0d1);
    g_assert_cmphex(load(qts, 1, body + 4), ==, 0xb0d2);
    assert_zeros(qts, 1, body + 8, 8);

    /* The engine is busy for words and body: four words. */
    fugu_advance(qts, LONG_TIME);
    deliver_body(qts, 8);
    deliver(qts, USER, 0, 2);
    store(qts, 1, K(DMA_ARM), 1);
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    fugu_advance(qts, 39);
    g_assert_cmpuint(load(qts, 1, HEAD(PRESENT)), ==, 0);
    fugu_advance(qts, 2);
    g_assert_cmpuint(load(qts, 1, HEAD(PRESENT)), ==, 1);
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);

    /* A message without a body does not use the register. */
    deliver(qts, USER, 0, 2);
    store(qts, 1, K(DMA_BODY), ~0u);
    store(qts, 1, K(DMA_ARM), 1);
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    qtest_quit(qts);
}

/* U_BODY_SPACE tells when the launch of a body would wait. */
static void test_body_space(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    g_assert_cmpuint(load(qts, 0, U(BODY_SPACE)), ==, FUGU_MSG_WORDS);
    describe(qts, 0, U(OUT), 1, 2);
    store(qts, 0, U(OUT) + 8, FUGU_RAM_BASE);
    store(qts, 0, U(OUT) + 12, 400);
    g_assert_cmpint(fugu_op(qts, 0, USER, "launch", 4, 1), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 0, U(BODY_SPACE)), ==, 0);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, FUGU_MSG_WORDS);
    fugu_advance(qts, 100);             /* the body leaves memory */
    g_assert_cmpuint(load(qts, 0, U(BODY_SPACE)), ==, 0);
    fugu_advance(qts, LONG_TIME);       /* its credit has come back */
    g_assert_cmpuint(load(qts, 0, U(BODY_SPACE)), ==, FUGU_MSG_WORDS);

    /* Messages without a body use up its space, as that of U_SPACE. */
    for (int i = 0; i < 3; i++) {
        send_message(qts, 0, USER, 1, 16);
    }
    send_message(qts, 0, USER, 1, 6);
    g_assert_cmpuint(load(qts, 0, U(BODY_SPACE)), ==, 10);
    qtest_quit(qts);
}

/* ---- Atomicity ---------------------------------------------------------- */

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

/* In kernel mode. Guest programs let the timer run in user mode. */
static void test_timer(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    /* Off: the interrupt is never up, with any counter. */
    store(qts, 1, K(UAC), FUGU_UAC_TIMER_FORCE);
    assert_irq(qts, 1, 0);
    store(qts, 1, K(UAC), 0);

    /* Disabled: the counter follows the preset, and cannot be written. */
    store(qts, 1, K(TIMEOUT), 500);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 500);
    store(qts, 1, K(TIMER), 0);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 500);
    assert_irq(qts, 1, 0);

    /* Enabled: the counter can be written, and counts down; a new preset counts
     * later. */
    store(qts, 1, K(UAC), FUGU_UAC_TIMER_FORCE);
    store(qts, 1, K(TIMER), 1077);
    store(qts, 1, K(TIMEOUT), 600);
    fugu_advance(qts, 1000);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 77);
    assert_irq(qts, 1, 0);
    fugu_advance(qts, 1000);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 0);
    assert_irq(qts, 1, FUGU_PEND_TIMEOUT);
    store(qts, 1, K(TIMER), 1);
    assert_irq(qts, 1, 0);
    store(qts, 1, K(TIMER), 0);
    assert_irq(qts, 1, FUGU_PEND_TIMEOUT);

    /* A write clears the interrupt, and so does disabling or turning off. */
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

    /* interrupt-disable enables the timer only while a message is
     * available. */
    store(qts, 1, K(TIMEOUT), 500);
    store(qts, 1, K(UAC), FUGU_UAC_INTERRUPT_DISABLE);
    store(qts, 1, K(TIMER), 0);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 500);
    deliver(qts, USER, 0, 2);
    deliver(qts, USER, 0, 2);
    store(qts, 1, K(TIMER), 0);
    assert_irq(qts, 1, FUGU_PEND_TIMEOUT);
    /* The kernel's dispose leaves the counter, the user's presets it. */
    g_assert_cmpint(dispose(qts, 1, KERNEL), ==, FUGU_DONE);
    assert_irq(qts, 1, FUGU_PEND_TIMEOUT);
    deliver(qts, USER, 0, 2);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 500);
    assert_irq(qts, 1, 0);
    /* With a head that the user does not own the timer is disabled. */
    store(qts, 1, K(TIMER), 7);
    store(qts, 1, K(DIVERT), 1);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 500);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/ni/latency", test_latency);
    qtest_add_func("fugu/ni/receive", test_receive);
    qtest_add_func("fugu/ni/header", test_header);
    qtest_add_func("fugu/ni/order", test_order);
    qtest_add_func("fugu/ni/launch-refused", test_launch_refused);
    qtest_add_func("fugu/ni/matching", test_matching);
    qtest_add_func("fugu/ni/dispose", test_dispose);
    qtest_add_func("fugu/ni/storeback-refused", test_storeback_refused);
    qtest_add_func("fugu/ni/kernel-dispose-dma", test_kernel_dispose_dma);
    qtest_add_func("fugu/ni/kernel-dispose-body", test_kernel_dispose_body);
    qtest_add_func("fugu/ni/body-space", test_body_space);
    qtest_add_func("fugu/ni/uac", test_uac);
    qtest_add_func("fugu/ni/uac-interrupt", test_uac_interrupt);
    qtest_add_func("fugu/ni/timer", test_timer);
    qtest_add_func("fugu/ni/timer-enabled", test_timer_enabled);
    return g_test_run();
}
