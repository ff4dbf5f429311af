/*
 * qtest of the console (docs/machine.md, "Console")
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/sockets.h"
#include "../common/fugu-qtest.h"

#define DATA            (FUGU_CONSOLE_BASE + FUGU_CONSOLE_DATA)
#define STATUS          (FUGU_CONSOLE_BASE + FUGU_CONSOLE_STATUS)
#define CONTROL         (FUGU_CONSOLE_BASE + FUGU_CONSOLE_CONTROL)

#define ERROR           (FUGU_CONSOLE_BASE + FUGU_CONSOLE_ERROR)
#define TERMINALS       (FUGU_CONSOLE_BASE + FUGU_CONSOLE_TERMINALS)
#define STDIN           (FUGU_CONSOLE_BASE + FUGU_CONSOLE_STDIN)

#define EMPTY           0xffffffff

static void put(QTestState *qts, unsigned node, const char *text)
{
    for (; *text; text++) {
        fugu_store(qts, node, DATA, (uint8_t)*text);
    }
}

static void assert_input(QTestState *qts, unsigned node, const char *text)
{
    for (; *text; text++) {
        g_assert_cmpuint(fugu_load(qts, node, STATUS), ==, 1);
        g_assert_cmphex(fugu_load(qts, node, DATA), ==, (uint8_t)*text);
    }
    g_assert_cmpuint(fugu_load(qts, node, STATUS), ==, 0);
    g_assert_cmphex(fugu_load(qts, node, DATA), ==, EMPTY);
}

/* ---- Output ------------------------------------------------------------- */

static void assert_file(const char *file, const char *expected)
{
    g_autofree char *text = NULL;

    g_assert_true(g_file_get_contents(file, &text, NULL, NULL));
    g_assert_cmpstr(text, ==, expected);
}

/* Nodes that share a chardev do not mix their lines. */
static void test_lines(void)
{
    g_autofree char *file = fugu_temp_file(NULL, 0);
    g_autofree char *args = g_strdup_printf("-chardev file,id=all,path=%s",
                                            file);
    QTestState *qts = fugu_start("nodes=3,console=all", args);

    put(qts, 1, "one");
    put(qts, 2, "two");
    put(qts, 1, " and");
    assert_file(file, "");
    put(qts, 2, "\n");
    assert_file(file, "two\n");
    put(qts, 1, " more\n\n");
    assert_file(file, "two\none and more\n\n");
    /* The console writes the low byte of a store. */
    fugu_store(qts, 0, DATA, 0xffffff41);
    fugu_store(qts, 0, DATA, '\n');
    assert_file(file, "two\none and more\n\nA\n");
    /* A reset writes the incomplete line. */
    put(qts, 2, "end");
    qtest_system_reset(qts);
    assert_file(file, "two\none and more\n\nA\nend\n");
    qtest_quit(qts);
    unlink(file);
}

static void test_long_line(void)
{
    g_autofree char *file = fugu_temp_file(NULL, 0);
    g_autofree char *args = g_strdup_printf("-chardev file,id=all,path=%s",
                                            file);
    g_autofree char *part = g_strnfill(512, 'x');
    g_autofree char *whole = g_strdup_printf("%s\n%s\nx\n", part, part);
    QTestState *qts = fugu_start("nodes=2,console=all", args);

    put(qts, 0, part);
    put(qts, 0, part);
    put(qts, 0, "x\n");
    assert_file(file, whole);
    qtest_quit(qts);
    unlink(file);
}

/* With one node, and with raw=on, bytes go out as they are. */
static void test_raw(gconstpointer options)
{
    g_autofree char *file = fugu_temp_file(NULL, 0);
    g_autofree char *args = g_strdup_printf("-chardev file,id=all,path=%s",
                                            file);
    g_autofree char *part = g_strnfill(600, 'x');
    g_autofree char *whole = g_strdup_printf("%s\nend", part);
    QTestState *qts = fugu_start(options, args);

    put(qts, 0, part);
    put(qts, 0, "\nend");
    qtest_system_reset(qts);
    assert_file(file, whole);
    qtest_quit(qts);
    unlink(file);
}

static void test_error(void)
{
    g_autofree char *file = fugu_temp_file(NULL, 0);
    g_autofree char *args = g_strdup_printf("-chardev file,id=console1,path=%s",
                                            file);
    QTestState *qts = fugu_start("nodes=2", args);

    /* A chardev of a node takes both, each line by line. */
    put(qts, 1, "out");
    fugu_store(qts, 1, ERROR, 'e');
    fugu_store(qts, 1, ERROR, '\n');
    assert_file(file, "e\n");
    put(qts, 1, "\n");
    assert_file(file, "e\nout\n");
    qtest_quit(qts);
    unlink(file);
}

static void test_terminals(void)
{
    QTestState *qts = fugu_start("nodes=1,terminals=5", "");

    g_assert_cmpuint(fugu_load(qts, 0, TERMINALS), ==, 5);
    qtest_quit(qts);
}

static void test_label(void)
{
    g_autofree char *file = fugu_temp_file(NULL, 0);
    g_autofree char *args = g_strdup_printf("-chardev file,id=all,path=%s",
                                            file);
    QTestState *qts = fugu_start("nodes=2,console=all,label=on", args);

    put(qts, 0, "\n");
    fugu_advance(qts, 1000);
    put(qts, 1, "A");
    fugu_advance(qts, 1000);
    put(qts, 1, "B\n");
    assert_file(file, "[0 @0] \n[1 @1000] AB\n");
    qtest_quit(qts);
    unlink(file);
}

static void test_own_chardev(void)
{
    g_autofree char *all = fugu_temp_file(NULL, 0);
    g_autofree char *own = fugu_temp_file(NULL, 0);
    g_autofree char *args =
        g_strdup_printf("-chardev file,id=all,path=%s "
                        "-chardev file,id=console1,path=%s", all, own);
    QTestState *qts = fugu_start("nodes=3,console=all", args);

    put(qts, 0, "zero\n");
    put(qts, 1, "one\n");
    put(qts, 2, "two\n");
    assert_file(all, "zero\ntwo\n");
    assert_file(own, "one\n");
    qtest_quit(qts);
    unlink(all);
    unlink(own);
}

static void test_no_chardev(void)
{
    QTestState *qts = fugu_start("nodes=1", "");

    put(qts, 0, "nobody listens\n");
    assert_input(qts, 0, "");
    qtest_quit(qts);
}

/* ---- Input -------------------------------------------------------------- */

/* Bytes of a script arrive at their times, at their nodes. */
static void test_script(void)
{
    static const char text[] =
        "# node time what\n"
        "0 100 0x41\n"
        "1 150 \"x\\n\"\n"
        "\n"
        "0 200 \"BC\"\n"
        "fugu_console_input 0 200 0x44\n";
    g_autofree char *file = fugu_temp_file(text, strlen(text));
    g_autofree char *args = g_strdup_printf("-global fugu-console.script=%s",
                                            file);
    QTestState *qts = fugu_start("nodes=2", args);

    for (int i = 0; i < 2; i++) {
        fugu_advance(qts, 99);
        assert_input(qts, 0, "");
        fugu_advance(qts, 2);
        assert_input(qts, 0, "A");
        assert_input(qts, 1, "");
        fugu_advance(qts, 100);
        assert_input(qts, 0, "BCD");
        assert_input(qts, 1, "x\n");
        fugu_advance(qts, 1000);
        assert_input(qts, 0, "");
        /* After a reset the script starts again. */
        qtest_system_reset(qts);
    }
    qtest_quit(qts);
    unlink(file);
}

static void assert_part(QTestState *qts, unsigned node, const char *text)
{
    g_assert_cmphex(fugu_load(qts, node, STDIN), ==, FUGU_STDIN_NONE);
    fugu_store(qts, node, STDIN, 0);
    g_assert_cmphex(fugu_load(qts, node, STDIN), ==, FUGU_STDIN_NONE);
    fugu_advance(qts, 128);
    for (; *text; text++) {
        /* What there is of a part stays, whatever is asked for. */
        fugu_store(qts, node, STDIN, 0);
        g_assert_cmphex(fugu_load(qts, node, STDIN), ==, (uint8_t)*text);
    }
}

/* Standard input comes in parts: a line, or 256 bytes; times are ignored. */
static void test_stdin(void)
{
    g_autofree char *full = g_strnfill(256, 'x');
    g_autofree char *text = g_strdup_printf("0 100 \"one\\ntwo\\n\"\n"
                                            "0 9000 \"%sx\\nend\"\n", full);
    g_autofree char *file = fugu_temp_file(text, strlen(text));
    g_autofree char *args = g_strdup_printf("-global fugu-console.script=%s",
                                            file);
    QTestState *qts = fugu_start("nodes=2", args);

    for (int i = 0; i < 2; i++) {
        assert_part(qts, 0, "one\n");
        qts = fugu_migrate(qts, "nodes=2", args);
        assert_part(qts, 0, "two\n");
        assert_part(qts, 0, full);
        assert_part(qts, 0, "x\n");
        assert_part(qts, 0, "end");
        g_assert_cmphex(fugu_load(qts, 0, STDIN), ==, FUGU_STDIN_END);
        /* Other nodes have no standard input. */
        assert_part(qts, 1, "");
        g_assert_cmphex(fugu_load(qts, 1, STDIN), ==, FUGU_STDIN_END);
        qtest_system_reset(qts);
    }
    qtest_quit(qts);
    unlink(file);
}

/* Bytes that do not fit into the console arrive as the guest reads. */
static void test_full(void)
{
    g_autofree char *many = g_strnfill(1000, 'm');
    g_autofree char *text = g_strdup_printf("0 10 \"%s\"\n0 20 0x6e\n", many);
    g_autofree char *file = fugu_temp_file(text, strlen(text));
    g_autofree char *args = g_strdup_printf("-global fugu-console.script=%s",
                                            file);
    g_autofree char *expected = g_strdup_printf("%sn", many);
    QTestState *qts = fugu_start("nodes=1", args);

    fugu_advance(qts, 100);
    assert_input(qts, 0, expected);
    qtest_quit(qts);
    unlink(file);
}

static void test_interrupt(void)
{
    const uint32_t up = FUGU_IRQ_BIT(FUGU_IRQ_CONSOLE);
    static const char text[] = "1 100 \"AB\"\n";
    g_autofree char *file = fugu_temp_file(text, strlen(text));
    g_autofree char *args = g_strdup_printf("-global fugu-console.script=%s",
                                            file);
    QTestState *qts = fugu_start("nodes=2", args);

    fugu_store(qts, 0, CONTROL, 1);
    fugu_store(qts, 1, CONTROL, ~0u);
    g_assert_cmpuint(fugu_load(qts, 1, CONTROL), ==, 1);
    g_assert_cmphex(fugu_irq(qts, 1), ==, 0);
    fugu_advance(qts, 101);
    g_assert_cmphex(fugu_irq(qts, 1), ==, up);
    fugu_store(qts, 1, CONTROL, 0);
    g_assert_cmphex(fugu_irq(qts, 1), ==, 0);
    fugu_store(qts, 1, CONTROL, 1);
    g_assert_cmphex(fugu_irq(qts, 1), ==, up);
    /* An access by a debugger removes no byte. */
    g_assert_cmphex(qtest_readl(qts, DATA), ==, EMPTY);
    g_assert_cmphex(fugu_load(qts, 1, DATA), ==, 'A');
    g_assert_cmphex(fugu_irq(qts, 1), ==, up);
    g_assert_cmphex(fugu_load(qts, 1, DATA), ==, 'B');
    g_assert_cmphex(fugu_irq(qts, 1), ==, 0);
    g_assert_cmphex(fugu_irq(qts, 0), ==, 0);
    qtest_quit(qts);
    unlink(file);
}

static void test_peek(void)
{
    static const char text[] = "0 0 \"AB\"\n";
    g_autofree char *file = fugu_temp_file(text, strlen(text));
    g_autofree char *args = g_strdup_printf("-global fugu-console.script=%s",
                                            file);
    QTestState *qts = fugu_start("nodes=1", args);

    fugu_advance(qts, 1);
    g_assert_cmphex(qtest_readl(qts, DATA), ==, 'A');
    g_assert_cmphex(qtest_readl(qts, DATA), ==, 'A');
    assert_input(qts, 0, "AB");
    g_assert_cmphex(qtest_readl(qts, DATA), ==, EMPTY);
    qtest_quit(qts);
    unlink(file);
}

/* Starts a QEMU whose chardev @id is a socket, and returns the other end. */
static QTestState *start_with_socket(const char *options, const char *id,
                                     int *fd)
{
    g_autofree char *dir = g_dir_make_tmp("fugu-XXXXXX", NULL);
    g_autofree char *path = g_strdup_printf("%s/socket", dir);
    g_autofree char *args = g_strdup_printf("-chardev socket,id=%s,path=%s",
                                            id, path);
    int server = qtest_socket_server(path);
    QTestState *qts = fugu_start(options, args);

    *fd = accept(server, NULL, NULL);
    g_assert_cmpint(*fd, >=, 0);
    close(server);
    unlink(path);
    rmdir(dir);
    return qts;
}

/* The bytes take time of the host: waits until they have reached the node. */
static void wait_for_input(QTestState *qts, unsigned node)
{
    for (int tries = 0; tries < 5000; tries++) {
        fugu_advance(qts, 64);
        if (fugu_load(qts, node, STATUS)) {
            return;
        }
        g_usleep(1000);
    }
    g_assert_not_reached();
}

static void test_host_input(void)
{
    QTestState *qts;
    int fd;

    qts = start_with_socket("nodes=2,console=all", "all", &fd);
    fugu_store(qts, 0, CONTROL, 1);
    g_assert_cmpint(write(fd, "hello", 5), ==, 5);
    wait_for_input(qts, 0);
    g_assert_cmphex(fugu_irq(qts, 0), ==, FUGU_IRQ_BIT(FUGU_IRQ_CONSOLE));
    assert_input(qts, 0, "hello");
    assert_input(qts, 1, "");
    close(fd);
    qtest_quit(qts);
}

/* Input that no queue can hold at once; and a node with its own chardev. */
static void test_host_floods(void)
{
    g_autofree char *many = g_strnfill(2000, 'm');
    QTestState *qts;
    int fd, got = 0;

    qts = start_with_socket("nodes=2", "console1", &fd);
    g_assert_cmpint(write(fd, many, 2000), ==, 2000);
    while (got < 2000) {
        wait_for_input(qts, 1);
        for (; fugu_load(qts, 1, STATUS); got++) {
            g_assert_cmphex(fugu_load(qts, 1, DATA), ==, 'm');
        }
    }
    g_assert_cmpint(got, ==, 2000);
    assert_input(qts, 0, "");
    close(fd);
    qtest_quit(qts);
}

/* ---- Both --------------------------------------------------------------- */

static void test_reset(void)
{
    static const char text[] = "0 0 \"A\"\n0 50 \"B\"\n";
    g_autofree char *file = fugu_temp_file(text, strlen(text));
    g_autofree char *args = g_strdup_printf("-global fugu-console.script=%s",
                                            file);
    QTestState *qts = fugu_start("nodes=1", args);

    fugu_store(qts, 0, CONTROL, 1);
    fugu_advance(qts, 100);
    qtest_system_reset(qts);
    g_assert_cmphex(fugu_irq(qts, 0), ==, 0);
    g_assert_cmpuint(fugu_load(qts, 0, CONTROL), ==, 0);
    assert_input(qts, 0, "");
    fugu_advance(qts, 49);
    assert_input(qts, 0, "A");
    qtest_quit(qts);
    unlink(file);
}

static void test_bad_access(void)
{
    g_autofree char *file = fugu_temp_file(NULL, 0);
    g_autofree char *args = g_strdup_printf("-chardev file,id=all,path=%s",
                                            file);
    QTestState *qts = fugu_start("nodes=1,console=all", args);

    fugu_assert_bad(qts, 0, DATA, 1);
    fugu_assert_bad(qts, 0, DATA + 3, 1);
    fugu_assert_bad(qts, 0, DATA, 8);
    fugu_assert_bad(qts, 0, CONTROL, 2);
    fugu_assert_bad(qts, 0, FUGU_CONSOLE_BASE + 0x0c, 4);
    fugu_assert_bad(qts, 0, STATUS, 4);
    put(qts, 0, "\n");
    assert_file(file, "\n");
    qtest_quit(qts);
    unlink(file);
}

static void test_migration(void)
{
    static const char text[] = "1 100 \"AB\"\n1 200 \"C\"\n";
    g_autofree char *script = fugu_temp_file(text, strlen(text));
    g_autofree char *file = fugu_temp_file(NULL, 0);
    g_autofree char *args =
        g_strdup_printf("-global fugu-console.script=%s "
                        "-chardev file,id=all,path=%s", script, file);
    QTestState *qts = fugu_start("nodes=2,console=all,label=on", args);

    fugu_store(qts, 1, CONTROL, 1);
    put(qts, 0, "half ");
    fugu_advance(qts, 150);
    g_assert_cmphex(fugu_load(qts, 1, DATA), ==, 'A');
    qts = fugu_migrate(qts, "nodes=2,console=all,label=on", args);
    put(qts, 0, "a line\n");
    assert_file(file, "[0 @0] half a line\n");
    g_assert_cmphex(fugu_irq(qts, 1), ==, FUGU_IRQ_BIT(FUGU_IRQ_CONSOLE));
    assert_input(qts, 1, "B");
    fugu_advance(qts, 51);
    assert_input(qts, 1, "C");
    qtest_quit(qts);
    unlink(script);
    unlink(file);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("fugu/console/lines", test_lines);
    qtest_add_func("fugu/console/long-line", test_long_line);
    qtest_add_data_func("fugu/console/raw/one-node", "nodes=1,console=all",
                        test_raw);
    qtest_add_data_func("fugu/console/raw/option",
                        "nodes=2,console=all,raw=on", test_raw);
    qtest_add_func("fugu/console/error", test_error);
    qtest_add_func("fugu/console/terminals", test_terminals);
    qtest_add_func("fugu/console/stdin", test_stdin);
    qtest_add_func("fugu/console/label", test_label);
    qtest_add_func("fugu/console/own-chardev", test_own_chardev);
    qtest_add_func("fugu/console/no-chardev", test_no_chardev);
    qtest_add_func("fugu/console/script", test_script);
    qtest_add_func("fugu/console/full", test_full);
    qtest_add_func("fugu/console/interrupt", test_interrupt);
    qtest_add_func("fugu/console/peek", test_peek);
    qtest_add_func("fugu/console/host-input", test_host_input);
    qtest_add_func("fugu/console/host-floods", test_host_floods);
    qtest_add_func("fugu/console/reset", test_reset);
    qtest_add_func("fugu/console/bad-access", test_bad_access);
    qtest_add_func("fugu/console/migration", test_migration);
    return g_test_run();
}
