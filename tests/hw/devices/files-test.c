/*
 * qtest of a node's files (docs/machine.md, "Files")
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "../common/fugu-qtest.h"

#define AT(name)        (FUGU_FILES_BASE + FUGU_FILES_##name)
#define OPTIONS         "nodes=2,output-max=1000"

static uint32_t command(QTestState *qts, uint32_t number, const char *name)
{
    for (; *name; name++) {
        fugu_store(qts, 1, AT(NAME), (uint8_t)*name);
    }
    fugu_store(qts, 1, AT(COMMAND), number);
    return fugu_load(qts, 1, AT(RESULT));
}

static void select_file(QTestState *qts, uint32_t id, uint32_t position)
{
    fugu_store(qts, 1, AT(ID), id);
    fugu_store(qts, 1, AT(POSITION), position);
}

static uint32_t size_of(QTestState *qts, uint32_t id)
{
    fugu_store(qts, 1, AT(ID), id);
    return fugu_load(qts, 1, AT(SIZE));
}

/* Makes a file with these contents. Returns its number. */
static uint32_t make(QTestState *qts, const char *name, const char *text)
{
    g_assert_cmpuint(command(qts, FUGU_FILES_CREATE, name), ==, 0);
    fugu_store(qts, 1, AT(POSITION), 0);
    for (; *text; text++) {
        fugu_store(qts, 1, AT(DATA), (uint8_t)*text);
        g_assert_cmpuint(fugu_load(qts, 1, AT(RESULT)), ==, 0);
    }
    return fugu_load(qts, 1, AT(ID));
}

static void assert_contents(QTestState *qts, uint32_t id, const char *text)
{
    g_assert_cmpuint(size_of(qts, id), ==, strlen(text));
    select_file(qts, id, 0);
    for (; *text; text++) {
        g_assert_cmphex(fugu_load(qts, 1, AT(DATA)), ==, (uint8_t)*text);
    }
    g_assert_cmphex(fugu_load(qts, 1, AT(DATA)), ==, UINT32_MAX);
}

static void test_names(void)
{
    static const char *const bad[] = {
        "", ".", "..", "/", "a/", "/a", "a//b", "a/./b", "a/../b", "../b", "node7",
        "node7/a",
    };
    g_autofree char *longest = g_strnfill(FUGU_FILES_NAME_MAX, 'n');
    g_autofree char *longer = g_strnfill(FUGU_FILES_NAME_MAX + 1, 'n');
    QTestState *qts = fugu_start(OPTIONS, "");
    uint32_t one = make(qts, "one", "1"), two = make(qts, "two", "22");

    g_assert_cmpuint(command(qts, FUGU_FILES_CREATE, "one"), ==,
                     FUGU_FILES_EXISTS);
    g_assert_cmpuint(command(qts, FUGU_FILES_FIND, "one"), ==, 0);
    g_assert_cmpuint(fugu_load(qts, 1, AT(ID)), ==, one);
    g_assert_cmpuint(command(qts, FUGU_FILES_FIND, "on"), ==,
                     FUGU_FILES_MISSING);
    for (unsigned i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_assert_cmpuint(command(qts, FUGU_FILES_CREATE, bad[i]), ==,
                         FUGU_FILES_BAD_NAME);
    }
    make(qts, "node", "");
    make(qts, "node7x", "");
    make(qts, "folder/node7", "");
    make(qts, "folder/inner/file", "");
    g_assert_cmpuint(command(qts, FUGU_FILES_CREATE, "folder"), ==,
                     FUGU_FILES_BAD_NAME);
    g_assert_cmpuint(command(qts, FUGU_FILES_CREATE, "folder/inner"), ==,
                     FUGU_FILES_BAD_NAME);
    g_assert_cmpuint(command(qts, FUGU_FILES_CREATE, "one/file"), ==,
                     FUGU_FILES_BAD_NAME);
    make(qts, "folde", "");
    make(qts, longest, "");
    g_assert_cmpuint(command(qts, FUGU_FILES_CREATE, longer), ==,
                     FUGU_FILES_BAD_NAME);
    /* A file that is renamed replaces the one of that name. */
    fugu_store(qts, 1, AT(ID), one);
    g_assert_cmpuint(command(qts, FUGU_FILES_RENAME, "two"), ==, 0);
    g_assert_cmpuint(size_of(qts, two), ==, UINT32_MAX);
    /* A file may have its own name again. */
    fugu_store(qts, 1, AT(ID), one);
    g_assert_cmpuint(command(qts, FUGU_FILES_RENAME, "two"), ==, 0);
    g_assert_cmpuint(command(qts, FUGU_FILES_FIND, "one"), ==,
                     FUGU_FILES_MISSING);
    assert_contents(qts, one, "1");
    /* An unlinked file ceases to exist. */
    g_assert_cmpuint(command(qts, FUGU_FILES_UNLINK, "two"), ==, 0);
    g_assert_cmpuint(fugu_load(qts, 1, AT(ID)), ==, one);
    g_assert_cmpuint(command(qts, FUGU_FILES_FIND, "two"), ==,
                     FUGU_FILES_MISSING);
    g_assert_cmpuint(size_of(qts, one), ==, UINT32_MAX);
    qtest_quit(qts);
}

static uint32_t open_or_close(QTestState *qts, uint32_t number, uint32_t id)
{
    fugu_store(qts, 1, AT(ID), id);
    return command(qts, number, "");
}

/* A file that is open keeps its contents when it loses its name. */
static void test_open(void)
{
    QTestState *qts = fugu_start(OPTIONS, "");
    uint32_t file = make(qts, "file", "text"), other = make(qts, "other", "x");

    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_CLOSE, file), ==,
                     FUGU_FILES_CLOSED);
    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_OPEN, file), ==, 0);
    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_OPEN, file), ==, 0);
    g_assert_cmpuint(command(qts, FUGU_FILES_UNLINK, "file"), ==, 0);
    assert_contents(qts, file, "text");
    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_CLOSE, file), ==, 0);
    assert_contents(qts, file, "text");
    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_CLOSE, file), ==, 0);
    g_assert_cmpuint(size_of(qts, file), ==, UINT32_MAX);
    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_CLOSE, file), ==,
                     FUGU_FILES_MISSING);
    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_OPEN, file), ==,
                     FUGU_FILES_MISSING);
    /* So does one whose name another file gets. */
    file = make(qts, "file", "new");
    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_OPEN, other), ==, 0);
    fugu_store(qts, 1, AT(ID), file);
    g_assert_cmpuint(command(qts, FUGU_FILES_RENAME, "other"), ==, 0);
    assert_contents(qts, other, "x");
    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_CLOSE, other), ==, 0);
    g_assert_cmpuint(size_of(qts, other), ==, UINT32_MAX);
    /* A file that has a name stays when it is closed. */
    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_OPEN, file), ==, 0);
    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_CLOSE, file), ==, 0);
    assert_contents(qts, file, "new");
    qtest_quit(qts);
}

static void test_bounds(void)
{
    QTestState *qts = fugu_start(OPTIONS, "");
    uint32_t id = make(qts, "file", "text"), other = make(qts, "other", "");

    select_file(qts, id, 1001);
    g_assert_cmpuint(command(qts, FUGU_FILES_RESIZE, ""), ==, FUGU_FILES_FULL);
    select_file(qts, id, 1000);
    g_assert_cmpuint(command(qts, FUGU_FILES_RESIZE, ""), ==, 0);
    fugu_store(qts, 1, AT(DATA), 'x');
    g_assert_cmpuint(fugu_load(qts, 1, AT(RESULT)), ==, FUGU_FILES_FULL);
    select_file(qts, other, 0);
    fugu_store(qts, 1, AT(DATA), 'x');
    g_assert_cmpuint(fugu_load(qts, 1, AT(RESULT)), ==, FUGU_FILES_FULL);
    /* Positions beyond 32 bits do not wrap. */
    select_file(qts, other, UINT32_MAX);
    fugu_store(qts, 1, AT(DATA), 'x');
    g_assert_cmpuint(fugu_load(qts, 1, AT(RESULT)), ==, FUGU_FILES_FULL);
    select_file(qts, id, 2);
    g_assert_cmpuint(command(qts, FUGU_FILES_RESIZE, ""), ==, 0);
    select_file(qts, other, 997);
    fugu_store(qts, 1, AT(DATA), 'x');
    g_assert_cmpuint(fugu_load(qts, 1, AT(RESULT)), ==, 0);
    g_assert_cmpuint(size_of(qts, other), ==, 998);
    assert_contents(qts, id, "te");
    select_file(qts, 99, 0);
    fugu_store(qts, 1, AT(DATA), 'x');
    g_assert_cmpuint(fugu_load(qts, 1, AT(RESULT)), ==, FUGU_FILES_MISSING);
    g_assert_cmphex(fugu_load(qts, 1, AT(DATA)), ==, UINT32_MAX);
    qtest_quit(qts);
}

static void test_most_files(void)
{
    QTestState *qts = fugu_start(OPTIONS, "");

    for (int i = 0; i < FUGU_FILES_MAX; i++) {
        g_autofree char *name = g_strdup_printf("%d", i);

        make(qts, name, "");
    }
    g_assert_cmpuint(command(qts, FUGU_FILES_CREATE, "more"), ==,
                     FUGU_FILES_FULL);
    qtest_quit(qts);
}

static void test_migration(void)
{
    QTestState *qts = fugu_start(OPTIONS, "");
    uint32_t id = make(qts, "file", "text"), other = make(qts, "gone", "x");

    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_OPEN, other), ==, 0);
    g_assert_cmpuint(command(qts, FUGU_FILES_UNLINK, "gone"), ==, 0);
    fugu_store(qts, 1, AT(NAME), 'f');
    qts = fugu_migrate(qts, OPTIONS, "");
    g_assert_cmpuint(command(qts, FUGU_FILES_FIND, "ile"), ==, 0);
    assert_contents(qts, id, "text");
    assert_contents(qts, other, "x");
    select_file(qts, id, 999);
    g_assert_cmpuint(command(qts, FUGU_FILES_RESIZE, ""), ==, 0);
    fugu_store(qts, 1, AT(DATA), 'x');
    g_assert_cmpuint(fugu_load(qts, 1, AT(RESULT)), ==, FUGU_FILES_FULL);
    g_assert_cmpuint(open_or_close(qts, FUGU_FILES_CLOSE, other), ==, 0);
    g_assert_cmpuint(size_of(qts, other), ==, UINT32_MAX);
    fugu_store(qts, 1, AT(ID), id);
    fugu_store(qts, 1, AT(DATA), 'x');
    g_assert_cmpuint(fugu_load(qts, 1, AT(RESULT)), ==, 0);
    qtest_system_reset(qts);
    g_assert_cmpuint(command(qts, FUGU_FILES_FIND, "file"), ==,
                     FUGU_FILES_MISSING);
    qtest_quit(qts);
}

static void test_bad_access(void)
{
    QTestState *qts = fugu_start(OPTIONS, "");

    fugu_assert_bad(qts, 1, AT(NAME), 1);
    fugu_assert_bad(qts, 1, AT(POSITION), 8);
    fugu_assert_bad(qts, 1, FUGU_FILES_BASE + 0x1c, 4);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/files/names", test_names);
    qtest_add_func("fugu/files/open", test_open);
    qtest_add_func("fugu/files/bounds", test_bounds);
    qtest_add_func("fugu/files/most-files", test_most_files);
    qtest_add_func("fugu/files/migration", test_migration);
    qtest_add_func("fugu/files/bad-access", test_bad_access);
    return g_test_run();
}
