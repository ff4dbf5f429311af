/*
 * What the qtests of the FUGU machine share
 *
 * Under qtest no processor runs. The functions here do what a node's
 * processor would do, through the commands of hw/debug/qtest.c, and let time
 * pass.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef TESTS_FUGU_QTEST_H
#define TESTS_FUGU_QTEST_H

#include "../../libqtest.h"
#include "hw/fugu/fugu-regs.h"

/* Results of instructions, beside the types of traps. */
#define FUGU_DONE               0
#define FUGU_WAITS              (-1)
#define FUGU_TT_DATA_ACCESS     0x29    /* nothing is there */

typedef enum FuguMode { KERNEL, USER } FuguMode;

/* "-machine fugu," with these options, and whatever else is in @args. */
QTestState *fugu_start(const char *options, const char *args);

/* The same machine goes on in another QEMU; @from ends. */
QTestState *fugu_migrate(QTestState *from, const char *options,
                         const char *args);

/*
 * Let virtual time pass. An event at the very cycle where it stops has not
 * happened yet: it belongs to what comes next.
 */
void fugu_advance(QTestState *qts, uint64_t cycles);
int64_t fugu_time(QTestState *qts, unsigned node);

/* Interrupt levels that are up, a bit each. */
uint32_t fugu_irq(QTestState *qts, unsigned node);
#define FUGU_IRQ_BIT(level)     (1u << (level))

/* Loads and stores by kernel code that must complete. */
uint32_t fugu_load(QTestState *qts, unsigned node, uint32_t addr);
uint64_t fugu_load64(QTestState *qts, unsigned node, uint32_t addr);
void fugu_store(QTestState *qts, unsigned node, uint32_t addr, uint32_t value);
void fugu_store64(QTestState *qts, unsigned node, uint32_t addr,
                  uint64_t value);

/* The same with any size and mode, and what comes of it: FUGU_*, a trap. */
int fugu_try_load(QTestState *qts, unsigned node, FuguMode mode, unsigned size,
                  uint32_t addr, uint64_t *value);
int fugu_try_store(QTestState *qts, unsigned node, FuguMode mode,
                   unsigned size, uint32_t addr, uint64_t value);

/* An operation of the network interface. */
int fugu_op(QTestState *qts, unsigned node, FuguMode mode, const char *op,
            uint32_t a, uint32_t b);

/* How the node and the machine do. */
typedef struct FuguEnd {
    int state;          /* of the node, as in hw/node/node.h */
    unsigned status;
    bool stopping;      /* the machine, when the round ends */
    unsigned stop_status;
} FuguEnd;

FuguEnd fugu_end(QTestState *qts, unsigned node);

/*
 * A page whose device logs mistakes as guest errors: what no register
 * answers to is 0 when loaded and ignored when stored. @size bytes at
 * @addr are such a place.
 */
void fugu_assert_bad(QTestState *qts, unsigned node, uint32_t addr,
                     unsigned size);

/* A temporary file with these contents; NULL: empty. Free the name. */
char *fugu_temp_file(const void *contents, size_t len);

#endif /* TESTS_FUGU_QTEST_H */
