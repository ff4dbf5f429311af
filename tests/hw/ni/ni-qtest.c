/*
 * Steps of the qtests of the network interface
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "qemu/osdep.h"
#include "ni-qtest.h"

uint32_t load(QTestState *qts, unsigned node, uint32_t addr)
{
    return fugu_load(qts, node, addr);
}

void store(QTestState *qts, unsigned node, uint32_t addr, uint32_t value)
{
    fugu_store(qts, node, addr, value);
}

void describe(QTestState *qts, unsigned node, uint32_t window,
              uint32_t header, unsigned words)
{
    store(qts, node, window, header);
    for (unsigned i = 1; i < words; i++) {
        store(qts, node, window + 4 * i, 0x100 + i - 1);
    }
}

int launch(QTestState *qts, unsigned node, FuguMode mode, unsigned n)
{
    return fugu_op(qts, node, mode, "launch", n, 0);
}

int dispose(QTestState *qts, unsigned node, FuguMode mode)
{
    return fugu_op(qts, node, mode, "dispose", 0, 0);
}

void send_message(QTestState *qts, unsigned node, FuguMode mode,
                  uint32_t header, unsigned words)
{
    describe(qts, node, mode == USER ? U(OUT) : K(OUT), header, words);
    g_assert_cmpint(launch(qts, node, mode, words), ==, FUGU_DONE);
}

void deliver(QTestState *qts, FuguMode mode, uint32_t flags, unsigned words)
{
    send_message(qts, 0, mode, flags | 1, words);
    fugu_advance(qts, MESSAGE_TIME(words) + 1);
}

void assert_irq(QTestState *qts, unsigned node, uint32_t pending)
{
    static const struct { uint32_t pending; unsigned level; } lines[] = {
        { FUGU_PEND_MESSAGE, FUGU_IRQ_MESSAGE },
        { FUGU_PEND_MISMATCH, FUGU_IRQ_MISMATCH },
        { FUGU_PEND_TIMEOUT, FUGU_IRQ_TIMEOUT },
        { FUGU_PEND_SECOND, FUGU_IRQ_SECOND },
    };
    uint32_t levels = 0;

    for (int i = 0; i < ARRAY_SIZE(lines); i++) {
        if (pending & lines[i].pending) {
            levels |= FUGU_IRQ_BIT(lines[i].level);
        }
    }
    g_assert_cmphex(load(qts, node, K(PENDING)), ==, pending);
    g_assert_cmphex(fugu_irq(qts, node), ==, levels);
}

void assert_available(QTestState *qts, unsigned node, bool available)
{
    g_assert_cmpuint(load(qts, node, RECORD(AVAILABLE)), ==, available);
}

void assert_zeros(QTestState *qts, unsigned node, uint32_t addr,
                  unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i += 4) {
        g_assert_cmphex(load(qts, node, addr + i), ==, 0);
    }
}
