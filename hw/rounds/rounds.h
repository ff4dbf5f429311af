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
#include "hw/fugu/rounds/ending.h"

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

/*
 * The steps of a run, for a loop other than the scheduler's own
 * (history/travel.c). In the vCPU thread, without the BQL.
 *
 * fugu_rounds_turn() runs the node at the cursor to the end of the round, and
 * returns as fugu_node_run() does. The caller then advances the cursor.
 * fugu_rounds_finish() finishes a round in which all nodes have had their turn.
 * It returns false if the next round may not run yet.
 */
int fugu_rounds_turn(FuguRounds *rounds);
bool fugu_rounds_finish(FuguRounds *rounds);

/*
 * Forgets packets in flight, and that the machine has ended or waits for
 * input, before another state is loaded into it. Holding the BQL.
 */
void fugu_rounds_forget(FuguRounds *rounds);

/* For tests of the devices: advances time by @cycles. Fires events and delivers
 * packets, but runs no processor. */
void fugu_rounds_advance(FuguRounds *rounds, int64_t cycles);

#endif /* FUGU_ROUNDS_H */
