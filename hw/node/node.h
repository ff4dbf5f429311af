/*
 * A node: one Sparcle with memory and devices of its own, in local time
 *
 * A node's local time is what its processor has run, in cycles. Whatever in
 * the node needs time, uses the node's own list of events: an event bounds
 * the stretch that the processor may run before it, and fires between two
 * stretches. No device of a node uses a QEMUTimer or the host's clock.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NODE_H
#define FUGU_NODE_H

#include "hw/cpu/cluster.h"
#include "hw/qdev-core.h"
#include "exec/memory.h"
#include "target/sparc/cpu.h"
#include "qom/object.h"
#include "hw/fugu/node/node-status.h"

#define TYPE_FUGU_NODE "fugu-node"
OBJECT_DECLARE_SIMPLE_TYPE(FuguNode, FUGU_NODE)

#define FUGU_NEVER INT64_MAX

/*
 * FuguEvent: something that happens to a node at a local time. Embedded in
 * its device; fire() runs in the vCPU thread, with the node's processor
 * between two instructions, at the first such moment at or after @time.
 */
typedef struct FuguEvent FuguEvent;
struct FuguEvent {
    int64_t time;               /* FUGU_NEVER: not scheduled */
    uint8_t id;                 /* among the node's; of one at a time, the
                                   first scheduled is the first to fire */
    void (*fire)(void *opaque);
    void *opaque;
    FuguEvent *next;
};

#define FUGU_NODE_EVENTS_MAX 16

/* The node's events that lie ahead, in order, while it is saved or loaded. */
typedef struct FuguSavedEvents {
    uint32_t count;
    uint8_t id[FUGU_NODE_EVENTS_MAX];
    int64_t time[FUGU_NODE_EVENTS_MAX];
} FuguSavedEvents;

struct FuguNode {
    DeviceState parent_obj;

    /* Wiring, fixed when realized. */
    uint32_t number;
    uint32_t ram_size;
    struct FuguMachineState *machine;
    CPUClusterState cluster;
    SPARCCPU cpu;
    MemoryRegion root;          /* the CPU's memory tree */
    MemoryRegion ram, boot;     /* this node's slice of the machine's */
    struct FuguNetif *ni;
    struct FuguTimer *timer;
    struct FuguConsole *console;
    struct FuguDisk *disk;      /* or NULL */
    struct FuguControl *control;

    /* Time and state. */
    int64_t stop;               /* local time when cycles_left reaches 0 */
    FuguEvent *events;          /* soonest first */
    FuguEvent *all_events[FUGU_NODE_EVENTS_MAX];    /* by id */
    unsigned event_count;
    FuguSavedEvents saved_events;
    FuguNodeState state;
    FuguWait wait;
    bool in_stretch;            /* interrupted by the host in the middle */
    uint32_t status;            /* when ENDED; trap type when FAILED */
    int64_t end_time;           /* when ENDED */
    uint32_t interrupts;        /* levels asked for, a bit each */
    uint64_t digest;
};

/* Local time, in cycles. Exact when the processor executes a device access,
 * an NI operation, or nothing: the instruction's own cycles are counted. */
static inline int64_t fugu_node_time(FuguNode *node)
{
    return node->stop - CPU(&node->cpu)->neg.cycles_left;
}

/* Whether the node's processor is executing user code; false for accesses
 * that no processor makes (debugger, qtest). */
static inline bool fugu_node_user(FuguNode *node)
{
    return current_cpu == CPU(&node->cpu) && !node->cpu.env.psrs;
}

/* To be called when the node is wired. The node saves its events: their
 * devices need not. */
void fugu_event_init(FuguNode *node, FuguEvent *event, void (*fire)(void *),
                     void *opaque);

/* (Re)schedule; a time in the past fires at the next stop. FUGU_NEVER takes
 * it back. */
void fugu_event_set(FuguNode *node, FuguEvent *event, int64_t time);

/* Interrupt level @level (1 to 15) is asked for, or not any more. Devices
 * call it from their update_irq alone. */
void fugu_node_set_irq(FuguNode *node, unsigned level, bool asked);

/* The processor cannot execute its instruction yet. */
void fugu_node_wait(FuguNode *node, FuguWait why);

/* The node is done; @status is the program's. */
void fugu_node_end(FuguNode *node, uint32_t status);

/* Advance local time to @end without the processor. */
void fugu_node_run_events(FuguNode *node, int64_t end);

/* Run one node to local time @end, from where it stopped. Returns
 * EXCP_STRETCH when it is there, else why the host wants the thread. */
int fugu_node_run(FuguNode *node, int64_t end);

/* What the node does now. */
FuguNodeStatus fugu_node_status(const FuguNode *node);

/* What happened, in the order it happened to this node. */
typedef enum FuguDigestKind {
    FUGU_DIGEST_LAUNCH = 1,
    FUGU_DIGEST_DELIVERY,
    FUGU_DIGEST_TRAP,
    FUGU_DIGEST_CONSOLE,
    FUGU_DIGEST_END,
} FuguDigestKind;

void fugu_digest(FuguNode *node, FuguDigestKind kind, uint64_t value);
/* @len bytes more, for what was just digested. */
void fugu_digest_data(FuguNode *node, const void *data, size_t len);

#endif /* FUGU_NODE_H */
