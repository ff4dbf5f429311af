/*
 * qtest of the M-Machine's message interface: each rule of docs/machine.md by
 * itself
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "mm-qtest.h"

#define ARRIVED         1000            /* long enough for any message */

/* Goes to cycle @time. */
static void until(QTestState *qts, int64_t time)
{
    fugu_advance(qts, time - fugu_time(qts, 0));
}

/* ---- Registers ------------------------------------------------------------ */

static void test_reset(void)
{
    QTestState *qts = mm_start("");

    g_assert_cmpuint(fugu_load(qts, 0, FUGU_CONTROL_BASE + FUGU_CONTROL_NETIF),
                     ==, FUGU_NETIF_M_MACHINE);
    mm_set(qts, 1, FUGU_K_MM_PRIORITY, 1);
    mm_set(qts, 1, FUGU_K_MM_RULES, 0);
    mm_set(qts, 1, FUGU_K_MM_IRQ, 3);
    mm_set(qts, 1, FUGU_K_MM_START, 0x1000);
    g_assert_cmpint(mm_send(qts, 1, THREAD, AT(0, 0), 0, 10, 3, 7), ==,
                    FUGU_DONE);
    g_assert_cmphex(fugu_load(qts, 1, U(FUGU_U_MM_ACK)), ==, 0xfff7);
    qtest_system_reset(qts);

    g_assert_cmphex(fugu_load(qts, 1, U(FUGU_U_MM_ACK)), ==, 0xffff);
    g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_PRIORITY), ==, 0);
    g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_RULES), ==,
                     FUGU_MM_RULE_REPLIES);
    g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_IRQ), ==, 0);
    for (unsigned p = 0; p < 2; p++) {
        g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_STATE + 4 * p), ==,
                         FUGU_MM_SLOT_OFF);
        g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_SPACE + 4 * p), ==, 32);
        g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_WORDS + 4 * p), ==, 0);
        g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_LEFT + 4 * p), ==, 0);
    }
    g_assert_cmpint(mm_send(qts, 1, THREAD, AT(0, 0), 0, 0, 0, 0), ==, MISS);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_WORDS), ==, 0);
    mm_assert_holds(qts);
    mm_assert_balance(qts);
    qtest_quit(qts);
}

/* What no register takes. */
static void test_bad_values(void)
{
    static const uint32_t bad[][2] = {
        { FUGU_K_MM_GTLB, FUGU_MM_GTLB },
        { FUGU_K_MM_HANDLER, FUGU_MM_HANDLERS },
        { FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_GID, 0x1000 },
        { FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_GID, FUGU_MM_VALID },
        { FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_BASE, 4 },
        { FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_SIZE, 2 },
        { FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_SIZE, 31 },
        { FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_SIZE, 0x10010 },
        { FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_LOCAL, 2 },
        { FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_GID, 0x1000 },
        { FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_PC, 2 },
        { FUGU_K_MM_PRIORITY, 2 },
        { FUGU_K_MM_RULES, FUGU_MM_RULES + 1 },
        { FUGU_K_MM_IRQ, 4 },
        { FUGU_K_MM_START, 2 },
        { FUGU_K_MM_STATE, FUGU_MM_SLOT_ON },       /* it was not started */
        { FUGU_K_MM_STATE, FUGU_MM_SLOT_FAULT },
        { FUGU_K_MM_WORDS, 0 },
        { FUGU_K_MM_MISS_DEST, 0 },
        { FUGU_K_MM_ADDRESS, 0 },
        { FUGU_K_MM_CAUSE + 4, 0 },
        { FUGU_K_MM_IRQ + 4, 0 },
        { FUGU_K_MM_WATCHDOG + 4, 0 },
    };
    QTestState *qts = mm_start("");

    mm_set(qts, 0, FUGU_K_MM_GTLB, 5);
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
        g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 4, K(bad[i][0]),
                                       bad[i][1]), ==, VIOLATION);
    }
    g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 8, K(FUGU_K_MM_GTLB), 0),
                    ==, VIOLATION);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 4, K(FUGU_K_MM_GTLB), 0), ==,
                    VIOLATION);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 4, U(FUGU_U_MM_ACK), 0), ==,
                    VIOLATION);
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* Half of 24 words is no room for a message. */
static void test_bad_options(void)
{
    if (g_test_subprocess()) {
        qtest_quit(mm_start(",input-queue=25"));
        return;
    }
    g_test_trap_subprocess(NULL, 0, 0);
    g_test_trap_assert_failed();
    g_test_trap_assert_stderr("*input-queue=25: with two priorities it must be "
                              "26 or more*");
}

/* ---- A message ------------------------------------------------------------ */

/* Word by word, each at its cycle. */
static void test_words_as_they_come(void)
{
    QTestState *qts = mm_start("");

    g_assert_cmpint(mm_send(qts, 0, THREAD, AT(3, 0x128), 2, 3, 0, 100), ==,
                    FUGU_DONE);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_SPACE), ==, 32 - 6);
    until(qts, COMES(3, 0));
    g_assert_cmpuint(mm_kernel(qts, 3, FUGU_K_MM_WORDS), ==, 0);
    until(qts, COMES(3, 0) + 1);
    g_assert_cmpuint(mm_kernel(qts, 3, FUGU_K_MM_WORDS), ==, 6);
    until(qts, COMES(3, 1) - 1);
    mm_assert_waits(qts, 3, SLOT_0, true);
    until(qts, COMES(3, 1));
    mm_assert_head(qts, 3, SLOT_0, PC(2));
    for (unsigned i = 2; i < 6; i++) {
        until(qts, COMES(3, i) - 1);
        mm_assert_waits(qts, 3, SLOT_0, false);
        until(qts, COMES(3, i));
        mm_assert_body(qts, 3, SLOT_0, i == 2 ? LOCAL + 0x128 : 97 + i);
        mm_assert_holds(qts);
    }
    /* It has left, and is null from then on. */
    g_assert_cmpuint(mm_kernel(qts, 3, FUGU_K_MM_WORDS), ==, 0);
    g_assert_cmpuint(mm_kernel(qts, 3, FUGU_K_MM_LEFT), ==, 1);
    mm_assert_body(qts, 3, SLOT_0, 0);
    mm_assert_body(qts, 3, SLOT_0, 0);
    mm_assert_waits(qts, 3, SLOT_0, true);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_SPACE), ==, 32);
    mm_assert_holds(qts);
    mm_assert_balance(qts);
    qtest_quit(qts);
}

/* MsgHead drops the rest of the current message. */
static void test_head_drops_the_rest(void)
{
    QTestState *qts = mm_start("");

    mm_send(qts, 0, THREAD, AT(1, 0), 0, 0, 0, 0);
    mm_send(qts, 0, THREAD, AT(1, 8), 1, 5, 0, 10);
    fugu_advance(qts, ARRIVED);
    mm_send(qts, 0, THREAD, AT(1, 16), 3, 1, 0, 20);
    fugu_advance(qts, ARRIVED);

    mm_assert_head(qts, 1, SLOT_0, PC(0));
    mm_assert_head(qts, 1, SLOT_0, PC(1));
    mm_assert_body(qts, 1, SLOT_0, LOCAL + 8);
    mm_assert_body(qts, 1, SLOT_0, 10);
    g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_WORDS), ==, 8 + 4);
    mm_assert_head(qts, 1, SLOT_0, PC(3));
    g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_WORDS), ==, 4);
    mm_assert_body(qts, 1, SLOT_0, LOCAL + 16);
    mm_assert_body(qts, 1, SLOT_0, 20);
    mm_assert_body(qts, 1, SLOT_0, 0);
    g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_LEFT), ==, 3);
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* Who waits for the next message frees the room of the current one, when its tail
 * has come: the next one needs it. */
static void test_waiting_frees_room(void)
{
    QTestState *qts = mm_start(",input-queue=26");

    mm_send(qts, 0, THREAD, AT(1, 0), 0, 10, 0, 10);        /* 13 words */
    until(qts, 10);
    mm_send(qts, 0, THREAD, AT(1, 0), 1, 0, 0, 0);
    until(qts, COMES(1, 1));
    mm_assert_head(qts, 1, SLOT_0, PC(0));
    mm_assert_waits(qts, 1, SLOT_0, true);
    mm_assert_body(qts, 1, SLOT_0, 0);          /* the rest is lost at once */
    mm_assert_holds(qts);
    until(qts, COMES(1, 12));
    g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_WORDS), ==, 13);
    until(qts, COMES(1, 12) + 1);
    g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_WORDS), ==, 0);
    /* The second message follows on the link. */
    until(qts, COMES(1, 14));
    mm_assert_head(qts, 1, SLOT_0, PC(1));
    until(qts, COMES(1, 15));
    mm_assert_body(qts, 1, SLOT_0, LOCAL);
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* A message that waits for room comes word by word from then on. */
static void test_blocked_message(void)
{
    QTestState *qts = mm_start(",input-queue=26");

    mm_send(qts, 0, THREAD, AT(1, 0), 0, 10, 0, 10);
    until(qts, 10);
    mm_send(qts, 0, THREAD, AT(1, 8), 1, 0, 0, 0);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(mm_kernel(qts, 1, FUGU_K_MM_WORDS), ==, 13);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_SPACE), ==, 32 - 3);
    mm_assert_head(qts, 1, SLOT_0, PC(0));
    mm_assert_waits(qts, 1, SLOT_0, true);      /* now there is room */
    fugu_advance(qts, 3);
    mm_assert_waits(qts, 1, SLOT_0, true);
    fugu_advance(qts, 1);
    mm_assert_head(qts, 1, SLOT_0, PC(1));
    fugu_advance(qts, 3);
    mm_assert_waits(qts, 1, SLOT_0, false);
    fugu_advance(qts, 1);
    mm_assert_body(qts, 1, SLOT_0, LOCAL + 8);
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* ---- Injection ------------------------------------------------------------ */

/* The registers may change when the network has them, a word a cycle. */
static void test_ack(void)
{
    QTestState *qts = mm_start("");

    g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 0), 0, 7, 4, 0), ==,
                    FUGU_DONE);
    g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 0), 0, 0, 5, 0), ==,
                    FUGU_WAITS);
    g_assert_cmpint(mm_send(qts, 0, SLOT_0, AT(1, 0), 0, 7, 4, 0), ==,
                    FUGU_DONE);
    until(qts, 6);
    g_assert_cmphex(fugu_load(qts, 0, U(FUGU_U_MM_ACK)), ==, 0xffef);
    g_assert_cmpint(mm_await(qts, 0, THREAD, 0x10), ==, FUGU_WAITS);
    g_assert_cmpint(mm_await(qts, 0, THREAD, 0xffef), ==, FUGU_DONE);
    g_assert_cmpint(mm_await(qts, 0, SLOT_1, 0x10), ==, FUGU_DONE);
    until(qts, 7);
    g_assert_cmphex(fugu_load(qts, 0, U(FUGU_U_MM_ACK)), ==, 0xffff);
    g_assert_cmpint(mm_await(qts, 0, THREAD, 0xffff), ==, FUGU_DONE);
    g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 0), 0, 0, 5, 0), ==,
                    FUGU_DONE);
    g_assert_cmpint(mm_await(qts, 0, THREAD, 0x20), ==, FUGU_DONE);
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* Each priority has space of its own. */
static void test_space(void)
{
    QTestState *qts = mm_start("");

    for (unsigned i = 0; i < 2; i++) {
        g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 0), 0, 10, 0, 0), ==,
                        FUGU_DONE);
        fugu_advance(qts, 10);
    }
    g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 0), 0, 4, 0, 0), ==,
                    FUGU_WAITS);
    g_assert_cmpint(mm_send(qts, 0, SLOT_0, AT(1, 0), 0, 4, 0, 0), ==,
                    FUGU_DONE);
    g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 0), 0, 3, 0, 0), ==,
                    FUGU_DONE);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_SPACE), ==, 32);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_SPACE + 4), ==, 32);
    mm_assert_balance(qts);
    qtest_quit(qts);
}

/* ---- Protection ----------------------------------------------------------- */

static void assert_send(QTestState *qts, int should, uint32_t dest,
                        uint32_t handler, unsigned length)
{
    g_assert_cmpint(mm_send(qts, 0, THREAD, dest, handler, length, 0, 0), ==,
                    should);
    if (should != FUGU_DONE) {
        g_assert_cmphex(mm_kernel(qts, 0, FUGU_K_MM_MISS_DEST), ==, dest);
        g_assert_cmphex(mm_kernel(qts, 0, FUGU_K_MM_MISS_IP), ==, handler);
    }
    fugu_advance(qts, 10);
}

static void test_protection(void)
{
    const uint32_t size = 1 << SIZE_LOG;
    QTestState *qts = mm_start("");

    /* The window has a part for each node, and nothing beside it. */
    assert_send(qts, MISS, WINDOW - 8, 0, 0);
    assert_send(qts, MISS, AT(4, 0), 0, 0);
    assert_send(qts, MISS, 0, 0, 0);
    assert_send(qts, MISS, 0xffffffff, 0, 0);
    assert_send(qts, MISS, AT(0, 0), 4, 0);
    assert_send(qts, MISS, AT(0, 0), 0x8000, 0);
    assert_send(qts, FUGU_DONE, AT(0, size - EXTENT), 0, 0);
    /* All that the handler may touch lies in one part. */
    assert_send(qts, VIOLATION, AT(0, size - EXTENT + 1), 0, 0);
    assert_send(qts, VIOLATION, AT(0, size - 1), 0, 0);
    /* Lengths. */
    assert_send(qts, FUGU_DONE, AT(0, 0), 0, 10);
    for (unsigned length = 11; length <= 15; length++) {
        assert_send(qts, VIOLATION, AT(0, 0), 0, length);
    }
    /* Rights that the handler needs. */
    mm_handler(qts, 0, 9, 0, 9, PC(9), 5u << FUGU_MM_NEEDS_SHIFT);
    assert_send(qts, VIOLATION, AT(0, 0), 9, 0);
    mm_segment(qts, 0, 0, 0, WINDOW, SIZE_LOG | 4 << FUGU_MM_RIGHTS_SHIFT,
               LOCAL);
    assert_send(qts, VIOLATION, AT(0, 0), 9, 0);
    mm_segment(qts, 0, 0, 0, WINDOW, SIZE_LOG | 7 << FUGU_MM_RIGHTS_SHIFT,
               LOCAL);
    assert_send(qts, FUGU_DONE, AT(0, 0), 9, 0);
    /* Entries of others, and entries that are not valid. */
    fugu_store(qts, 0, K(FUGU_K_GID), 5);
    assert_send(qts, MISS, AT(0, 0), 0, 0);
    mm_segment(qts, 0, 1, 5, WINDOW, SIZE_LOG, LOCAL);
    assert_send(qts, MISS, AT(0, 0), 0, 0);
    mm_handler(qts, 0, 10, 5, 0, PC(0), EXTENT);
    assert_send(qts, FUGU_DONE, AT(0, 0), 0, 0);
    mm_set(qts, 0, FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_GID, 5);
    assert_send(qts, MISS, AT(0, 0), 0, 0);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_WORDS), ==, 3 + 13 + 3 + 3);
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* The GID of the sender, which the hardware has stamped, is the handler's. */
static void test_gid(void)
{
    QTestState *qts = mm_start("");

    mm_segment(qts, 0, 1, 0xabc, WINDOW, SIZE_LOG, LOCAL);
    mm_handler(qts, 0, 4, 0xabc, 0, PC(7), EXTENT);
    fugu_store(qts, 0, K(FUGU_K_GID), 0xabc);
    assert_send(qts, FUGU_DONE, AT(1, 0), 0, 0);
    fugu_advance(qts, ARRIVED);
    mm_assert_head(qts, 1, SLOT_0, PC(7));
    g_assert_cmphex(mm_kernel(qts, 1, FUGU_K_MM_GID), ==, 0xabc);
    /* What it sends is of that GID too, which has no entries at node 1. */
    g_assert_cmpint(mm_send(qts, 1, SLOT_0, AT(0, 0), 0, 0, 0, 0), ==, MISS);
    mm_segment(qts, 1, 1, 0xabc, WINDOW, SIZE_LOG, LOCAL);
    mm_handler(qts, 1, 4, 0xabc, 0, PC(6), EXTENT);
    g_assert_cmpint(mm_send(qts, 1, SLOT_0, AT(0, 0), 0, 0, 0, 0), ==,
                    FUGU_DONE);
    fugu_advance(qts, ARRIVED);
    mm_assert_head(qts, 0, SLOT_1, PC(6));
    g_assert_cmphex(mm_kernel(qts, 0, FUGU_K_MM_GID + 4), ==, 0xabc);
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* ---- Priorities ----------------------------------------------------------- */

static void test_priorities(void)
{
    QTestState *qts = mm_start("");

    /* Threads send at 0, handlers of 0 at 1, those of 1 not at all. */
    g_assert_cmpint(mm_send(qts, 0, SLOT_0, AT(1, 0), 1, 0, 0, 0), ==,
                    FUGU_DONE);
    g_assert_cmpint(mm_send(qts, 0, SLOT_1, AT(1, 0), 2, 0, 0, 0), ==,
                    VIOLATION);
    fugu_advance(qts, ARRIVED);
    mm_assert_waits(qts, 1, SLOT_0, true);
    mm_assert_head(qts, 1, SLOT_1, PC(1));

    mm_set(qts, 0, FUGU_K_MM_RULES, 0);
    g_assert_cmpint(mm_send(qts, 0, SLOT_0, AT(1, 0), 1, 0, 0, 0), ==,
                    FUGU_DONE);
    g_assert_cmpint(mm_send(qts, 0, SLOT_1, AT(1, 0), 2, 0, 0, 0), ==,
                    FUGU_DONE);
    fugu_advance(qts, ARRIVED);
    mm_assert_head(qts, 1, SLOT_0, PC(1));
    mm_assert_head(qts, 1, SLOT_1, PC(2));

    mm_set(qts, 0, FUGU_K_MM_PRIORITY, 1);
    g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 0), 3, 0, 0, 0), ==,
                    FUGU_DONE);
    fugu_advance(qts, ARRIVED);
    mm_assert_head(qts, 1, SLOT_1, PC(3));
    mm_assert_holds(qts);
    mm_assert_balance(qts);
    qtest_quit(qts);
}

/* On the links priority 1 goes first: it waits for one message at most. */
static void test_urgent_overtakes(void)
{
    QTestState *qts = mm_start(",source-space=128");

    for (unsigned i = 0; i < 4; i++) {          /* 52 words, 208 cycles */
        g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 0), 0, 10, 0, 0), ==,
                        FUGU_DONE);
        fugu_advance(qts, 10);
    }
    g_assert_cmpint(mm_send(qts, 0, SLOT_0, AT(1, 0), 1, 0, 0, 0), ==,
                    FUGU_DONE);
    /* Sent at 40. At three links it waits for 52 cycles at most. */
    fugu_advance(qts, 3 * 52 + COMES(1, 1));
    mm_assert_head(qts, 1, SLOT_1, PC(1));
    g_assert_cmpint(fugu_time(qts, 1), <, COMES(1, 4 * 13 + 1));
    fugu_advance(qts, ARRIVED);
    for (unsigned i = 0; i < 4; i++) {
        mm_assert_head(qts, 1, SLOT_0, PC(0));
    }
    mm_assert_holds(qts);
    mm_assert_balance(qts);
    qtest_quit(qts);
}

/* ---- Faults and the main context -------------------------------------------- */

static void test_fault(void)
{
    QTestState *qts = mm_start("");

    mm_set(qts, 0, FUGU_K_MM_START + 4, 0x3000);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_STATE + 4), ==,
                     FUGU_MM_SLOT_ON);
    g_assert_cmphex(mm_kernel(qts, 0, FUGU_K_MM_START + 4), ==, 0x3000);
    mm_fault(qts, 0, SLOT_1, 9);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_STATE + 4), ==,
                     FUGU_MM_SLOT_FAULT);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_FAULT + 4), ==, 9);
    g_assert_cmphex(fugu_load(qts, 0, K(FUGU_K_PENDING)), ==, FUGU_PEND_FAULT);
    g_assert_cmphex(fugu_irq(qts, 0), ==, FUGU_IRQ_BIT(FUGU_IRQ_MISMATCH));
    mm_assert_holds(qts);
    mm_set(qts, 0, FUGU_K_MM_STATE + 4, FUGU_MM_SLOT_ON);
    g_assert_cmphex(fugu_irq(qts, 0), ==, 0);
    mm_fault(qts, 0, SLOT_1, 9);
    mm_set(qts, 0, FUGU_K_MM_STATE + 4, FUGU_MM_SLOT_OFF);
    g_assert_cmphex(fugu_load(qts, 0, K(FUGU_K_PENDING)), ==, 0);
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* The kernel learns which SEND of a slot has trapped, whatever traps after it. */
static void test_fault_of_a_send(void)
{
    QTestState *qts = mm_start("");

    mm_set(qts, 0, FUGU_K_MM_START, 0x3000);
    g_assert_cmpint(mm_send(qts, 0, SLOT_0, AT(9, 8), 7, 0, 0, 0), ==, MISS);
    mm_fault(qts, 0, SLOT_0, MISS);
    g_assert_cmpint(mm_send(qts, 0, THREAD, 0, 1, 0, 0, 0), ==, MISS);
    g_assert_cmphex(mm_kernel(qts, 0, FUGU_K_MM_ADDRESS), ==, AT(9, 8));
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_CAUSE), ==, 7);
    g_assert_cmphex(mm_kernel(qts, 0, FUGU_K_MM_ADDRESS + 4), ==, 0);
    qts = fugu_migrate(qts, MM, "");
    g_assert_cmphex(mm_kernel(qts, 0, FUGU_K_MM_ADDRESS), ==, AT(9, 8));
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_CAUSE), ==, 7);
    qtest_quit(qts);
}

/* A slot that is held interrupts no more, and goes on when the kernel says so. */
static void test_held(void)
{
    QTestState *qts = mm_start("");

    g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 4, K(FUGU_K_MM_STATE),
                                   FUGU_MM_SLOT_HELD), ==, VIOLATION);
    mm_set(qts, 0, FUGU_K_MM_START, 0x3000);
    mm_fault(qts, 0, SLOT_0, 9);
    g_assert_cmphex(fugu_irq(qts, 0), ==, FUGU_IRQ_BIT(FUGU_IRQ_MISMATCH));
    mm_set(qts, 0, FUGU_K_MM_STATE, FUGU_MM_SLOT_HELD);
    g_assert_cmphex(fugu_irq(qts, 0), ==, 0);
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_STATE), ==, FUGU_MM_SLOT_HELD);
    mm_assert_holds(qts);
    mm_set(qts, 0, FUGU_K_MM_STATE, FUGU_MM_SLOT_ON);
    mm_set(qts, 0, FUGU_K_MM_STATE, FUGU_MM_SLOT_HELD);
    qts = fugu_migrate(qts, MM, "");
    g_assert_cmpuint(mm_kernel(qts, 0, FUGU_K_MM_STATE), ==, FUGU_MM_SLOT_HELD);
    g_assert_cmphex(mm_kernel(qts, 0, FUGU_K_MM_START), ==, 0x3000);
    mm_set(qts, 0, FUGU_K_MM_STATE, FUGU_MM_SLOT_OFF);
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* The main context reads the queue of a slot that is off, and is interrupted. */
static void test_main_context_reads(void)
{
    QTestState *qts = mm_start("");

    mm_set(qts, 1, FUGU_K_MM_IRQ, 1);
    g_assert_cmphex(mm_kernel(qts, 1, FUGU_K_MM_HEAD), ==, 0);
    mm_send(qts, 0, THREAD, AT(1, 0), 2, 2, 0, 50);
    until(qts, COMES(1, 1));
    g_assert_cmphex(fugu_irq(qts, 1), ==, 0);
    until(qts, COMES(1, 1) + 1);
    g_assert_cmphex(fugu_irq(qts, 1), ==, FUGU_IRQ_BIT(FUGU_IRQ_MESSAGE));
    g_assert_cmphex(mm_kernel(qts, 1, FUGU_K_MM_HEAD), ==, PC(2));
    g_assert_cmphex(fugu_irq(qts, 1), ==, 0);
    /* The loads wait for their words. */
    g_assert_cmphex(mm_kernel(qts, 1, FUGU_K_MM_BODY), ==, LOCAL);
    g_assert_cmpint(fugu_time(qts, 1), ==, COMES(1, 2));
    g_assert_cmphex(mm_kernel(qts, 1, FUGU_K_MM_BODY), ==, 50);
    g_assert_cmpint(fugu_time(qts, 1), ==, COMES(1, 3));
    g_assert_cmphex(mm_kernel(qts, 1, FUGU_K_MM_BODY), ==, 51);
    g_assert_cmphex(mm_kernel(qts, 1, FUGU_K_MM_BODY), ==, 0);
    g_assert_cmpint(fugu_time(qts, 1), ==, COMES(1, 4));
    mm_assert_holds(qts);
    fugu_advance(qts, ARRIVED);

    /* Not while the slot is on: the message is the slot's. */
    mm_set(qts, 1, FUGU_K_MM_START, 0x1000);
    mm_send(qts, 0, THREAD, AT(1, 0), 2, 2, 0, 50);
    fugu_advance(qts, ARRIVED);
    g_assert_cmphex(mm_kernel(qts, 1, FUGU_K_MM_HEAD), ==, 0);
    mm_assert_head(qts, 1, SLOT_0, PC(2));
    g_assert_cmphex(mm_kernel(qts, 1, FUGU_K_MM_BODY), ==, 0);
    mm_assert_body(qts, 1, SLOT_0, LOCAL);
    mm_assert_holds(qts);
    qtest_quit(qts);
}

/* ---- Saved ------------------------------------------------------------------ */

/* In the middle of a message, with others behind it and one under way. */
static void test_saved(void)
{
    QTestState *qts = mm_start("");

    mm_send(qts, 0, THREAD, AT(1, 0), 1, 6, 2, 70);
    mm_send(qts, 2, SLOT_0, AT(1, 8), 2, 1, 2, 80);
    until(qts, 10);
    mm_send(qts, 0, THREAD, AT(1, 16), 3, 2, 9, 90);
    until(qts, COMES(1, 3));
    mm_assert_head(qts, 1, SLOT_0, PC(1));
    mm_assert_body(qts, 1, SLOT_0, LOCAL);
    mm_assert_body(qts, 1, SLOT_0, 70);
    mm_assert_waits(qts, 1, SLOT_0, false);
    qts = fugu_migrate(qts, MM, "");
    mm_assert_holds(qts);
    until(qts, COMES(1, 4) - 1);
    mm_assert_waits(qts, 1, SLOT_0, false);
    until(qts, COMES(1, 4));
    mm_assert_body(qts, 1, SLOT_0, 71);
    fugu_advance(qts, ARRIVED);
    mm_assert_body(qts, 1, SLOT_0, 72);
    mm_assert_head(qts, 1, SLOT_0, PC(3));
    mm_assert_body(qts, 1, SLOT_0, LOCAL + 16);
    mm_assert_body(qts, 1, SLOT_0, 90);
    mm_assert_head(qts, 1, SLOT_1, PC(2));
    g_assert_cmpint(mm_send(qts, 0, THREAD, AT(1, 16), 3, 2, 9, 90), ==,
                    FUGU_DONE);
    mm_assert_holds(qts);
    fugu_advance(qts, ARRIVED);
    mm_assert_balance(qts);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("/fugu/mm/reset", test_reset);
    qtest_add_func("/fugu/mm/bad-values", test_bad_values);
    qtest_add_func("/fugu/mm/bad-options", test_bad_options);
    qtest_add_func("/fugu/mm/words-as-they-come", test_words_as_they_come);
    qtest_add_func("/fugu/mm/head-drops-the-rest", test_head_drops_the_rest);
    qtest_add_func("/fugu/mm/waiting-frees-room", test_waiting_frees_room);
    qtest_add_func("/fugu/mm/blocked-message", test_blocked_message);
    qtest_add_func("/fugu/mm/ack", test_ack);
    qtest_add_func("/fugu/mm/space", test_space);
    qtest_add_func("/fugu/mm/protection", test_protection);
    qtest_add_func("/fugu/mm/gid", test_gid);
    qtest_add_func("/fugu/mm/priorities", test_priorities);
    qtest_add_func("/fugu/mm/urgent-overtakes", test_urgent_overtakes);
    qtest_add_func("/fugu/mm/fault", test_fault);
    qtest_add_func("/fugu/mm/fault-of-a-send", test_fault_of_a_send);
    qtest_add_func("/fugu/mm/held", test_held);
    qtest_add_func("/fugu/mm/main-context-reads", test_main_context_reads);
    qtest_add_func("/fugu/mm/saved", test_saved);
    return g_test_run();
}
