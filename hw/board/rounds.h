/*
 * The scheduler of rounds: virtual time for all nodes
 *
 * Time advances in rounds of one quantum. In each round all nodes run to the
 * round's end, one after the other, by number. Then the hub delivers the
 * packets that were sent. Between two rounds, the machine may end, or time may
 * jump to the next event if nothing can happen before.
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

/* For tests of the devices: advances time by @cycles. Fires events and delivers
 * packets, but runs no processor. */
void fugu_rounds_advance(FuguRounds *rounds, int64_t cycles);

#endif /* FUGU_ROUNDS_H */
