/*
 * qtest of the network interface: flow control, the second network, state
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "ni-qtest.h"

/* ---- Flow control ------------------------------------------------------- */

static void test_source_space(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    send_message(qts, 0, USER, 1, 16);
    send_message(qts, 0, USER, 1, 16);
    send_message(qts, 0, USER, 1, 16);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    send_message(qts, 0, USER, 1, 6);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 10);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 10);

    /* Stores beyond the source space wait, and have no effect. */
    store(qts, 0, U(OUT), 0);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 4, U(OUT) + 40, 1), ==,
                    FUGU_WAITS);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 8, U(OUT) + 40, 1), ==,
                    FUGU_WAITS);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 1);
    store(qts, 0, U(OUT) + 36, 1);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 10);
    g_assert_cmpint(launch(qts, 0, USER, 10), ==, FUGU_DONE);

    /* No space is left, not even for a word to the node itself. */
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 0);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 4, U(OUT), 0), ==,
                    FUGU_WAITS);
    g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 4, K(OUT), 0), ==,
                    FUGU_WAITS);

    /* The space returns one credit latency after each message arrives. */
    fugu_advance(qts, MESSAGE_TIME(16) + CREDIT_TIME);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 0);
    fugu_advance(qts, 1);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    fugu_advance(qts, LONG_TIME);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    qtest_quit(qts);
}

/* Neither window can use words that are reserved for the other one. */
static void test_reserved(void)
{
    QTestState *qts = fugu_start("nodes=2,source-space=32", "");

    describe(qts, 0, U(OUT), 1, 10);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 16);
    send_message(qts, 0, KERNEL, 1, 16);
    /* 32 - 16 words are left, of which 10 are reserved for the user. */
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 6);
    g_assert_cmpint(fugu_try_store(qts, 0, KERNEL, 4, K(OUT) + 24, 1), ==,
                    FUGU_WAITS);
    send_message(qts, 0, KERNEL, 1, 6);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 10);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 0);
    g_assert_cmpint(launch(qts, 0, USER, 10), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 0);
    qtest_quit(qts);
}

/* A descriptor that the kernel has saved and restored reserves no space. */
static void test_reloaded(void)
{
    QTestState *qts = fugu_start("nodes=2,source-space=16", "");

    describe(qts, 0, U(OUT), 1, 10);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 6);
    store(qts, 0, K(USER_LEN), 0);
    g_assert_cmpuint(load(qts, 0, K(SPACE)), ==, 16);
    send_message(qts, 0, KERNEL, 1, 16);

    /* Restoring never waits; the launch afterwards does. */
    store(qts, 0, K(USER_OUT), 1);
    store(qts, 0, K(USER_LEN), 10);
    g_assert_cmpint(launch(qts, 0, USER, 10), ==, FUGU_WAITS);
    g_assert_cmpuint(load(qts, 0, U(DESC_LEN)), ==, 10);
    fugu_advance(qts, MESSAGE_TIME(16) + CREDIT_TIME + 1);
    g_assert_cmpint(launch(qts, 0, USER, 10), ==, FUGU_DONE);
    qtest_quit(qts);
}

/* A receiver that does not dispose of messages stops its senders. */
static void test_full_queue(void)
{
    QTestState *qts = fugu_start("nodes=2", "");
    unsigned sent;

    for (sent = 0; load(qts, 0, U(SPACE)) == 16; sent++) {
        send_message(qts, 0, USER, 1, 16);
        fugu_advance(qts, LONG_TIME);
    }
    g_assert_cmpuint(sent * 16, ==, QUEUE_WORDS + SPACE_WORDS);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 0);

    /* Messages enter the queue as earlier ones are disposed of. */
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    fugu_advance(qts, CREDIT_TIME);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 0);
    fugu_advance(qts, 1);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);

    /* A short message waits for long ones before it, though it would fit. */
    send_message(qts, 0, USER, 1, 1);
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

    send_message(qts, 0, USER, 1, 10);
    send_message(qts, 0, USER, 1, 7);
    send_message(qts, 0, USER, 1, 2);
    fugu_advance(qts, LONG_TIME);
    /* 10 words are in the queue. 7 do not fit, and hold back the next 2. */
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 16);
    send_message(qts, 0, USER, 1, 16);
    g_assert_cmpuint(load(qts, 0, U(SPACE)), ==, 7);
    g_assert_cmpint(dispose(qts, 1, USER), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 1, RECORD(LENGTH)), ==, 7);
    qtest_quit(qts);
}

/* ---- Second network ----------------------------------------------------- */

static int send_second(QTestState *qts, unsigned node, uint32_t header,
                       unsigned words)
{
    describe(qts, node, K(SECOND_OUT), header, MIN(words, FUGU_MSG_WORDS));
    return fugu_try_store(qts, node, KERNEL, 4, K(SECOND_LAUNCH), words);
}

static void test_second(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    /* Software chooses all bits of the header but the node. */
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

    for (unsigned k = 0; k < 3; k++) {
        g_assert_cmpint(send_second(qts, 0, 1, 16), ==, FUGU_DONE);
    }
    g_assert_cmpint(send_second(qts, 0, 1, 12), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 4);
    g_assert_cmpint(send_second(qts, 0, 1, 5), ==, FUGU_WAITS);
    g_assert_cmpint(send_second(qts, 0, 1, 4), ==, FUGU_DONE);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 0);
    fugu_advance(qts, SECOND_TIME(16) + SECOND_CREDIT);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 0);
    fugu_advance(qts, 1);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 16);

    /* Its queue holds four long messages; the next ones wait in the network. */
    fugu_advance(qts, LONG_TIME);
    for (unsigned k = 0; k < 4; k++) {
        g_assert_cmpint(send_second(qts, 0, 1, 16), ==, FUGU_DONE);
    }
    fugu_advance(qts, 2 * LONG_TIME);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 0);
    for (; load(qts, 1, SECOND(PRESENT)); taken++) {
        store(qts, 1, K(SECOND_DISPOSE), 1);
    }
    g_assert_cmpint(taken, ==, 9);
    qtest_quit(qts);
}

/* The networks do not delay each other. */
static void test_second_is_apart(void)
{
    QTestState *qts = fugu_start("nodes=2", "");

    while (load(qts, 0, U(SPACE)) == 16) {
        send_message(qts, 0, USER, 1, 16);
        fugu_advance(qts, LONG_TIME);
    }
    assert_irq(qts, 1, FUGU_PEND_MESSAGE);
    g_assert_cmpuint(load(qts, 0, K(SECOND_SPACE)), ==, 16);
    g_assert_cmpint(send_second(qts, 0, 1, 1), ==, FUGU_DONE);
    fugu_advance(qts, SECOND_TIME(1) + 1);
    assert_irq(qts, 1, FUGU_PEND_MESSAGE | FUGU_PEND_SECOND);

    send_message(qts, 1, USER, 0, 1);
    g_assert_cmpint(send_second(qts, 1, 0, 16), ==, FUGU_DONE);
    fugu_advance(qts, MESSAGE_TIME(1) + 1);
    assert_irq(qts, 0, FUGU_PEND_MESSAGE);
    qtest_quit(qts);
}

/* ---- State -------------------------------------------------------------- */

static void test_migration(void)
{
    const char *options = "nodes=2,input-queue=16,source-space=32";
    QTestState *qts = fugu_start(options, "");

    /* Messages in the queue, blocked, in flight, and half described. */
    send_message(qts, 0, USER, 1, 10);
    send_message(qts, 0, USER, 1, 7);
    fugu_advance(qts, LONG_TIME);
    send_message(qts, 0, USER, 1, 2);
    fugu_advance(qts, 20);
    describe(qts, 0, U(OUT), 1, 5);
    store(qts, 1, K(TIMEOUT), 500);
    store(qts, 1, K(UAC), FUGU_UAC_INTERRUPT_DISABLE);
    store(qts, 1, K(TIMER), 400);
    fugu_store64(qts, 1, K(OFFSET), -3);
    qts = fugu_migrate(qts, options, "");

    g_assert_cmpuint(fugu_load64(qts, 1, U(CYCLES)), ==, LONG_TIME + 17);
    g_assert_cmpuint(load(qts, 1, K(TIMER)), ==, 400);
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
