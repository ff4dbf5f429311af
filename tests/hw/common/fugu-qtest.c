/*
 * Functions that all qtests of the FUGU machine share
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "qobject/qdict.h"
#include "fugu-qtest.h"

/* ---- Start -------------------------------------------------------------- */

QTestState *fugu_start(const char *options, const char *args)
{
    return qtest_initf("-nodefaults -machine fugu,%s %s", options, args);
}

static void wait_for_migration(QTestState *qts)
{
    for (;;) {
        QDict *answer = qtest_qmp(qts, "{ 'execute': 'query-migrate' }");
        const char *status = qdict_get_try_str(qdict_get_qdict(answer,
                                                               "return"),
                                               "status");
        bool done = g_str_equal(status ?: "", "completed");

        g_assert_cmpstr(status, !=, "failed");
        qobject_unref(answer);
        if (done) {
            return;
        }
        g_usleep(1000);
    }
}

QTestState *fugu_migrate(QTestState *from, const char *options,
                         const char *args)
{
    g_autofree char *file = fugu_temp_file(NULL, 0);
    g_autofree char *uri = g_strdup_printf("file:%s", file);
    g_autofree char *incoming = g_strdup_printf("%s -incoming %s", args, uri);
    QTestState *to;

    qtest_qmp_assert_success(from, "{ 'execute': 'migrate',"
                             "  'arguments': { 'uri': %s } }", uri);
    wait_for_migration(from);
    qtest_quit(from);
    to = fugu_start(options, incoming);
    wait_for_migration(to);
    unlink(file);
    return to;
}

char *fugu_temp_file(const void *contents, size_t len)
{
    char *name;
    int fd = g_file_open_tmp("fugu-XXXXXX", &name, NULL);

    g_assert_cmpint(fd, >=, 0);
    if (contents) {
        g_assert_cmpint(write(fd, contents, len), ==, len);
    }
    close(fd);
    return name;
}

/* ---- Commands ----------------------------------------------------------- */

/* Sends a command. Returns the first number of the answer, and stores a second
 * one in *@second unless that is NULL. */
static int64_t G_GNUC_PRINTF(3, 4) command(QTestState *qts, uint64_t *second,
                                           const char *format, ...)
{
    va_list ap;
    g_autofree char *text = NULL;
    g_auto(GStrv) words = NULL;
    int64_t first;

    va_start(ap, format);
    text = g_strdup_vprintf(format, ap);
    va_end(ap);
    words = qtest_command(qts, "fugu %s", text);
    g_assert_cmpint(g_strv_length(words), ==, second ? 3 : 2);
    g_assert_cmpint(qemu_strtoi64(words[1], NULL, 0, &first), ==, 0);
    if (second) {
        g_assert_cmpint(qemu_strtou64(words[2], NULL, 0, second), ==, 0);
    }
    return first;
}

static const char *mode_word(FuguMode mode)
{
    return mode == USER ? " user" : "";
}

void fugu_advance(QTestState *qts, uint64_t cycles)
{
    command(qts, NULL, "advance %" PRIu64, cycles);
}

void fugu_mode(QTestState *qts, unsigned node, FuguMode mode)
{
    g_strfreev(qtest_command(qts, "fugu mode %u%s", node, mode_word(mode)));
}

bool fugu_idle(QTestState *qts, unsigned node)
{
    return command(qts, NULL, "idle %u", node);
}

int64_t fugu_time(QTestState *qts, unsigned node)
{
    return command(qts, NULL, "time %u", node);
}

uint32_t fugu_irq(QTestState *qts, unsigned node)
{
    return command(qts, NULL, "irq %u", node);
}

int fugu_try_load(QTestState *qts, unsigned node, FuguMode mode, unsigned size,
                  uint32_t addr, uint64_t *value)
{
    return command(qts, value, "read %u %u 0x%x%s", node, size, addr,
                   mode_word(mode));
}

int fugu_try_store(QTestState *qts, unsigned node, FuguMode mode,
                   unsigned size, uint32_t addr, uint64_t value)
{
    return command(qts, NULL, "write %u %u 0x%x 0x%" PRIx64 "%s", node, size,
                   addr, value, mode_word(mode));
}

int fugu_op(QTestState *qts, unsigned node, FuguMode mode, const char *op,
            uint32_t a, uint32_t b)
{
    return command(qts, NULL, "op %u %s %u %u%s", node, op, a, b,
                   mode_word(mode));
}

FuguEnd fugu_end(QTestState *qts, unsigned node)
{
    uint64_t status, stop_status;
    FuguEnd end;

    end.state = command(qts, &status, "state %u", node);
    end.status = status;
    end.stopping = command(qts, &stop_status, "stop");
    end.stop_status = stop_status;
    return end;
}

/* ---- Loads and stores --------------------------------------------------- */

static uint64_t load(QTestState *qts, unsigned node, unsigned size,
                     uint32_t addr)
{
    uint64_t value;

    g_assert_cmpint(fugu_try_load(qts, node, KERNEL, size, addr, &value), ==,
                    FUGU_DONE);
    return value;
}

static void store(QTestState *qts, unsigned node, unsigned size, uint32_t addr,
                  uint64_t value)
{
    g_assert_cmpint(fugu_try_store(qts, node, KERNEL, size, addr, value), ==,
                    FUGU_DONE);
}

uint32_t fugu_load(QTestState *qts, unsigned node, uint32_t addr)
{
    return load(qts, node, 4, addr);
}

uint64_t fugu_load64(QTestState *qts, unsigned node, uint32_t addr)
{
    return load(qts, node, 8, addr);
}

void fugu_store(QTestState *qts, unsigned node, uint32_t addr, uint32_t value)
{
    store(qts, node, 4, addr, value);
}

void fugu_store64(QTestState *qts, unsigned node, uint32_t addr,
                  uint64_t value)
{
    store(qts, node, 8, addr, value);
}

void fugu_assert_bad(QTestState *qts, unsigned node, uint32_t addr,
                     unsigned size)
{
    g_assert_cmphex(load(qts, node, size, addr), ==, 0);
    store(qts, node, size, addr, ~0ull >> (64 - 8 * size));
    g_assert_cmphex(load(qts, node, size, addr), ==, 0);
}
