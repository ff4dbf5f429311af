/*
 * Functions that the qtests of the M-Machine's message interface share
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "mm-qtest.h"

uint32_t mm_kernel(QTestState *qts, unsigned node, uint32_t offset)
{
    return fugu_load(qts, node, K(offset));
}

void mm_set(QTestState *qts, unsigned node, uint32_t offset, uint32_t value)
{
    fugu_store(qts, node, K(offset), value);
}

void mm_segment(QTestState *qts, unsigned node, unsigned entry, uint32_t gid,
                uint32_t base, uint32_t size, uint32_t local)
{
    mm_set(qts, node, FUGU_K_MM_GTLB, entry);
    mm_set(qts, node, FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_BASE, base);
    mm_set(qts, node, FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_SIZE, size);
    mm_set(qts, node, FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_LOCAL, local);
    mm_set(qts, node, FUGU_K_MM_SEGMENT + 4 * FUGU_MM_SEG_GID,
           FUGU_MM_VALID | gid);
}

void mm_handler(QTestState *qts, unsigned node, unsigned entry, uint32_t gid,
                uint32_t index, uint32_t pc, uint32_t extent)
{
    mm_set(qts, node, FUGU_K_MM_HANDLER, entry);
    mm_set(qts, node, FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_PC, pc);
    mm_set(qts, node, FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_EXTENT, extent);
    mm_set(qts, node, FUGU_K_MM_ENTRY + 4 * FUGU_MM_ENTRY_GID,
           FUGU_MM_VALID | index << FUGU_MM_INDEX_SHIFT | gid);
}

QTestState *mm_start(const char *more)
{
    g_autofree char *options = g_strdup_printf(MM "%s", more);
    QTestState *qts = fugu_start(options, "");

    for (unsigned node = 0; node < 4; node++) {
        mm_segment(qts, node, 0, 0, WINDOW, SIZE_LOG, LOCAL);
        for (unsigned i = 0; i < 4; i++) {
            mm_handler(qts, node, i, 0, i, PC(i), EXTENT);
        }
    }
    return qts;
}

/* Sends a command. Returns the first number of the answer, and stores a second
 * one in *@second unless that is NULL. */
static int G_GNUC_PRINTF(3, 4) command(QTestState *qts, uint32_t *second,
                                       const char *format, ...)
{
    g_autofree char *text = NULL;
    g_auto(GStrv) words = NULL;
    uint64_t word = 0;
    int first;
    va_list ap;

    va_start(ap, format);
    text = g_strdup_vprintf(format, ap);
    va_end(ap);
    words = qtest_command(qts, "fugu %s", text);
    g_assert_cmpint(g_strv_length(words), ==, second ? 3 : 2);
    g_assert_cmpint(qemu_strtoi(words[1], NULL, 0, &first), ==, 0);
    if (second) {
        g_assert_cmpint(qemu_strtou64(words[2], NULL, 0, &word), ==, 0);
        *second = word;
    }
    return first;
}

int mm_send(QTestState *qts, unsigned node, unsigned context, uint32_t dest,
            uint32_t handler, unsigned length, unsigned ack, uint32_t first)
{
    return command(qts, NULL, "send %u %u 0x%x 0x%x %u %u 0x%x", node, context,
                   dest, handler, length, ack, first);
}

int mm_await(QTestState *qts, unsigned node, unsigned context, uint32_t acks)
{
    return command(qts, NULL, "await %u %u 0x%x", node, context, acks);
}

bool mm_needs_space(QTestState *qts, unsigned node, unsigned context)
{
    return command(qts, NULL, "waits %u %u space", node, context);
}

int mm_word_after(QTestState *qts, unsigned node, unsigned context, bool head,
                  unsigned cycles, uint32_t *word)
{
    return command(qts, word, "word %u %u %s %u", node, context,
                   head ? "head" : "body", cycles);
}

int mm_word(QTestState *qts, unsigned node, unsigned context, bool head,
            uint32_t *word)
{
    return mm_word_after(qts, node, context, head, 0, word);
}

void mm_as(QTestState *qts, unsigned node, unsigned context)
{
    g_strfreev(qtest_command(qts, "fugu context %u %u", node, context));
}

static void assert_word(QTestState *qts, unsigned node, unsigned context,
                        bool head, uint32_t should)
{
    uint32_t word;

    g_assert_cmpint(mm_word(qts, node, context, head, &word), ==, FUGU_DONE);
    g_assert_cmphex(word, ==, should);
}

void mm_assert_head(QTestState *qts, unsigned node, unsigned context,
                    uint32_t word)
{
    assert_word(qts, node, context, true, word);
}

void mm_assert_body(QTestState *qts, unsigned node, unsigned context,
                    uint32_t word)
{
    assert_word(qts, node, context, false, word);
}

void mm_assert_waits(QTestState *qts, unsigned node, unsigned context,
                     bool head)
{
    uint32_t word;

    g_assert_cmpint(mm_word(qts, node, context, head, &word), ==, FUGU_WAITS);
}

void mm_fault(QTestState *qts, unsigned node, unsigned context, int tt)
{
    g_strfreev(qtest_command(qts, "fugu fault %u %u %d", node, context, tt));
}

static void assert_silent(QTestState *qts, const char *what)
{
    g_auto(GStrv) words = qtest_command(qts, "fugu %s", what);
    g_autofree char *text = g_strjoinv(" ", words + 1);

    g_assert_cmpstr(text, ==, "");
}

void mm_assert_holds(QTestState *qts)
{
    assert_silent(qts, "check");
}

void mm_assert_balance(QTestState *qts)
{
    assert_silent(qts, "balance");
}
