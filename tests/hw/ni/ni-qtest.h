/*
 * Steps of the qtests of the network interface
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_NI_QTEST_H
#define TESTS_NI_QTEST_H

#include "../common/fugu-qtest.h"

#define U(reg)          (FUGU_NI_USER_BASE + FUGU_U_##reg)
#define K(reg)          (FUGU_NI_KERNEL_BASE + FUGU_K_##reg)
#define RECORD(reg)     (U(RECORD) + FUGU_REC_##reg)
#define HEAD(reg)       (K(HEAD) + FUGU_HEAD_##reg)
#define SECOND(reg)     (K(SECOND_HEAD) + FUGU_HEAD_##reg)
#define GID(gid)        ((uint32_t)(gid) << FUGU_HDR_GID_SHIFT)

#define VIOLATION       FUGU_TT_PROTECTION_VIOLATION

/* Defaults of the machine, and latencies between the nodes of "nodes=2". */
#define QUEUE_WORDS     128
#define SPACE_WORDS     64
#define CREDIT_TIME     (64 + 2)
#define MESSAGE_TIME(n) (CREDIT_TIME + 4 * (n))
#define SECOND_CREDIT   (256 + 2)
#define SECOND_TIME(n)  (SECOND_CREDIT + 32 * (n))
#define LONG_TIME       2000

uint32_t load(QTestState *qts, unsigned node, uint32_t addr);
void store(QTestState *qts, unsigned node, uint32_t addr, uint32_t value);

/* Describes a message at @window: @header, 0x100, 0x101 and so on. */
void describe(QTestState *qts, unsigned node, uint32_t window,
              uint32_t header, unsigned words);
int launch(QTestState *qts, unsigned node, FuguMode mode, unsigned n);
int dispose(QTestState *qts, unsigned node, FuguMode mode);

/* Describes and launches a message. The launch must complete. */
void send_message(QTestState *qts, unsigned node, FuguMode mode,
                  uint32_t header, unsigned words);

/* Sends a message from node 0 to node 1, and waits until it has arrived. */
void deliver(QTestState *qts, FuguMode mode, uint32_t flags, unsigned words);

/* Asserts that exactly these interrupts are up: FUGU_PEND_*. */
void assert_irq(QTestState *qts, unsigned node, uint32_t pending);
void assert_available(QTestState *qts, unsigned node, bool available);
void assert_zeros(QTestState *qts, unsigned node, uint32_t addr,
                  unsigned bytes);

#endif /* TESTS_NI_QTEST_H */
