/*
 * qtest of SHRIMP's deliberate update: each rule of docs/machine.md by itself
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "shrimp-qtest.h"

#define DELIBERATE      FUGU_NIPT_DELIBERATE

/* ---- Commands -------------------------------------------------------------- */

/* Latency, pace and order of one command, by the formula of docs/machine.md. */
static void test_send(void)
{
    QTestState *qts = fugu_start(SHRIMP ",dma-word=2,incoming-word=3", "");
    unsigned words = 5;
    uint64_t there = 2 * words + FLIGHT(3, words) + 3 * words;

    shrimp_map(qts, 0, 1, 3, 2);
    shrimp_fill(qts, 0, AT(1, 16), words, 100);
    shrimp_assert_command(qts, 0, AT(1, 16), words);
    g_assert_cmphex(shrimp_engine(qts, 0, AT(1, 16)), ==,
                    FUGU_ENGINE_HERE | words);
    g_assert_cmphex(shrimp_engine(qts, 0, AT(1, 20)), ==, words);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_ENGINE_PAGE), ==, 1);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_ENGINE_LEFT), ==, words);
    fugu_advance(qts, 2 * words);
    g_assert_cmphex(shrimp_engine(qts, 0, AT(1, 16)), ==, 0);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)), ==, 1);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 0);

    fugu_advance(qts, there - 2 * words);
    g_assert_cmphex(fugu_load(qts, 3, AT(2, 16)), ==, 0);
    g_assert_cmpuint(shrimp_kernel(qts, 3, FUGU_K_IN_WORDS), ==, 3 + words);
    fugu_advance(qts, 1);
    shrimp_assert_filled(qts, 3, AT(2, 16), words, 100);
    g_assert_cmphex(fugu_load(qts, 3, AT(2, 12)), ==, 0);
    g_assert_cmphex(fugu_load(qts, 3, AT(2, 16 + 4 * words)), ==, 0);
    g_assert_cmpuint(shrimp_kernel(qts, 3, FUGU_K_IN_WORDS), ==, 0);
    g_assert_cmpuint(shrimp_kernel(qts, 3, FUGU_K_IN_ENTERED), ==, 1);
    g_assert_cmpuint(shrimp_kernel(qts, 3, FUGU_K_IN_LEFT), ==, 1);

    /* The credit has left when the packet entered the FIFO. */
    fugu_advance(qts, 2 * words + FLIGHT(3, words) + 64 + 2 * HOPS(3) - there -
                      2);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 0);
    fugu_advance(qts, 1);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 1);
    g_assert_cmphex(shrimp_pending(qts, 3), ==, 0);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* A page is one command; its packets have 256 bytes at most, and one follows the
 * other at the pace of the link. */
static void test_page(void)
{
    QTestState *qts = fugu_start(SHRIMP, "");

    shrimp_map(qts, 0, 1, 1, 2);
    shrimp_fill(qts, 0, AT(1, 0), 1024, 7);
    shrimp_assert_command(qts, 0, AT(1, 0), 1024);
    fugu_advance(qts, ARRIVED / 4);
    shrimp_assert_holds(qts);
    fugu_advance(qts, 2 * ARRIVED);
    shrimp_assert_filled(qts, 1, AT(2, 0), 1024, 7);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)), ==, 16);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_CREDITED)), ==, 16);
    g_assert_cmpuint(shrimp_kernel(qts, 1, FUGU_K_IN_LEFT), ==, 16);
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
    shrimp_fill(qts, 0, AT(1, 0), 8, 1);
    shrimp_fill(qts, 0, AT(3, 0), 8, 11);
    shrimp_assert_command(qts, 0, AT(1, 0), 8);
    shrimp_assert_command(qts, 0, AT(3, 0), 8);
    g_assert_cmphex(shrimp_engine(qts, 0, AT(3, 0)), ==, 8);
    fugu_advance(qts, ARRIVED);
    shrimp_assert_filled(qts, 1, AT(2, 0), 8, 1);
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
    shrimp_fill(qts, 0, AT(1, 0), 8, 1);
    shrimp_assert_command(qts, 0, AT(1, 0), 8);
    fugu_advance(qts, 9);               /* the first packet was read at 8 */
    shrimp_fill(qts, 0, AT(1, 0), 8, 11);
    fugu_advance(qts, ARRIVED);
    shrimp_assert_filled(qts, 1, AT(2, 0), 4, 1);
    shrimp_assert_filled(qts, 1, AT(2, 16), 4, 15);
    qtest_quit(qts);
}

/* The kernel takes the mapping away: the rest of the command is not sent. */
static void test_stopped(void)
{
    QTestState *qts = fugu_start(SHRIMP ",packet-max=16", "");

    shrimp_map(qts, 0, 1, 1, 2);
    shrimp_map(qts, 0, 3, 1, 3);
    shrimp_fill(qts, 0, AT(1, 0), 8, 1);
    shrimp_assert_command(qts, 0, AT(1, 0), 8);
    fugu_advance(qts, 5);
    shrimp_split(qts, 0, 3, 8);         /* of another page */
    g_assert_cmphex(shrimp_engine(qts, 0, AT(1, 0)), ==, FUGU_ENGINE_HERE | 4);
    shrimp_part(qts, 0, 1, true, FUGU_NIPT_NOTHING, 0, 0);
    g_assert_cmphex(shrimp_kernel(qts, 0, FUGU_K_ENGINE_PAGE), ==,
                    FUGU_SHRIMP_NO_PAGE);
    fugu_advance(qts, ARRIVED);
    shrimp_assert_filled(qts, 1, AT(2, 0), 4, 1);
    g_assert_cmphex(fugu_load(qts, 1, AT(2, 16)), ==, 0);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* ---- Split pages ------------------------------------------------------------ */

/* A command ends with the part in which it begins, and with no other one: here it begins
 * with the first or the last word of a part. */
static void test_parts(void)
{
    static const uint32_t begins[] = { 0, 60, 64, PAGE - 4 };

    for (unsigned i = 0; i < ARRAY_SIZE(begins); i++) {
        for (unsigned upper = 0; upper < 2; upper++) {
            QTestState *qts = fugu_start(SHRIMP ",dma-word=10", "");
            bool stays = (begins[i] >= 64) != upper;

            shrimp_split(qts, 0, 1, 64);
            shrimp_part(qts, 0, 1, false, DELIBERATE, 1, AT(5, 0));
            shrimp_part(qts, 0, 1, true, DELIBERATE, 1, AT(5, 0));
            shrimp_assert_command(qts, 0, AT(1, begins[i]), 1);
            shrimp_part(qts, 0, 1, upper, DELIBERATE, 1, AT(6, 0));
            g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_ENGINE_LEFT), ==, stays);
            shrimp_assert_holds(qts);
            qtest_quit(qts);
        }
    }
}

/* A range that lies differently in its pages here and there. */
static void test_split(void)
{
    QTestState *qts = fugu_start(SHRIMP, "");

    shrimp_split(qts, 0, 1, 64);
    shrimp_part(qts, 0, 1, false, DELIBERATE, 1, AT(5, PAGE - 64));
    shrimp_part(qts, 0, 1, true, DELIBERATE, 2, AT(6, PAGE - 64));
    shrimp_in(qts, 1, 5, FUGU_NIPT_IN_MAPPED);
    shrimp_in(qts, 2, 6, FUGU_NIPT_IN_MAPPED);
    shrimp_fill(qts, 0, AT(1, 0), 1024, 1);
    shrimp_assert_command(qts, 0, AT(1, 0), 16);
    fugu_advance(qts, 100);
    shrimp_assert_command(qts, 0, AT(1, 64), 1008);
    fugu_advance(qts, 3 * ARRIVED);
    g_assert_cmphex(fugu_load(qts, 1, AT(5, PAGE - 68)), ==, 0);
    shrimp_assert_filled(qts, 1, AT(5, PAGE - 64), 16, 1);
    g_assert_cmphex(fugu_load(qts, 1, AT(6, 0)), ==, 0);
    shrimp_assert_filled(qts, 2, AT(6, 0), 1008, 17);
    g_assert_cmphex(fugu_load(qts, 2, AT(6, PAGE - 64)), ==, 0);
    qtest_quit(qts);
}

/* The destination stays in its page: it goes on at its begin. */
static void test_around(void)
{
    QTestState *qts = fugu_start(SHRIMP, "");

    shrimp_part(qts, 0, 1, true, DELIBERATE, 1, AT(5, 4088));
    shrimp_in(qts, 1, 5, FUGU_NIPT_IN_MAPPED);
    shrimp_fill(qts, 0, AT(1, 0), 4, 1);
    shrimp_assert_command(qts, 0, AT(1, 0), 4);
    fugu_advance(qts, ARRIVED);
    shrimp_assert_filled(qts, 1, AT(5, 4088), 2, 1);
    shrimp_assert_filled(qts, 1, AT(5, 0), 2, 3);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)), ==, 2);
    qtest_quit(qts);
}

/* ---- Pace ---------------------------------------------------------------- */

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
        shrimp_assert_command(qts, 0, AT(1, 0), 1024);
    }
    while (shrimp_kernel(qts, 1, FUGU_K_IN_LEFT) != packets) {
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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/shrimp-engine/send", test_send);
    qtest_add_func("fugu/shrimp-engine/page", test_page);
    qtest_add_func("fugu/shrimp-engine/bad-commands", test_bad_commands);
    qtest_add_func("fugu/shrimp-engine/busy", test_busy);
    qtest_add_func("fugu/shrimp-engine/reuse", test_reuse);
    qtest_add_func("fugu/shrimp-engine/stopped", test_stopped);
    qtest_add_func("fugu/shrimp-engine/parts", test_parts);
    qtest_add_func("fugu/shrimp-engine/split", test_split);
    qtest_add_func("fugu/shrimp-engine/around", test_around);
    qtest_add_func("fugu/shrimp-engine/bandwidth", test_bandwidth);
    return g_test_run();
}
