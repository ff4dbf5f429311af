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
#include "qom/object.h"
#include "hw/fugu/board/ending.h"

#define TYPE_FUGU_ROUNDS "fugu-rounds"
OBJECT_DECLARE_SIMPLE_TYPE(FuguRounds, FUGU_ROUNDS)

struct FuguMachineState;

struct FuguRounds {
    DeviceState parent_obj;

    struct FuguMachineState *machine;
    struct FuguHub *hub;

    uint32_t cursor;            /* the node whose turn it is */
    FuguEnding ending;
};

/* Without processors, for tests of the devices: run events for @cycles. */
void fugu_rounds_advance(FuguRounds *rounds, int64_t cycles);

#endif /* FUGU_ROUNDS_H */
