/*
 * What a node does, as the machine reports it
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NODE_STATUS_H
#define FUGU_NODE_STATUS_H

/* What a node does. */
typedef enum FuguNodeState {
    FUGU_NODE_RUNS,
    FUGU_NODE_WAITS,            /* before an instruction, for any event */
    FUGU_NODE_ENDED,            /* the program ended it, with a status */
    FUGU_NODE_FAILED,           /* error mode */
    FUGU_NODE_STATES
} FuguNodeState;

/* Why it waits, for the report of a deadlock. */
typedef enum FuguWait {
    FUGU_WAIT_INTERRUPT,        /* idle */
    FUGU_WAIT_SPACE,            /* a store or launch, for source space */
    FUGU_WAIT_BODY,             /* a launch, for its last body to arrive */
    FUGU_WAIT_DMA,              /* the NI's DMA engine is busy */
    FUGU_WAIT_SECOND,           /* a launch, for space in the second network */
    FUGU_WAIT_OUTGOING,         /* a store that is sent, for room in SHRIMP's
                                   Outgoing FIFO */
    FUGU_WAIT_ACK,              /* a SEND or AWAIT, for the last message to leave
                                   the registers: M-Machine */
    FUGU_WAIT_WORD,             /* a message slot, for the next word */
    FUGU_WAIT_MESSAGE,          /* a message slot, for the next message */
    FUGU_WAITS
} FuguWait;

/*
 * One node at one moment: for reports of the machine's end, for debuggers,
 * and for the process that writes the reports.
 */
typedef struct FuguNodeStatus {
    FuguNodeState state;
    FuguWait wait;              /* when WAITS */
    uint32_t pc, npc;
    uint32_t status;            /* when ENDED; trap type when FAILED */
    int64_t end_time;           /* when ENDED */
    uint64_t digest;
} FuguNodeStatus;

/* What the node does, in words. The caller frees the text with g_free(). */
char *fugu_node_status_text(const FuguNodeStatus *status);

#endif /* FUGU_NODE_STATUS_H */
