/*
 * qtest of the SHRIMP network interface: each rule of docs/machine.md by itself
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "shrimp-qtest.h"

#define DELIBERATE      FUGU_NIPT_DELIBERATE

static uint32_t kernel_reg(QTestState *qts, unsigned node, uint32_t offset)
{
    return fugu_load(qts, node, K(offset));
}

static uint32_t pending(QTestState *qts, unsigned node)
{
    return kernel_reg(qts, node, FUGU_K_PENDING);
}

/* Fills @words words from @addr on with numbers from @first on. */
static void fill(QTestState *qts, unsigned node, uint32_t addr, uint32_t words,
                 uint32_t first)
{
    for (uint32_t i = 0; i < words; i++) {
        fugu_store(qts, node, addr + 4 * i, first + i);
    }
}

static void assert_filled(QTestState *qts, unsigned node, uint32_t addr,
                          uint32_t words, uint32_t first)
{
    for (uint32_t i = 0; i < words; i++) {
        g_assert_cmphex(fugu_load(qts, node, addr + 4 * i), ==, first + i);
    }
}

static void assert_command(QTestState *qts, unsigned node, uint32_t addr,
                           uint32_t command)
{
    g_assert_cmpint(shrimp_command(qts, node, addr, command), ==, FUGU_DONE);
}

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
        g_assert_cmphex(kernel_reg(qts, 1, zero[i]), ==, 0);
    }
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_OUT_THRESHOLD), ==, 768);
    g_assert_cmphex(kernel_reg(qts, 1, FUGU_K_ARRIVAL), ==,
                    FUGU_SHRIMP_NO_PAGE);
    g_assert_cmphex(kernel_reg(qts, 1, FUGU_K_ENGINE_PAGE), ==,
                    FUGU_SHRIMP_NO_PAGE);
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_MERGE), ==, 32);
    g_assert_cmphex(pending(qts, 1), ==, 0);
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
    g_assert_cmphex(pending(qts, 1), ==, FUGU_PEND_ARRIVAL | FUGU_PEND_DROPPED);
    fugu_store(qts, 1, K(FUGU_K_OUT_THRESHOLD), 100);
    fugu_store(qts, 1, K(FUGU_K_OUT_AWAIT), 100);
    fugu_store(qts, 1, K(FUGU_K_MERGE), 1000);
    fugu_store(qts, 1, AT(3, 0), 1);    /* is the open packet */
    assert_command(qts, 1, AT(1, 0), 1024);
    fugu_advance(qts, 150);
    shrimp_damage(qts, 1, "crc");

    qtest_system_reset(qts);
    assert_reset(qts);
    /* Nothing of before the reset is left that could happen later. */
    fugu_advance(qts, 10 * ARRIVED);
    assert_reset(qts);
    shrimp_map(qts, 1, 1, 2, 2);
    fill(qts, 1, AT(1, 0), 4, 7);
    assert_command(qts, 1, AT(1, 0), 4);
    fugu_advance(qts, ARRIVED);
    assert_filled(qts, 2, AT(2, 0), 4, 7);
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
    g_assert_cmphex(kernel_reg(qts, 0, FUGU_K_NIPT_SPLIT), ==, 8);
    g_assert_cmphex(kernel_reg(qts, 0, FUGU_K_NIPT_IN), ==, 3);

    /* A half has no effect until the other one comes. */
    fugu_store(qts, 0, lower, 3u << 30 | 1);
    g_assert_cmphex(fugu_load(qts, 0, lower), ==, 3u << 30 | 3);
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
    g_assert_cmphex(kernel_reg(qts, 0, FUGU_K_DIVERT), ==, 0);
    g_assert_cmpint(fugu_try_load(qts, 0, USER, 4, U(FUGU_U_RECORD), &value),
                    ==, FUGU_DONE);
    g_assert_cmphex(value, ==, 0);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 4, U(FUGU_U_OUT), 0), ==,
                    VIOLATION);
    g_assert_cmpint(fugu_op(qts, 0, USER, "launch", 1, 0), ==, 0x24);
    g_assert_cmpint(fugu_op(qts, 0, KERNEL, "dispose", 0, 0), ==, 0x24);
    qtest_quit(qts);
}

/* ---- Commands -------------------------------------------------------------- */

/* Latency, pace and order of one command, by the formula of docs/machine.md. */
static void test_send(void)
{
    QTestState *qts = fugu_start(SHRIMP ",dma-word=2,incoming-word=3", "");
    unsigned words = 5;
    uint64_t there = 2 * words + FLIGHT(3, words) + 3 * words;

    shrimp_map(qts, 0, 1, 3, 2);
    fill(qts, 0, AT(1, 16), words, 100);
    assert_command(qts, 0, AT(1, 16), words);
    g_assert_cmphex(shrimp_engine(qts, 0, AT(1, 16)), ==,
                    FUGU_ENGINE_HERE | words);
    g_assert_cmphex(shrimp_engine(qts, 0, AT(1, 20)), ==, words);
    g_assert_cmpuint(kernel_reg(qts, 0, FUGU_K_ENGINE_PAGE), ==, 1);
    g_assert_cmpuint(kernel_reg(qts, 0, FUGU_K_ENGINE_LEFT), ==, words);
    fugu_advance(qts, 2 * words);
    g_assert_cmphex(shrimp_engine(qts, 0, AT(1, 16)), ==, 0);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)), ==, 1);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 0);

    fugu_advance(qts, there - 2 * words);
    g_assert_cmphex(fugu_load(qts, 3, AT(2, 16)), ==, 0);
    g_assert_cmpuint(kernel_reg(qts, 3, FUGU_K_IN_WORDS), ==, 3 + words);
    fugu_advance(qts, 1);
    assert_filled(qts, 3, AT(2, 16), words, 100);
    g_assert_cmphex(fugu_load(qts, 3, AT(2, 12)), ==, 0);
    g_assert_cmphex(fugu_load(qts, 3, AT(2, 16 + 4 * words)), ==, 0);
    g_assert_cmpuint(kernel_reg(qts, 3, FUGU_K_IN_WORDS), ==, 0);
    g_assert_cmpuint(kernel_reg(qts, 3, FUGU_K_IN_ENTERED), ==, 1);
    g_assert_cmpuint(kernel_reg(qts, 3, FUGU_K_IN_LEFT), ==, 1);

    /* The credit has left when the packet entered the FIFO. */
    fugu_advance(qts, 2 * words + FLIGHT(3, words) + 64 + 2 * HOPS(3) - there -
                      2);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 0);
    fugu_advance(qts, 1);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 1);
    g_assert_cmphex(pending(qts, 3), ==, 0);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* A page is one command; its packets have 256 bytes at most, and one follows the
 * other at the pace of the link. */
static void test_page(void)
{
    QTestState *qts = fugu_start(SHRIMP, "");

    shrimp_map(qts, 0, 1, 1, 2);
    fill(qts, 0, AT(1, 0), 1024, 7);
    assert_command(qts, 0, AT(1, 0), 1024);
    fugu_advance(qts, ARRIVED / 4);
    shrimp_assert_holds(qts);
    fugu_advance(qts, 2 * ARRIVED);
    assert_filled(qts, 1, AT(2, 0), 1024, 7);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)), ==, 16);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 16);
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_IN_LEFT), ==, 16);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

static void test_bad_commands(void)
{
    QTestState *qts = fugu_start(SHRIMP ",node-ram=65536", "");
    static const struct { uint32_t addr, command; int result; } tries[] = {
        { AT(1, 0), 1024, 0 },
        { AT(1, 0), 0, VIOLATION },
        { AT(1, 0), 1025, VIOLATION },
        { AT(1, 4), 1024, VIOLATION },
        { AT(1, 4092), 1, 0 },
        { AT(1, 4092), 2, VIOLATION },
        { AT(2, 0), 4, 0 },             /* up to the split */
        { AT(2, 0), 5, VIOLATION },
        { AT(2, 12), 2, VIOLATION },
        { AT(2, 16), 1, VIOLATION },    /* its upper part is nothing */
        { AT(3, 0), 1, VIOLATION },     /* mapped in alone */
        { AT(4, 0), 1, VIOLATION },
        { AT(1, 0), 0x80000000, VIOLATION },    /* the page is deliberate */
        { AT(1, 0), 0x80000001, VIOLATION },
        { AT(1, 0), 0x80000004, VIOLATION },
        { AT(1, 0), FUGU_COMMAND_ARM, VIOLATION },
        { AT(3, 0), FUGU_COMMAND_ARM, 0 },
        { AT(3, 4092), FUGU_COMMAND_DISARM, 0 },
        { AT(4, 0), FUGU_COMMAND_DISARM, VIOLATION },
        { AT(15, 4092), 1, VIOLATION },
        { AT(16, 0), 1, FUGU_TT_DATA_ACCESS },  /* beyond RAM */
    };
    uint64_t value;

    shrimp_map(qts, 0, 1, 1, 2);
    shrimp_split(qts, 0, 2, 16);
    shrimp_part(qts, 0, 2, false, DELIBERATE, 1, AT(3, 0));
    shrimp_in(qts, 0, 3, FUGU_NIPT_IN_MAPPED);
    /* The first command keeps the engine busy: all are checked even so. */
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < ARRAY_SIZE(tries); i++) {
            g_assert_cmpint(shrimp_command(qts, 0, tries[i].addr,
                                           tries[i].command), ==,
                            tries[i].result);
            fugu_advance(qts, pass * ARRIVED * 2);
        }
    }
    for (unsigned size = 1; size <= 8; size *= 2) {
        int result = size == 4 ? FUGU_DONE : VIOLATION;

        g_assert_cmpint(fugu_try_store(qts, 0, USER, size, COMMAND(AT(1, 0)),
                                       1), ==, result);
        g_assert_cmpint(fugu_try_load(qts, 0, USER, size, COMMAND(AT(1, 0)),
                                      &value), ==, result);
    }
    g_assert_cmpint(fugu_try_load(qts, 0, USER, 4, COMMAND(AT(2, 16)), &value),
                    ==, VIOLATION);
    g_assert_cmpint(fugu_try_load(qts, 0, USER, 4, COMMAND(AT(3, 0)), &value),
                    ==, VIOLATION);
    qtest_quit(qts);
}

/* A command to an engine that is busy has no effect. */
static void test_busy(void)
{
    QTestState *qts = fugu_start(SHRIMP, "");

    shrimp_map(qts, 0, 1, 1, 2);
    shrimp_map(qts, 0, 3, 1, 3);
    fill(qts, 0, AT(1, 0), 8, 1);
    fill(qts, 0, AT(3, 0), 8, 11);
    assert_command(qts, 0, AT(1, 0), 8);
    assert_command(qts, 0, AT(3, 0), 8);
    g_assert_cmphex(shrimp_engine(qts, 0, AT(3, 0)), ==, 8);
    fugu_advance(qts, ARRIVED);
    assert_filled(qts, 1, AT(2, 0), 8, 1);
    g_assert_cmphex(fugu_load(qts, 1, AT(3, 0)), ==, 0);
    g_assert_cmphex(shrimp_engine(qts, 0, AT(3, 0)), ==, 0);
    qtest_quit(qts);
}

/* The engine reads a packet's words at the end of the time for them: what is
 * stored before is sent, and what is stored later is not. */
static void test_reuse(void)
{
    QTestState *qts = fugu_start(SHRIMP ",dma-word=2,packet-max=16", "");

    shrimp_map(qts, 0, 1, 1, 2);
    fill(qts, 0, AT(1, 0), 8, 1);
    assert_command(qts, 0, AT(1, 0), 8);
    fugu_advance(qts, 9);               /* the first packet was read at 8 */
    fill(qts, 0, AT(1, 0), 8, 11);
    fugu_advance(qts, ARRIVED);
    assert_filled(qts, 1, AT(2, 0), 4, 1);
    assert_filled(qts, 1, AT(2, 16), 4, 15);
    qtest_quit(qts);
}

/* The kernel takes the mapping away: the rest of the command is not sent. */
static void test_stopped(void)
{
    QTestState *qts = fugu_start(SHRIMP ",packet-max=16", "");

    shrimp_map(qts, 0, 1, 1, 2);
    shrimp_map(qts, 0, 3, 1, 3);
    fill(qts, 0, AT(1, 0), 8, 1);
    assert_command(qts, 0, AT(1, 0), 8);
    fugu_advance(qts, 5);
    shrimp_split(qts, 0, 3, 8);         /* of another page */
    g_assert_cmphex(shrimp_engine(qts, 0, AT(1, 0)), ==, FUGU_ENGINE_HERE | 4);
    shrimp_part(qts, 0, 1, true, FUGU_NIPT_NOTHING, 0, 0);
    g_assert_cmphex(kernel_reg(qts, 0, FUGU_K_ENGINE_PAGE), ==,
                    FUGU_SHRIMP_NO_PAGE);
    fugu_advance(qts, ARRIVED);
    assert_filled(qts, 1, AT(2, 0), 4, 1);
    g_assert_cmphex(fugu_load(qts, 1, AT(2, 16)), ==, 0);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* ---- Split pages ------------------------------------------------------------ */

/* A range that lies differently in its pages here and there. */
static void test_split(void)
{
    QTestState *qts = fugu_start(SHRIMP, "");

    shrimp_split(qts, 0, 1, 64);
    shrimp_part(qts, 0, 1, false, DELIBERATE, 1, AT(5, PAGE - 64));
    shrimp_part(qts, 0, 1, true, DELIBERATE, 2, AT(6, PAGE - 64));
    shrimp_in(qts, 1, 5, FUGU_NIPT_IN_MAPPED);
    shrimp_in(qts, 2, 6, FUGU_NIPT_IN_MAPPED);
    fill(qts, 0, AT(1, 0), 1024, 1);
    assert_command(qts, 0, AT(1, 0), 16);
    fugu_advance(qts, 100);
    assert_command(qts, 0, AT(1, 64), 1008);
    fugu_advance(qts, 3 * ARRIVED);
    g_assert_cmphex(fugu_load(qts, 1, AT(5, PAGE - 68)), ==, 0);
    assert_filled(qts, 1, AT(5, PAGE - 64), 16, 1);
    g_assert_cmphex(fugu_load(qts, 1, AT(6, 0)), ==, 0);
    assert_filled(qts, 2, AT(6, 0), 1008, 17);
    g_assert_cmphex(fugu_load(qts, 2, AT(6, PAGE - 64)), ==, 0);
    qtest_quit(qts);
}

/* The destination stays in its page: it goes on at its begin. */
static void test_around(void)
{
    QTestState *qts = fugu_start(SHRIMP, "");

    shrimp_part(qts, 0, 1, true, DELIBERATE, 1, AT(5, 4088));
    shrimp_in(qts, 1, 5, FUGU_NIPT_IN_MAPPED);
    fill(qts, 0, AT(1, 0), 4, 1);
    assert_command(qts, 0, AT(1, 0), 4);
    fugu_advance(qts, ARRIVED);
    assert_filled(qts, 1, AT(5, 4088), 2, 1);
    assert_filled(qts, 1, AT(5, 0), 2, 3);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)), ==, 2);
    qtest_quit(qts);
}

/* ---- What the receiver checks ------------------------------------------------ */

static void assert_dropped(QTestState *qts, unsigned node, uint32_t place,
                           uint32_t crc, uint32_t page)
{
    g_assert_cmpuint(kernel_reg(qts, node, FUGU_K_DROPPED_PLACE), ==, place);
    g_assert_cmpuint(kernel_reg(qts, node, FUGU_K_DROPPED_CRC), ==, crc);
    g_assert_cmpuint(kernel_reg(qts, node, FUGU_K_DROPPED_PAGE), ==, page);
    g_assert_cmpuint(kernel_reg(qts, node, FUGU_K_DROPPED), ==,
                     place + crc + page);
    g_assert_cmphex(pending(qts, node), ==, FUGU_PEND_DROPPED);
    g_assert_cmphex(fugu_irq(qts, node), ==, FUGU_IRQ_BIT(FUGU_SHRIMP_IRQ_OUTGOING));
    fugu_store(qts, node, K(FUGU_K_DROPPED), 0);
    g_assert_cmphex(fugu_irq(qts, node), ==, 0);
    g_assert_cmphex(fugu_load(qts, node, AT(2, 0)), ==, 0);
}

static void send_word(QTestState *qts)
{
    assert_command(qts, 0, AT(1, 0), 1);
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
    g_assert_cmpuint(kernel_reg(qts, 3, FUGU_K_IN_LEFT), ==, 3);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 3);
    shrimp_in(qts, 3, 2, FUGU_NIPT_IN_MAPPED);
    send_word(qts);
    g_assert_cmphex(fugu_load(qts, 3, AT(2, 0)), ==, 0xcafe);
    /* A page beyond RAM is not mapped in. */
    shrimp_part(qts, 0, 1, true, DELIBERATE, 3, 0xfffff000);
    send_word(qts);
    g_assert_cmpuint(kernel_reg(qts, 3, FUGU_K_DROPPED_PAGE), ==, 2);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* The in-bit counts when the packet is stored, not when it is sent. */
static void test_late_unmap(void)
{
    QTestState *qts = fugu_start(SHRIMP ",incoming-word=100", "");

    shrimp_map(qts, 0, 1, 1, 2);
    fugu_store(qts, 0, AT(1, 0), 0xcafe);
    assert_command(qts, 0, AT(1, 0), 1);
    fugu_advance(qts, 1 + FLIGHT(1, 1) + 50);
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_IN_ENTERED), ==, 1);
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_IN_LEFT), ==, 0);
    shrimp_in(qts, 1, 2, 0);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_DROPPED_PAGE), ==, 1);
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
    assert_command(qts, 1, AT(7, 0), FUGU_COMMAND_ARM);
    assert_command(qts, 1, AT(6, 8), FUGU_COMMAND_ARM);
    assert_command(qts, 1, AT(5, 0), FUGU_COMMAND_ARM);
    assert_command(qts, 1, AT(5, 0), FUGU_COMMAND_DISARM);
    for (unsigned page = 1; page <= 3; page++) {
        assert_command(qts, 0, AT(page, 0), 1);
        fugu_advance(qts, ARRIVED);
    }
    g_assert_cmphex(pending(qts, 1), ==, FUGU_PEND_ARRIVAL);
    g_assert_cmphex(fugu_irq(qts, 1), ==, FUGU_IRQ_BIT(FUGU_SHRIMP_IRQ_ARRIVAL));
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_ARRIVAL), ==, 6);
    fugu_store(qts, 1, K(FUGU_K_ARRIVAL), 6);
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_ARRIVAL), ==, 7);
    fugu_store(qts, 1, K(FUGU_K_ARRIVAL), 7);
    g_assert_cmphex(fugu_irq(qts, 1), ==, 0);
    /* Once: the page is disarmed. */
    assert_command(qts, 0, AT(3, 0), 1);
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
        fill(qts, 0, AT(page, 0), 1024, 1000 * page);
        assert_command(qts, 0, AT(page, 0), 1024);
        for (unsigned i = 0; i < 200 && page < 3 &&
                             shrimp_engine(qts, 0, AT(page, 0)); i++) {
            fugu_advance(qts, 500);
        }
    }
    fugu_advance(qts, ARRIVED);
    /* 15 packets of 67 words are in the receiver's FIFO, and 3 wait before it. */
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_IN_WORDS), ==, 15 * 67);
    g_assert_cmpuint(kernel_reg(qts, 0, FUGU_K_OUT_WORDS), ==, 11 * 67);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)) -
                     fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 3 + 11);
    g_assert_cmphex(fugu_irq(qts, 0), ==, 0);
    shrimp_assert_holds(qts);

    /* The FIFO interrupts above the threshold, or when it has room. */
    fugu_store(qts, 0, K(FUGU_K_OUT_THRESHOLD), 11 * 67 - 1);
    g_assert_cmphex(pending(qts, 0), ==, FUGU_PEND_OUTGOING);
    g_assert_cmphex(fugu_irq(qts, 0), ==, FUGU_IRQ_BIT(FUGU_SHRIMP_IRQ_OUTGOING));
    fugu_store(qts, 0, K(FUGU_K_OUT_AWAIT), 1024 - 10 * 67);
    g_assert_cmphex(pending(qts, 0), ==, 0);
    shrimp_assert_holds(qts);
    fugu_advance(qts, 200 * 64);
    g_assert_cmphex(pending(qts, 0), ==, FUGU_PEND_ROOM);
    g_assert_cmpuint(kernel_reg(qts, 0, FUGU_K_OUT_WORDS), ==, 10 * 67);
    fugu_store(qts, 0, K(FUGU_K_OUT_AWAIT), 0);
    g_assert_cmphex(fugu_irq(qts, 0), ==, 0);

    fugu_advance(qts, 3 * 1024 * 201);
    for (page = 1; page <= 3; page++) {
        assert_filled(qts, 1, AT(page + 4, 0), 1024, 1000 * page);
    }
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_IN_LEFT), ==, 48);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/*
 * Returns the cycles that it takes from the first command until a mebibyte is in
 * memory. The engine gets its next page soon after it has sent one.
 */
static uint64_t mebibyte(const char *options)
{
    g_autofree char *all = g_strdup_printf(SHRIMP "%s", options);
    QTestState *qts = fugu_start(all, "");
    const unsigned pages = 256, packets = 16 * pages;
    uint64_t cycles = 0;

    shrimp_map(qts, 0, 1, 1, 2);
    for (unsigned i = 0; i < pages; i++) {
        while (shrimp_engine(qts, 0, AT(1, 0))) {
            fugu_advance(qts, 200);
            cycles += 200;
        }
        assert_command(qts, 0, AT(1, 0), 1024);
    }
    while (kernel_reg(qts, 1, FUGU_K_IN_LEFT) != packets) {
        fugu_advance(qts, 10);
        cycles += 10;
    }
    shrimp_assert_holds(qts);
    qtest_quit(qts);
    return cycles;
}

/* The link bounds the default machine: 4 cycles for each of the 67 words of a
 * packet. The receiver's I/O bus bounds one with the pace of the paper's. */
static void test_bandwidth(void)
{
    const uint64_t packets = 4096, words = 64 * packets;
    uint64_t by_link = mebibyte("");
    uint64_t by_bus = mebibyte(",quantum=32,mesh-base=32,mesh-hop=1,"
                               "mesh-word=1,incoming-word=3");

    g_assert_cmpuint(by_link, >=, packets * 67 * 4);
    g_assert_cmpuint(by_link, <, packets * 67 * 4 + 1000);
    g_assert_cmpuint(by_bus, >=, words * 3);
    g_assert_cmpuint(by_bus, <, words * 3 + 1000);
}

/* Credits of two receivers come back in another order than the packets left. */
static void test_credits(void)
{
    QTestState *qts = fugu_start("network-interface=shrimp,nodes=9,mesh=9x1,"
                                 "mesh-hop=100,dma-word=0", "");

    shrimp_map(qts, 0, 1, 8, 2);
    shrimp_map(qts, 0, 3, 1, 2);
    assert_command(qts, 0, AT(1, 0), 1);
    assert_command(qts, 0, AT(3, 0), 1);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)), ==, 2);
    fugu_advance(qts, 1000);            /* the credit of node 1 has come */
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_IN_LEFT), ==, 1);
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
        fill(qts, 0, AT(page, 0), 1024, 1000 * page);
    }
    assert_command(qts, 1, AT(6, 0), FUGU_COMMAND_ARM);
    assert_command(qts, 0, AT(1, 0), 1024);
    fugu_advance(qts, 6000);
    assert_command(qts, 0, AT(2, 0), 1024);
    fugu_advance(qts, 6000);
    shrimp_assert_holds(qts);
    qts = fugu_migrate(qts, options, "");
    shrimp_assert_holds(qts);
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_IN_WORDS), >, 900);
    fugu_advance(qts, 2 * 1024 * 201);
    for (unsigned page = 1; page <= 2; page++) {
        assert_filled(qts, 1, AT(page + 4, 0), 1024, 1000 * page);
    }
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_ARRIVAL), ==, 6);
    qts = fugu_migrate(qts, options, "");
    g_assert_cmpuint(kernel_reg(qts, 1, FUGU_K_ARRIVAL), ==, 6);
    g_assert_cmphex(fugu_irq(qts, 1), ==, FUGU_IRQ_BIT(FUGU_SHRIMP_IRQ_ARRIVAL));
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 32);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/shrimp/reset", test_reset);
    qtest_add_func("fugu/shrimp/entry", test_entry);
    qtest_add_func("fugu/shrimp/refused", test_refused);
    qtest_add_func("fugu/shrimp/absent", test_absent);
    qtest_add_func("fugu/shrimp/send", test_send);
    qtest_add_func("fugu/shrimp/page", test_page);
    qtest_add_func("fugu/shrimp/bad-commands", test_bad_commands);
    qtest_add_func("fugu/shrimp/busy", test_busy);
    qtest_add_func("fugu/shrimp/reuse", test_reuse);
    qtest_add_func("fugu/shrimp/stopped", test_stopped);
    qtest_add_func("fugu/shrimp/split", test_split);
    qtest_add_func("fugu/shrimp/around", test_around);
    qtest_add_func("fugu/shrimp/dropped", test_dropped);
    qtest_add_func("fugu/shrimp/late-unmap", test_late_unmap);
    qtest_add_func("fugu/shrimp/arrival", test_arrival);
    qtest_add_func("fugu/shrimp/backlog", test_backlog);
    qtest_add_func("fugu/shrimp/bandwidth", test_bandwidth);
    qtest_add_func("fugu/shrimp/credits", test_credits);
    qtest_add_func("fugu/shrimp/saved", test_saved);
    return g_test_run();
}
