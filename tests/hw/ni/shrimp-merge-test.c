/*
 * qtest of SHRIMP's blocked-write: when stores are merged, and when the open packet
 * closes (docs/machine.md)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "shrimp-qtest.h"

#define BLOCKED         FUGU_NIPT_BLOCKED

static QTestState *start(const char *options)
{
    g_autofree char *all = g_strdup_printf(SHRIMP "%s", options);
    QTestState *qts = fugu_start(all, "");

    g_assert_cmpint(shrimp_part(qts, 0, 1, true, BLOCKED, 1, AT(2, 0)), ==,
                    FUGU_DONE);
    shrimp_in(qts, 1, 2, FUGU_NIPT_IN_MAPPED);
    return qts;
}

/* Returns the packets that have arrived: a load of U_SENT would close one. */
static uint32_t entered(QTestState *qts)
{
    return fugu_load(qts, 1, K(FUGU_K_IN_ENTERED));
}

/* Stores words @first to @last of the page. */
static void fill(QTestState *qts, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i <= last; i++) {
        fugu_store(qts, 0, AT(1, 4 * i), 100 + i);
    }
}

static void assert_filled(QTestState *qts, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i <= last; i++) {
        g_assert_cmphex(fugu_load(qts, 1, AT(2, 4 * i)), ==, 100 + i);
    }
}

/* Each store renews the deadline, at which the packet leaves. */
static void test_deadline(void)
{
    QTestState *qts = start("");
    const uint32_t time = 32, words = 5;
    uint32_t there = time + FLIGHT(1, words) + words;

    g_assert_cmpuint(fugu_load(qts, 0, K(FUGU_K_MERGE)), ==, time);
    for (uint32_t i = 0; i < words; i++) {
        fugu_advance(qts, i ? time - 1 : 0);
        fill(qts, i, i);
    }
    fugu_advance(qts, there);
    g_assert_cmphex(fugu_load(qts, 1, AT(2, 0)), ==, 0);
    fugu_advance(qts, 1);
    assert_filled(qts, 0, words - 1);
    g_assert_cmpuint(entered(qts), ==, 1);
    /* A store at the deadline is too late. */
    fill(qts, 5, 5);
    fugu_advance(qts, time);
    fill(qts, 6, 6);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(entered(qts), ==, 3);
    fugu_store(qts, 0, K(FUGU_K_MERGE), 1000);
    fill(qts, 7, 7);
    fugu_advance(qts, 999);
    fill(qts, 8, 8);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(entered(qts), ==, 4);
    assert_filled(qts, 0, 8);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* Stores of all sizes are merged if one begins where the last one ended. */
static void test_sizes(void)
{
    QTestState *qts = start("");
    static const uint8_t sizes[] = { 1, 2, 4, 8, 1, 1, 2, 4 };
    uint32_t at = 1;

    for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
        fugu_try_store(qts, 0, USER, sizes[i], AT(1, at), 0x1122334455667788);
        at += sizes[i];
    }
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(entered(qts), ==, 1);
    g_assert_cmphex(fugu_load(qts, 1, AT(2, 0)), ==, 0x00887788);
    qtest_quit(qts);
}

/* What closes the packet at once. */
static void test_closed(void)
{
    static const struct {
        const char *what;
        uint32_t addr;
        unsigned size;
    } next[] = {
        { "a gap", AT(1, 8), 4 },
        { "the same word again", AT(1, 0), 4 },
        { "the part of it that was stored last", AT(1, 3), 1 },
        { "another page", AT(3, 4), 4 },
        { "single-write", AT(4, 4), 4 },
    };

    for (unsigned i = 0; i < ARRAY_SIZE(next); i++) {
        QTestState *qts = start("");

        shrimp_part(qts, 0, 3, true, BLOCKED, 1, AT(2, 0));
        shrimp_part(qts, 0, 4, true, FUGU_NIPT_SINGLE, 1, AT(2, 0));
        fill(qts, 0, 0);
        fugu_advance(qts, 5);
        g_assert_cmpint(fugu_try_store(qts, 0, USER, next[i].size, next[i].addr,
                                       7), ==, FUGU_DONE);
        fugu_advance(qts, FLIGHT(1, 1));
        g_test_message("%s", next[i].what);
        g_assert_cmpuint(entered(qts), ==, 0);
        fugu_advance(qts, 1);
        g_assert_cmpuint(entered(qts), ==, 1);
        fugu_advance(qts, ARRIVED);
        g_assert_cmpuint(entered(qts), ==, 2);
        shrimp_assert_holds(qts);
        qtest_quit(qts);
    }
}

/* The largest packet closes with its last word; so does one at the split. */
static void test_most(void)
{
    QTestState *qts = start(",packet-max=16");

    fill(qts, 0, 3);
    fugu_advance(qts, FLIGHT(1, 4) + 1);
    g_assert_cmpuint(entered(qts), ==, 1);
    shrimp_split(qts, 0, 1, 40);
    shrimp_part(qts, 0, 1, false, BLOCKED, 1, AT(2, 0));
    fill(qts, 8, 11);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(entered(qts), ==, 3);
    assert_filled(qts, 8, 11);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* A load of U_SENT counts what was stored, and the engine's packet comes after it.
 * A change of the entry, or of the mode, sends it by the old one. */
static void test_fences(void)
{
    QTestState *qts = start("");

    fill(qts, 0, 1);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_OUT_WORDS), ==, 0);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)), ==, 1);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)), ==, 1);

    shrimp_map(qts, 0, 3, 1, 2);
    fugu_store(qts, 0, AT(3, 8), 9);
    fill(qts, 2, 2);
    shrimp_assert_command(qts, 0, AT(3, 8), 1);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(entered(qts), ==, 3);
    g_assert_cmphex(fugu_load(qts, 1, AT(2, 8)), ==, 9);

    fill(qts, 3, 3);
    shrimp_part(qts, 0, 1, true, BLOCKED, 1, AT(6, 0));
    shrimp_assert_command(qts, 0, AT(1, 0), FUGU_COMMAND_SINGLE);
    fugu_advance(qts, ARRIVED);
    assert_filled(qts, 3, 3);
    shrimp_part(qts, 0, 1, true, FUGU_NIPT_SINGLE, 1, AT(2, 0));
    fill(qts, 4, 5);
    shrimp_assert_command(qts, 0, AT(1, 0), FUGU_COMMAND_BLOCKED);
    fill(qts, 6, 7);
    shrimp_assert_command(qts, 0, AT(1, 0), FUGU_COMMAND_SINGLE);
    fugu_advance(qts, ARRIVED);
    g_assert_cmpuint(entered(qts), ==, 3 + 1 + 2 + 1);
    assert_filled(qts, 3, 7);
    g_assert_cmpint(shrimp_command(qts, 0, AT(3, 0), FUGU_COMMAND_BLOCKED), ==,
                    VIOLATION);
    g_assert_cmpint(shrimp_command(qts, 0, AT(4, 0), FUGU_COMMAND_BLOCKED), ==,
                    VIOLATION);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* A switch of the mode sends what was stored before at once, by any command word of the
 * part, and lets the engine have the room. */
static void test_switched(void)
{
    QTestState *qts = start("");

    fill(qts, 0, 2);
    shrimp_map(qts, 0, 3, 1, 3);
    fugu_store(qts, 0, K(FUGU_K_OUT_THRESHOLD), 1);
    shrimp_assert_command(qts, 0, AT(3, 0), 1);
    fugu_advance(qts, 2);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_ENGINE_LEFT), ==, 1);
    shrimp_assert_command(qts, 0, AT(1, 64), FUGU_COMMAND_SINGLE);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_ENGINE_LEFT), ==, 0);
    fugu_advance(qts, FLIGHT(1, 3));
    g_assert_cmpuint(entered(qts), ==, 0);
    fugu_advance(qts, 1);
    g_assert_cmpuint(entered(qts), ==, 1);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

/* The open packet has reserved its words, and is saved. */
static void test_saved(void)
{
    const char *options = SHRIMP ",mesh-word=1000";
    QTestState *qts = start(",mesh-word=1000");
    uint32_t words;

    fugu_store(qts, 0, K(FUGU_K_MERGE), FUGU_SHRIMP_MERGE_MAX);
    fill(qts, 0, 0);
    fugu_load(qts, 0, U(FUGU_U_SENT));          /* is on the link */
    for (words = 0; words < 1020; words += 4) {
        fugu_store(qts, 0, AT(1, 4 * (2 + words / 2)), 1);
        fugu_load(qts, 0, U(FUGU_U_SENT));
    }
    fill(qts, 10, 10);                          /* 1020 + 4 words */
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 4, AT(1, 44), 1), ==,
                    FUGU_WAITS);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_OUT_WORDS), ==, 1020);
    fugu_advance(qts, 1);
    shrimp_assert_holds(qts);
    qts = fugu_migrate(qts, options, "");
    shrimp_assert_holds(qts);
    g_assert_cmpint(fugu_try_store(qts, 0, USER, 4, AT(1, 44), 1), ==,
                    FUGU_WAITS);
    g_assert_cmpuint(fugu_load(qts, 0, U(FUGU_U_SENT)), ==, 1 + 255 + 1);
    g_assert_cmpuint(shrimp_kernel(qts, 0, FUGU_K_OUT_WORDS), ==, 1024);
    fugu_advance(qts, 300 * 4000);
    g_assert_cmpuint(entered(qts), ==, 257);
    assert_filled(qts, 10, 10);
    shrimp_assert_holds(qts);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/shrimp-merge/deadline", test_deadline);
    qtest_add_func("fugu/shrimp-merge/sizes", test_sizes);
    qtest_add_func("fugu/shrimp-merge/closed", test_closed);
    qtest_add_func("fugu/shrimp-merge/most", test_most);
    qtest_add_func("fugu/shrimp-merge/fences", test_fences);
    qtest_add_func("fugu/shrimp-merge/switched", test_switched);
    qtest_add_func("fugu/shrimp-merge/saved", test_saved);
    return g_test_run();
}
