/*
 * qtest of SHRIMP's network interface: plays the inputs of its corpus
 *
 *   FUGU_CORPUS_SHRIMP=tests/fuzz/corpus/shrimp shrimp-corpus-test
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "shrimp-play.h"

/* Plays one input on a machine of its own, whose RAM is 0. */
static void play_file(const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *data = NULL;
    QTestState *qts;
    size_t size;

    if (!g_file_get_contents(path, &data, &size, &error)) {
        g_error("%s", error->message);
    }
    g_printerr("# %s\n", path);
    qts = fugu_start(SHRIMP_PLAY_MACHINE, "");
    shrimp_play_bytes((ShrimpPlay) { .qts = qts, .damage = shrimp_damage },
                      (const uint8_t *)data, size);
    qtest_quit(qts);
}

/* Plays $FUGU_CORPUS_SHRIMP: a file, or all files of a directory. */
static void test_corpus(void)
{
    const char *corpus = g_getenv("FUGU_CORPUS_SHRIMP");
    g_autoptr(GDir) dir = NULL;
    const char *name;

    g_assert_nonnull(corpus);
    if (!g_file_test(corpus, G_FILE_TEST_IS_DIR)) {
        play_file(corpus);
        return;
    }
    dir = g_dir_open(corpus, 0, NULL);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(corpus, name, NULL);

        play_file(path);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/shrimp/corpus", test_corpus);
    return g_test_run();
}
