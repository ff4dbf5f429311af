/*
 * Functions that the qtests of the SHRIMP network interface share
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "shrimp-qtest.h"

uint32_t shrimp_kernel(QTestState *qts, unsigned node, uint32_t offset)
{
    return fugu_load(qts, node, K(offset));
}

uint32_t shrimp_pending(QTestState *qts, unsigned node)
{
    return shrimp_kernel(qts, node, FUGU_K_PENDING);
}

void shrimp_fill(QTestState *qts, unsigned node, uint32_t addr, uint32_t words,
                 uint32_t first)
{
    for (uint32_t i = 0; i < words; i++) {
        fugu_store(qts, node, addr + 4 * i, first + i);
    }
}

void shrimp_assert_filled(QTestState *qts, unsigned node, uint32_t addr,
                          uint32_t words, uint32_t first)
{
    for (uint32_t i = 0; i < words; i++) {
        g_assert_cmphex(fugu_load(qts, node, addr + 4 * i), ==, first + i);
    }
}

int shrimp_part(QTestState *qts, unsigned node, uint32_t page, bool upper,
                uint32_t mode, uint32_t to, uint32_t dest)
{
    uint64_t part = (uint64_t)(mode << FUGU_NIPT_MODE_SHIFT | to) << 32 | dest;

    fugu_store(qts, node, K(FUGU_K_NIPT_PAGE), page);
    return fugu_try_store(qts, node, KERNEL, 8,
                          K(upper ? FUGU_K_NIPT_UPPER : FUGU_K_NIPT_LOWER),
                          part);
}

void shrimp_split(QTestState *qts, unsigned node, uint32_t page,
                  uint32_t split)
{
    fugu_store(qts, node, K(FUGU_K_NIPT_PAGE), page);
    fugu_store(qts, node, K(FUGU_K_NIPT_SPLIT), split);
}

void shrimp_in(QTestState *qts, unsigned node, uint32_t page, uint32_t in)
{
    fugu_store(qts, node, K(FUGU_K_NIPT_PAGE), page);
    fugu_store(qts, node, K(FUGU_K_NIPT_IN), in);
}

void shrimp_map(QTestState *qts, unsigned node, uint32_t page, unsigned to,
                uint32_t dest_page)
{
    g_assert_cmpint(shrimp_part(qts, node, page, true, FUGU_NIPT_DELIBERATE,
                                to, AT(dest_page, 0)), ==, FUGU_DONE);
    shrimp_in(qts, to, dest_page, FUGU_NIPT_IN_MAPPED);
}

int shrimp_command(QTestState *qts, unsigned node, uint32_t addr,
                   uint32_t command)
{
    return fugu_try_store(qts, node, USER, 4, COMMAND(addr), command);
}

void shrimp_assert_command(QTestState *qts, unsigned node, uint32_t addr,
                           uint32_t command)
{
    g_assert_cmpint(shrimp_command(qts, node, addr, command), ==, FUGU_DONE);
}

uint32_t shrimp_engine(QTestState *qts, unsigned node, uint32_t addr)
{
    uint64_t value;

    g_assert_cmpint(fugu_try_load(qts, node, USER, 4, COMMAND(addr), &value),
                    ==, FUGU_DONE);
    return value;
}

static void ask(QTestState *qts, const char *question)
{
    g_auto(GStrv) words = qtest_command(qts, "fugu %s", question);
    g_autofree char *answer = g_strjoinv(" ", words + 1);

    g_assert_cmpstr(answer, ==, "");
}

void shrimp_assert_holds(QTestState *qts)
{
    ask(qts, "check");
    ask(qts, "balance");
}

void shrimp_damage(QTestState *qts, unsigned node, const char *what)
{
    g_autofree char *path = g_strdup_printf("/machine/node[%u]/ni", node);

    qtest_qmp_assert_success(qts, "{'execute': 'qom-set', 'arguments': "
                             "{'path': %s, 'property': 'damage', "
                             "'value': %s}}", path, what);
}
