/*
 * Runs a node: stretches of its processor, events, waits, interrupts
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_RUN_H
#define FUGU_RUN_H

#include "hw/fugu/node/state.h"

/* Requests interrupt level @level (1 to 15), or withdraws the request. A
 * device calls this function from its update_irq alone. */
void fugu_node_set_irq(FuguNode *node, unsigned level, bool asked);

/* The same for all levels in @mask, a bit each. Those in @levels are requested,
 * the others are withdrawn. */
void fugu_node_set_irqs(FuguNode *node, uint32_t mask, uint32_t levels);

/* The processor cannot execute its instruction yet. The node waits for any
 * event, then tries the instruction again. */
void fugu_node_wait(FuguNode *node, FuguWait why);

/* The processor has left that instruction, which has got its cycles back: local
 * time is that of its begin. */
void fugu_node_yielded(FuguNode *node);

/* Ends the node. @status is the program's. */
void fugu_node_end(FuguNode *node, uint32_t status);

/* Advances local time to @end and fires events, without the processor. */
void fugu_node_run_events(FuguNode *node, int64_t end);

/*
 * Runs one node from where it stopped to local time @end, the end of a round.
 * Returns EXCP_STRETCH if the node is there. Otherwise it returns why the host
 * wants the thread.
 *
 * The node may get further than @end, in straight code. An instruction that
 * accesses a device is not executed if it would end at @end or later: then the
 * node is there when it gets to that instruction. The next call tries it again.
 */
int fugu_node_run(FuguNode *node, int64_t end);

/* Whether the processor's instruction may access a device: it ends before the
 * round does. If not, the round ends for this node, and the processor must
 * yield. */
bool fugu_node_has_turn(FuguNode *node);

/* Returns what the node does now. */
FuguNodeStatus fugu_node_status(const FuguNode *node);

#endif /* FUGU_RUN_H */
