/*
 * Functions that all qtests of the FUGU machine share
 *
 * Under qtest no processor runs. The functions here take the place of a node's
 * processor, through the commands of hw/debug/qtest.c, and advance time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_FUGU_QTEST_H
#define TESTS_FUGU_QTEST_H

#include "../../libqtest.h"
#include "hw/fugu/fugu-regs.h"

/* Results of instructions. Other results are types of traps. */
#define FUGU_DONE               0
#define FUGU_WAITS              (-1)
#define FUGU_TT_DATA_ACCESS     0x29    /* no device is there */

typedef enum FuguMode { KERNEL, USER } FuguMode;

/* Starts QEMU with "-machine fugu," and these options, and with @args. */
QTestState *fugu_start(const char *options, const char *args);

/* Moves the machine to another QEMU, which it returns. Ends @from. */
QTestState *fugu_migrate(QTestState *from, const char *options,
                         const char *args);

/*
 * Advances virtual time by @cycles. An event at the cycle at which it stops has
 * not happened yet.
 */
void fugu_advance(QTestState *qts, uint64_t cycles);
int64_t fugu_time(QTestState *qts, unsigned node);

/* Returns the interrupt levels that are up, a bit each. */
uint32_t fugu_irq(QTestState *qts, unsigned node);
#define FUGU_IRQ_BIT(level)     (1u << (level))

/* Loads and stores by kernel code, which must complete. */
uint32_t fugu_load(QTestState *qts, unsigned node, uint32_t addr);
uint64_t fugu_load64(QTestState *qts, unsigned node, uint32_t addr);
void fugu_store(QTestState *qts, unsigned node, uint32_t addr, uint32_t value);
void fugu_store64(QTestState *qts, unsigned node, uint32_t addr,
                  uint64_t value);

/* Loads and stores of any size, in either mode. They return FUGU_DONE,
 * FUGU_WAITS or a trap type. */
int fugu_try_load(QTestState *qts, unsigned node, FuguMode mode, unsigned size,
                  uint32_t addr, uint64_t *value);
int fugu_try_store(QTestState *qts, unsigned node, FuguMode mode,
                   unsigned size, uint32_t addr, uint64_t value);

/* An operation of the network interface. Returns FUGU_DONE, FUGU_WAITS or a
 * trap type. */
int fugu_op(QTestState *qts, unsigned node, FuguMode mode, const char *op,
            uint32_t a, uint32_t b);

/* The node's processor changes to this mode. */
void fugu_mode(QTestState *qts, unsigned node, FuguMode mode);

/* The node's processor waits for an interrupt. Returns true if it has to. */
bool fugu_idle(QTestState *qts, unsigned node);

/* Whether a node and the machine have ended, and how. */
typedef struct FuguEnd {
    int state;          /* of the node, as in hw/node/node.h */
    unsigned status;
    bool stopping;      /* the machine, when the round ends */
    unsigned stop_status;
} FuguEnd;

FuguEnd fugu_end(QTestState *qts, unsigned node);

/*
 * Asserts that the device has no register of @size bytes at @addr: a load
 * returns 0, a store has no effect. For devices that log such accesses as
 * guest errors.
 */
void fugu_assert_bad(QTestState *qts, unsigned node, uint32_t addr,
                     unsigned size);

/* Makes a temporary file with these contents; NULL means empty. Returns its
 * name, which the caller frees. */
char *fugu_temp_file(const void *contents, size_t len);

#endif /* TESTS_FUGU_QTEST_H */
