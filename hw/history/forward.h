/*
 * Going back: running forward again
 *
 * To go back is to restore a checkpoint and to run forward again to an exact
 * place. All functions of this folder run in the vCPU thread, between two
 * instructions, without the BQL, and take a while. They return
 * FUGU_TRAVEL_INTERRUPTED, with the machine somewhere on its way, as soon as
 * the machine is to stop.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_FORWARD_H
#define FUGU_FORWARD_H

#include "hw/fugu/history/checkpoint.h"

struct FuguNode;

typedef enum FuguTravelEnd {
    FUGU_TRAVEL_THERE,
    FUGU_TRAVEL_BEGIN,          /* there is nothing to find since the first
                                   checkpoint; the machine stands there */
    FUGU_TRAVEL_ENDED,          /* the machine has ended on its way */
    FUGU_TRAVEL_INTERRUPTED,
    FUGU_TRAVEL_FAILED,         /* a message was printed */
} FuguTravelEnd;

typedef struct FuguTravel {
    FuguMachineState *machine;
    FuguCheckpoints *all;
    uint64_t rounds;            /* that the run has executed, until now */
    uint64_t interval;          /* rounds between two checkpoints */
    uint64_t compared;          /* checkpoints that were passed again */
    bool differs;               /* from one of them: this was reported */
    int64_t leave_for;          /* start of a round: leave checkpoints on the
                                   way there; or FUGU_NEVER */
    unsigned left;              /* of those, how many */
} FuguTravel;

/* Ends QEMU with @err: the machine may be between two states. */
G_NORETURN void fugu_forward_fail(Error *err);

/* Takes a checkpoint of the present. */
void fugu_forward_checkpoint(FuguTravel *t, bool changed);

/* A round begins: takes a checkpoint if one is due. Compares the machine with
 * the checkpoint that is there, if the run has been here before. */
void fugu_forward_round(FuguTravel *t);

/* Returns whether the machine is to stop. Otherwise does what QEMU asks of the
 * thread. */
bool fugu_forward_interrupted(void);

/* Runs the node at the cursor to the end of the round, or to a debugger's stop.
 * Returns EXCP_STRETCH, EXCP_DEBUG, or EXCP_INTERRUPT if interrupted. */
int fugu_forward_turn(FuguTravel *t);

/* Executes an instruction of the node at the cursor, or ends its turn. Returns
 * as fugu_forward_turn() does. */
int fugu_forward_step(FuguTravel *t);

/* The node at the cursor is at the end of a stretch: lets the events of this
 * time fire. Returns whether they have. */
bool fugu_forward_enter_stretch(FuguTravel *t);

/* Begins the next round, when all nodes have had their turn. */
FuguTravelEnd fugu_forward_next_round(FuguTravel *t);

/*
 * Runs to the start of the turn of @to->cursor in the round @to->round, or to
 * the first round after that, if no round starts there. With @node, appends the
 * starts of the rounds in which that node may have executed an instruction to
 * @turns.
 */
FuguTravelEnd fugu_forward_fly(FuguTravel *t, const FuguPlace *to,
                               struct FuguNode *node, GArray *turns);

#endif /* FUGU_FORWARD_H */
