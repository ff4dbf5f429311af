/*
 * qtest of the network interface: plays the inputs of its corpus
 *
 * Fuzzing has found that each input reaches code that no other input reaches,
 * or an input has once shown a bug (docs/testing.md).
 *
 *   FUGU_CORPUS=tests/fuzz/corpus/ni ni-corpus-test
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "ni-play.h"

/* Plays one input after a reset: many inputs share one machine. */
static void play_file(QTestState *qts, const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *data = NULL;
    size_t size;

    if (!g_file_get_contents(path, &data, &size, &error)) {
        g_error("%s", error->message);
    }
    qtest_system_reset(qts);
    g_printerr("# %s\n", path);
    ni_play(qts, (const uint8_t *)data, size);
}

/* Plays $FUGU_CORPUS: a file, or all files of a directory. */
static void play_corpus(const char *options)
{
    const char *corpus = g_getenv("FUGU_CORPUS");
    QTestState *qts = fugu_start(options, NI_PLAY_ARGS);
    g_autoptr(GDir) dir = NULL;
    const char *name;

    g_assert_nonnull(corpus);
    if (!g_file_test(corpus, G_FILE_TEST_IS_DIR)) {
        play_file(qts, corpus);
        qtest_quit(qts);
        return;
    }
    dir = g_dir_open(corpus, 0, NULL);
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(corpus, name, NULL);

        play_file(qts, path);
    }
    qtest_quit(qts);
}

static void test_corpus(void)
{
    play_corpus(MODEL_OPTIONS);
}

static void test_corpus_soft(void)
{
    play_corpus(MODEL_SOFT);
}

static void test_corpus_none(void)
{
    play_corpus(MODEL_NONE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/ni/corpus", test_corpus);
    qtest_add_func("fugu/ni/corpus-soft", test_corpus_soft);
    qtest_add_func("fugu/ni/corpus-none", test_corpus_none);
    return g_test_run();
}
