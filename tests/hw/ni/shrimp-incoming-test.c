/*
 * qtest of SHRIMP's way in: what the receiver checks, arrivals, flow control
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "shrimp-qtest.h"

#define DELIBERATE      FUGU_NIPT_DELIBERATE

/* ---- What the receiver checks ------------------------------------------------ */

static void assert_dropped(QTestState *qts, unsigned node, uint32_t place,
                           uint32_t crc, uint32_t page)
{
    g_assert_cmpuint(shrimp_kernel(qts, node, FUGU_K_DROPPED_PLACE), ==, place);
    g_assert_cmpuint(shrimp_kernel(qts, node, FUGU_K_DROPPED_CRC), ==, crc);
    g_assert_cmpuint(shrimp_kernel(qts, node, FUGU_K_DROPPED_PAGE), ==, page);
    g_assert_cmpuint(shrimp_kernel(qts, node, FUGU_K_DROPPED), ==,
                     place + crc + page);
    g_assert_cmphex(shrimp_pending(qts, node), ==, FUGU_PEND_DROPPED);
    g_assert_cmphex(fugu_irq(qts, node), ==, FUGU_IRQ_BIT(FUGU_SHRIMP_IRQ_OUTGOING));
    fugu_store(qts, node, K(FUGU_K_DROPPED), 0);
    g_assert_cmphex(fugu_irq(qts, node), ==, 0);
    g_assert_cmphex(fugu_load(qts, node, AT(2, 0)), ==, 0);
}

static void send_word(QTestState *qts)
{
    shrimp_assert_command(qts, 0, AT(1, 0), 1);
    fugu_advance(qts, ARRIVED);
}

static void test_dropped(void)
{
    QTestState *qts = fugu_start(SHRIMP, "");

    shrimp_map(qts, 0, 1, 3, 2);
    fugu_store(qts, 0, AT(1, 0), 0xcafe);
    shrimp_damage(qts, 0, "coordinates");
    send_word(qts);
    assert_dropped(qts, 3, 1, 0, 0);
    shrimp_damage(qts, 0, "crc");
    send_word(qts);
    assert_dropped(qts, 3, 1, 1, 0);
    shrimp_in(qts, 3, 2, 0);
    send_word(qts);
    assert_dropped(qts, 3, 1, 1, 1);
    /* Nothing is lost but these: all are counted, and the next one arrives. */
    g_assert_cmpuint(shrimp_kernel(qts, 3, FUGU_K_IN_LEFT), ==, 3);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 3);
    shrimp_in(qts, 3, 2, FUGU_NIPT_IN_MAPPED);
    send_word(qts);
    g_assert_cmphex(fugu_load(qts, 3, AT(2, 0)), ==, 0xcafe);
    /* A page beyond RAM is not mapped in. */
    shrimp_part(qts, 0, 1, true, DELIBERATE, 3, 0xfffff000);
    send_word(qts);
    g_assert_cmpuint(shrimp_kernel(qts, 3, FUGU_K_DROPPED_PAGE), ==, 2);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* The in-bit counts when the packet is stored, not when it is sent. */
static void test_late_unmap(void)
{
    QTestState *qts = fugu_start(SHRIMP ",incoming-word=100", "");

    shrimp_map(qts, 0, 1, 1, 2);
    fugu_store(qts, 0, AT(1, 0), 0xcafe);
    shrimp_assert_command(qts, 0, AT(1, 0), 1);
    fugu_advance(qts, 1 + FLIGHT(1, 1) + 50);
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_IN_ENTERED), ==, 1);
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_IN_LEFT), ==, 0);
    shrimp_in(qts, 1, 2, 0);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_DROPPED_PAGE), ==, 1);
    g_assert_cmphex(fugu_load(qts, 1, AT(2, 0)), ==, 0);
    qtest_quit(qts);
}

/* ---- Arrivals ---------------------------------------------------------------- */

static void test_arrival(void)
{
    QTestState *qts = fugu_start(SHRIMP, "");

    for (unsigned page = 1; page <= 3; page++) {
        shrimp_map(qts, 0, page, 1, page + 4);
    }
    shrimp_assert_command(qts, 1, AT(7, 0), FUGU_COMMAND_ARM);
    shrimp_assert_command(qts, 1, AT(6, 8), FUGU_COMMAND_ARM);
    shrimp_assert_command(qts, 1, AT(5, 0), FUGU_COMMAND_ARM);
    shrimp_assert_command(qts, 1, AT(5, 0), FUGU_COMMAND_DISARM);
    for (unsigned page = 1; page <= 3; page++) {
        shrimp_assert_command(qts, 0, AT(page, 0), 1);
        fugu_advance(qts, ARRIVED);
    }
    g_assert_cmphex(shrimp_pending(qts, 1), ==, FUGU_PEND_ARRIVAL);
    g_assert_cmphex(fugu_irq(qts, 1), ==, FUGU_IRQ_BIT(FUGU_SHRIMP_IRQ_ARRIVAL));
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_ARRIVAL), ==, 6);
    /* It is mapped in as before, and not armed any more. */
    fugu_store(qts, 1, K(FUGU_K_NIPT_PAGE), 6);
    g_assert_cmphex(shrimp_kernel(qts, 1, FUGU_K_NIPT_IN), ==,
                    FUGU_NIPT_IN_MAPPED);
    fugu_store(qts, 1, K(FUGU_K_ARRIVAL), 6);
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_ARRIVAL), ==, 7);
    fugu_store(qts, 1, K(FUGU_K_ARRIVAL), 7);
    g_assert_cmphex(fugu_irq(qts, 1), ==, 0);
    /* Once: the page is disarmed. */
    shrimp_assert_command(qts, 0, AT(3, 0), 1);
    fugu_advance(qts, ARRIVED);
    g_assert_cmphex(fugu_irq(qts, 1), ==, 0);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* ---- Flow control -------------------------------------------------------------- */

/* The receiver's bus is slow: its FIFO fills, then the network, then the sender's
 * FIFO up to the threshold; and all of it arrives. */
static void test_backlog(void)
{
    QTestState *qts = fugu_start(SHRIMP ",incoming-word=200", "");
    unsigned page;

    for (page = 1; page <= 3; page++) {
        shrimp_map(qts, 0, page, 1, page + 4);
        shrimp_fill(qts, 0, AT(page, 0), 1024, 1000 * page);
        shrimp_assert_command(qts, 0, AT(page, 0), 1024);
        for (unsigned i = 0; i < 200 && page < 3 &&
                             shrimp_engine(qts, 0, AT(page, 0)); i++) {
            fugu_advance(qts, 500);
        }
    }
    fugu_advance(qts, ARRIVED);
    /* 15 packets of 67 words are in the receiver's FIFO, and 3 wait before it. */
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_IN_WORDS), ==, 15 * 67);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_OUT_WORDS), ==, 11 * 67);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)) -
                     fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 3 + 11);
    g_assert_cmphex(fugu_irq(qts, 0), ==, 0);
    shrimp_assert_holds(qts);

    /* The FIFO interrupts above the threshold, or when it has room. */
    fugu_store(qts, 0, K(FUGU_K_OUT_THRESHOLD), 11 * 67 - 1);
    g_assert_cmphex(shrimp_pending(qts, 0), ==, FUGU_PEND_OUTGOING);
    g_assert_cmphex(fugu_irq(qts, 0), ==, FUGU_IRQ_BIT(FUGU_SHRIMP_IRQ_OUTGOING));
    fugu_store(qts, 0, K(FUGU_K_OUT_AWAIT), 1024 - 10 * 67);
    g_assert_cmphex(shrimp_pending(qts, 0), ==, 0);
    shrimp_assert_holds(qts);
    fugu_advance(qts, 200 * 64);
    g_assert_cmphex(shrimp_pending(qts, 0), ==, FUGU_PEND_ROOM);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_OUT_WORDS), ==, 10 * 67);
    fugu_store(qts, 0, K(FUGU_K_OUT_AWAIT), 0);
    g_assert_cmphex(fugu_irq(qts, 0), ==, 0);

    fugu_advance(qts, 3 * 1024 * 201);
    for (page = 1; page <= 3; page++) {
        shrimp_assert_filled(qts, 1, AT(page + 4, 0), 1024, 1000 * page);
    }
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_IN_LEFT), ==, 48);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* Credits of two receivers come back in another order than the packets left. */
static void test_credits(void)
{
    QTestState *qts = fugu_start("network-interface=shrimp,nodes=9,mesh=9x1,"
                                 "mesh-hop=100,dma-word=0", "");

    shrimp_map(qts, 0, 1, 8, 2);
    shrimp_map(qts, 0, 3, 1, 2);
    shrimp_assert_command(qts, 0, AT(1, 0), 1);
    shrimp_assert_command(qts, 0, AT(3, 0), 1);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)), ==, 2);
    fugu_advance(qts, 1000);            /* the credit of node 1 has come */
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_IN_LEFT), ==, 1);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 0);
    fugu_advance(qts, 1000);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 2);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* ---- Saved ---------------------------------------------------------------------- */

/* Packets are in both FIFOs and in the network, and the engine waits. */
static void test_saved(void)
{
    const char *options = SHRIMP ",incoming-word=200";
    QTestState *qts = fugu_start(options, "");

    for (unsigned page = 1; page <= 2; page++) {
        shrimp_map(qts, 0, page, 1, page + 4);
        shrimp_fill(qts, 0, AT(page, 0), 1024, 1000 * page);
    }
    shrimp_assert_command(qts, 1, AT(6, 0), FUGU_COMMAND_ARM);
    shrimp_assert_command(qts, 0, AT(1, 0), 1024);
    fugu_advance(qts, 6000);
    shrimp_assert_command(qts, 0, AT(2, 0), 1024);
    fugu_advance(qts, 6000);
    shrimp_assert_holds(qts);
    qts = fugu_migrate(qts, options, "");
    shrimp_assert_holds(qts);
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_IN_WORDS), >, 900);
    fugu_advance(qts, 2 * 1024 * 201);
    for (unsigned page = 1; page <= 2; page++) {
        shrimp_assert_filled(qts, 1, AT(page + 4, 0), 1024, 1000 * page);
    }
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_ARRIVAL), ==, 6);
    qts = fugu_migrate(qts, options, "");
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_ARRIVAL), ==, 6);
    g_assert_cmphex(fugu_irq(qts, 1), ==, FUGU_IRQ_BIT(FUGU_SHRIMP_IRQ_ARRIVAL));
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 32);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/shrimp-incoming/dropped", test_dropped);
    qtest_add_func("fugu/shrimp-incoming/late-unmap", test_late_unmap);
    qtest_add_func("fugu/shrimp-incoming/arrival", test_arrival);
    qtest_add_func("fugu/shrimp-incoming/backlog", test_backlog);
    qtest_add_func("fugu/shrimp-incoming/credits", test_credits);
    qtest_add_func("fugu/shrimp-incoming/saved", test_saved);
    return g_test_run();
}
