/*
 * qtest of SHRIMP's Outgoing FIFO: who gets room, and when (docs/machine.md)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "shrimp-qtest.h"

#define SLOW            ",mesh-word=1000"       /* nothing leaves meanwhile */
#define ROOM            FUGU_PEND_ROOM

enum { MERGED = 1, SINGLE, ASKED };             /* pages */

/* Node 0 sends three of its pages to one of node 1. */
static QTestState *start(const char *options)
{
    g_autofree char *all = g_strdup_printf(SHRIMP "%s", options);
    QTestState *qts = fugu_start(all, "");

    shrimp_part(qts, 0, MERGED, true, FUGU_NIPT_BLOCKED, 1, AT(2, 0));
    shrimp_part(qts, 0, SINGLE, true, FUGU_NIPT_SINGLE, 1, AT(2, 0));
    shrimp_part(qts, 0, ASKED, true, FUGU_NIPT_DELIBERATE, 1, AT(2, 0));
    shrimp_in(qts, 1, 2, FUGU_NIPT_IN_MAPPED);
    return qts;
}

static void end(QTestState *qts)
{
    fugu_advance(qts, 1);               /* between two rounds */
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* Lets the engine wait for room beside the open packet, which has @merged words. */
static void let_engine_wait(QTestState *qts, uint32_t merged, uint32_t words,
                            uint32_t threshold)
{
    fugu_store(qts, 0, K(FUGU_K_OUT_THRESHOLD), threshold);
    for (uint32_t i = 0; i < merged; i++) {
        fugu_store(qts, 0, AT(MERGED, 4 * i), 1);
    }
    shrimp_assert_command(qts, 0, AT(ASKED, 0), words);
    fugu_advance(qts, words);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_ENGINE_LEFT), ==, words);
}

/* The engine goes on in the cycle in which the open packet leaves: at its
 * deadline, when it is full, or before another store. */
static void test_engine_goes_on(void)
{
    QTestState *qts = start("");

    let_engine_wait(qts, 1, 1, 1);
    fugu_advance(qts, 30);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_ENGINE_LEFT), ==, 1);
    fugu_advance(qts, 1);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_ENGINE_LEFT), ==, 0);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_OUT_WORDS), ==, 4);
    end(qts);

    qts = start(",packet-max=16");
    let_engine_wait(qts, 3, 1, 1);
    fugu_store(qts, 0, AT(MERGED, 12), 1);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_ENGINE_LEFT), ==, 0);
    end(qts);

    qts = start("");
    let_engine_wait(qts, 3, 3, 11);
    fugu_store(qts, 0, AT(SINGLE, 0), 1);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_ENGINE_LEFT), ==, 0);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_OUT_WORDS), ==, 4 + 6);
    end(qts);
}

/* What the open packet has reserved is no room, until it has left. */
static void test_room_for_a_kernel(void)
{
    QTestState *qts = start("");

    fugu_store(qts, 0, K(FUGU_K_OUT_AWAIT), FUGU_SHRIMP_FIFO);
    g_assert_cmphex(shrimp_pending(qts, 0), ==, ROOM);
    fugu_store(qts, 0, AT(MERGED, 0), 1);
    g_assert_cmphex(fugu_irq(qts, 0), ==, 0);
    g_assert_cmphex(shrimp_pending(qts, 0), ==, 0);
    fugu_advance(qts, 31);
    g_assert_cmphex(shrimp_pending(qts, 0), ==, 0);
    fugu_advance(qts, 1);               /* it leaves at once */
    g_assert_cmphex(shrimp_pending(qts, 0), ==, ROOM);
    end(qts);
}

/* Fills the FIFO but for @room words. */
static void fill(QTestState *qts, uint32_t room)
{
    uint32_t fives = room % 4 ? 4 - room % 4 : 0;       /* packets of 5 words */

    fugu_store(qts, 0, AT(SINGLE, 0), 1);               /* is on the link */
    for (uint32_t i = 0; i < fives; i++) {
        fugu_store64(qts, 0, AT(SINGLE, 0), 1);
    }
    while (shrimp_kernel(qts, 0, FUGU_K_OUT_WORDS) < FUGU_SHRIMP_FIFO - room) {
        fugu_store(qts, 0, AT(SINGLE, 0), 1);
    }
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_OUT_WORDS), ==,
                     FUGU_SHRIMP_FIFO - room);
}

static int try_merged(QTestState *qts, uint32_t offset)
{
    return fugu_try_store(qts, 0, USER, 4, AT(MERGED, offset), 1);
}

/* A store that joins the open packet needs room for its word, another one for a
 * packet, even if it is at the address of a packet that has closed. */
static void test_room_for_a_store(void)
{
    for (uint32_t room = 1; room <= 5; room++) {
        QTestState *qts = start(SLOW);

        fugu_store(qts, 0, AT(MERGED, 0), 1);
        fugu_advance(qts, 32);
        fill(qts, room);
        g_assert_cmpint(try_merged(qts, 0), ==,
                        room < 4 ? FUGU_WAITS : FUGU_DONE);
        if (room >= 4) {
            g_assert_cmpint(try_merged(qts, 4), ==,
                            room == 4 ? FUGU_WAITS : FUGU_DONE);
        }
        end(qts);
    }
}

/*
 * A packet enters an empty FIFO, whatever the threshold. So the engine alone interrupts
 * if its largest packet has more words, and not if it has as many. The first packet
 * leaves at once, and the second one waits for the link.
 */
static void test_low_threshold(void)
{
    const uint32_t most = 64 + 3;

    for (uint32_t threshold = most - 1; threshold <= most; threshold++) {
        QTestState *qts = start(SLOW);

        fugu_store(qts, 0, K(FUGU_K_OUT_THRESHOLD), threshold);
        shrimp_assert_command(qts, 0, AT(ASKED, 0), 3 * 64);
        fugu_advance(qts, 2 * 64);
        g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_OUT_WORDS), ==, most);
        g_assert_cmphex(shrimp_pending(qts, 0) & FUGU_PEND_OUTGOING, ==,
                        threshold < most ? FUGU_PEND_OUTGOING : 0);
        fugu_advance(qts, 100);
        g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_OUT_WORDS), ==, most);
        g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_ENGINE_LEFT), ==, 64);
        end(qts);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/shrimp-room/engine", test_engine_goes_on);
    qtest_add_func("fugu/shrimp-room/kernel", test_room_for_a_kernel);
    qtest_add_func("fugu/shrimp-room/store", test_room_for_a_store);
    qtest_add_func("fugu/shrimp-room/threshold", test_low_threshold);
    return g_test_run();
}
