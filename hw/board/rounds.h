/*
 * The scheduler of rounds: virtual time for all nodes
 *
 * Time advances in rounds of one quantum. In each round every node runs, in
 * the order of its number, to the round's end; then the hub delivers what
 * was sent. The end of the machine, and jumps over time in which nothing can
 * happen, take effect between two rounds.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_ROUNDS_H
#define FUGU_ROUNDS_H

#include "hw/qdev-core.h"
#include "qemu/notify.h"
#include "qom/object.h"
#include "hw/fugu/board/ending.h"

#define TYPE_FUGU_ROUNDS "fugu-rounds"
OBJECT_DECLARE_SIMPLE_TYPE(FuguRounds, FUGU_ROUNDS)

struct FuguMachineState;

struct FuguRounds {
    DeviceState parent_obj;

    struct FuguMachineState *machine;
    struct FuguHub *hub;

    int64_t start;              /* of this round, in cycles */
    uint32_t cursor;            /* the node whose turn it is */
    bool stopping;              /* end the machine when the round does */
    uint32_t stop_status;
    FuguEnding ending;          /* only the last words are missing */
    bool ended;                 /* they have been said, and end_status is it */
    uint32_t end_status;

    Notifier shutdown;          /* when QEMU ends without us */
};

/* When this round is over, in cycles. */
int64_t fugu_round_end(const FuguRounds *rounds);

/* Without processors, for tests of the devices: run events for @cycles. */
void fugu_rounds_advance(FuguRounds *rounds, int64_t cycles);

#endif /* FUGU_ROUNDS_H */
