/*
 * Unit tests of the longest time without network and clock, without QEMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include <glib.h>
#include "observe/masked.h"

static FuguMasked *started(int64_t now, bool masked)
{
    FuguMasked *m = g_new0(FuguMasked, 1);

    fugu_masked_init(m);
    fugu_masked_start(m, now, masked);
    return m;
}

/* Checks what is written at the end, and frees m. */
static void check(FuguMasked *m, int64_t now, const char *expected)
{
    char text[200] = "";
    FILE *file = fmemopen(text, sizeof(text), "w");

    fugu_masked_write(m, now, 9, 3, file);
    fclose(file);
    g_assert_cmpstr(text, ==, expected);
    g_array_free(m->pcs, true);
    g_array_free(m->longest_pcs, true);
    g_free(m);
}

static void test_longest(void)
{
    FuguMasked *m = started(0, false);

    fugu_masked_set(m, 100, true, 1);
    fugu_masked_sample(m, 7);
    fugu_masked_set(m, 150, false, 1);
    fugu_masked_sample(m, 8);           /* interrupts are taken */
    fugu_masked_set(m, 200, true, 2);
    fugu_masked_sample(m, 9);
    fugu_masked_sample(m, 10);
    fugu_masked_set(m, 220, true, 4);   /* a trap in the kernel */
    fugu_masked_set(m, 260, false, 2);
    fugu_masked_set(m, 300, true, 3);
    fugu_masked_sample(m, 11);
    fugu_masked_set(m, 360, false, 3);  /* as long: the first one counts */
    check(m, 400, "masked 3 200 60 2\nsample 3 9\nsample 3 10\n");
}

static void test_wait(void)
{
    FuguMasked *m = started(0, false);

    fugu_masked_set(m, 100, true, 1);
    fugu_masked_pause(m, 120, 1);
    fugu_masked_go(m, 1000);
    fugu_masked_set(m, 1015, false, 1);
    check(m, 2000, "masked 3 100 20 1\n");
}

/* Nothing that comes during a wait counts, and what comes after it does. */
static void test_in_a_wait(void)
{
    FuguMasked *m = started(0, false);

    fugu_masked_set(m, 100, true, 1);
    fugu_masked_pause(m, 120, 1);
    fugu_masked_sample(m, 7);
    fugu_masked_pause(m, 500, 1);
    fugu_masked_look(m, 900, 1);
    fugu_masked_go(m, 1000);
    fugu_masked_sample(m, 8);
    fugu_masked_set(m, 1030, false, 2);
    fugu_masked_pause(m, 1100, 2);
    fugu_masked_set(m, 1200, true, 3);          /* an interrupt, and the end of the wait */
    fugu_masked_go(m, 1200);
    check(m, 1210, "masked 3 1000 30 2\nsample 3 8\n");
}

static void test_look(void)
{
    FuguMasked *m = started(0, false);

    fugu_masked_set(m, 100, true, 1);
    fugu_masked_look(m, 120, 1);
    fugu_masked_set(m, 145, false, 1);
    fugu_masked_look(m, 190, 1);       /* interrupts are taken */
    check(m, 2000, "masked 3 120 25 1\n");
}

static void test_boot(void)
{
    FuguMasked *m = started(0, true);

    fugu_masked_sample(m, 7);
    fugu_masked_look(m, 500, -1);
    fugu_masked_set(m, 1000, false, -1);
    check(m, 2000, "");
    check(started(0, true), 1000, "");
}

static void test_snapshot(void)
{
    FuguMasked *m = started(5000, true);

    fugu_masked_set(m, 5040, false, -1);
    check(m, 6000, "masked 3 5000 40 -1\n");
}

static void test_end(void)
{
    FuguMasked *m = started(0, false);

    fugu_masked_set(m, 100, true, 1);
    check(m, 130, "masked 3 100 30 9\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/masked/longest", test_longest);
    g_test_add_func("/masked/wait", test_wait);
    g_test_add_func("/masked/in-a-wait", test_in_a_wait);
    g_test_add_func("/masked/look", test_look);
    g_test_add_func("/masked/boot", test_boot);
    g_test_add_func("/masked/snapshot", test_snapshot);
    g_test_add_func("/masked/end", test_end);
    return g_test_run();
}
