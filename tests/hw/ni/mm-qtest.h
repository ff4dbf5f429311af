/*
 * Functions that the qtests of the M-Machine's message interface share
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_MM_QTEST_H
#define TESTS_MM_QTEST_H

#include "../common/fugu-qtest.h"

#define MM              "network-interface=m-machine,nodes=4,mesh=2x2"
#define VIOLATION       FUGU_TT_PROTECTION_VIOLATION
#define MISS            FUGU_TT_MM_MISS
#define K(reg)          (FUGU_NI_KERNEL_BASE + (reg))
#define KP(reg, p)      K((reg) + 4 * (p))      /* that of priority @p */
#define U(reg)          (FUGU_NI_USER_BASE + (reg))

/* Contexts. */
enum { THREAD, SLOT_0, SLOT_1 };

/* The default mesh, 2 x 2: when word @i of a message can be read that has left node
 * 0 for node @to at time 0, and nothing in its way. */
#define HOPS(to)        ((to) % 2 + (to) / 2)
#define COMES(to, i)    (64 + 2 * HOPS(to) + 4 * ((i) + 1))

/* A segment of which each node has SIZE bytes, for the GID 0 of reset; handlers
 * with the indices 0 to 3, at PC(index), which may touch 16 bytes. */
#define WINDOW          0x40000000
#define SIZE_LOG        16
#define LOCAL           0x00100000
#define PC(index)       (0x2000 + 0x100 * (index))
#define EXTENT          16
#define AT(node, offset) (WINDOW + ((node) << SIZE_LOG) + (offset))

/* Starts the machine with @more options; every node has that segment and these
 * handlers. */
QTestState *mm_start(const char *more);

uint32_t mm_kernel(QTestState *qts, unsigned node, uint32_t offset);
void mm_set(QTestState *qts, unsigned node, uint32_t offset, uint32_t value);
/* Stores an entry. Its words are those of FUGU_MM_SEG_* and FUGU_MM_ENTRY_*. */
void mm_segment(QTestState *qts, unsigned node, unsigned entry, uint32_t gid,
                uint32_t base, uint32_t size, uint32_t local);
void mm_handler(QTestState *qts, unsigned node, unsigned entry, uint32_t gid,
                uint32_t index, uint32_t pc, uint32_t extent);

/* SEND. The body is @length numbers from @first on. */
int mm_send(QTestState *qts, unsigned node, unsigned context, uint32_t dest,
            uint32_t handler, unsigned length, unsigned ack, uint32_t first);
int mm_await(QTestState *qts, unsigned node, unsigned context, uint32_t acks);
/* Whether the SEND or PUT that has waited for space has to wait on. */
bool mm_needs_space(QTestState *qts, unsigned node, unsigned context);

/* An instruction with the operand MsgHead or MsgBody. */
int mm_word(QTestState *qts, unsigned node, unsigned context, bool head,
            uint32_t *word);
/* One that has begun @cycles before, and ends now. */
int mm_word_after(QTestState *qts, unsigned node, unsigned context, bool head,
                  unsigned cycles, uint32_t *word);
/* The processor is in this context until an event comes, or the next call: loads,
 * stores and fugu_op() are that context's. */
void mm_as(QTestState *qts, unsigned node, unsigned context);
/* The word must have come, and be that one. */
void mm_assert_head(QTestState *qts, unsigned node, unsigned context,
                    uint32_t word);
void mm_assert_body(QTestState *qts, unsigned node, unsigned context,
                    uint32_t word);
/* It must not have come. */
void mm_assert_waits(QTestState *qts, unsigned node, unsigned context,
                     bool head);
void mm_fault(QTestState *qts, unsigned node, unsigned context, int tt);

/* Asserts what always holds of interfaces; and between two rounds. */
void mm_assert_holds(QTestState *qts);
void mm_assert_balance(QTestState *qts);

#endif /* TESTS_MM_QTEST_H */
