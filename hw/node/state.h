/*
 * A node's state: one Sparcle processor with memory and devices, in local time
 *
 * A node's local time is the number of cycles that its processor has run or
 * waited. Devices that need time use the node's list of events. An event
 * bounds the stretch that the processor runs before it, and fires between two
 * stretches. No device of a node uses a QEMUTimer or the host's clock.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NODE_STATE_H
#define FUGU_NODE_STATE_H

#include "hw/cpu/cluster.h"
#include "hw/qdev-core.h"
#include "exec/memory.h"
#include "target/sparc/cpu.h"
#include "qom/object.h"
#include "hw/fugu/machine/meter.h"
#include "hw/fugu/machine/node-status.h"
#include "hw/fugu/node/contexts.h"
#include "hw/fugu/observe/seen.h"

#define TYPE_FUGU_NODE "fugu-node"
OBJECT_DECLARE_SIMPLE_TYPE(FuguNode, FUGU_NODE)

#define FUGU_NEVER INT64_MAX

/*
 * FuguEvent: something that happens to a node at a local time. A device
 * contains its events. fire() runs in the vCPU thread, at the first moment at
 * or after @time at which the node's processor is between two instructions.
 */
typedef struct FuguEvent FuguEvent;
struct FuguEvent {
    int64_t time;               /* FUGU_NEVER: not scheduled */
    uint8_t id;                 /* among the node's events; those of the same
                                   time fire in the order of scheduling */
    void (*fire)(void *opaque);
    void *opaque;
    FuguEvent *next;
};

#define FUGU_NODE_EVENTS_MAX 18

/* The scheduled events in order, while the node is saved or loaded. */
typedef struct FuguSavedEvents {
    uint32_t count;
    uint8_t id[FUGU_NODE_EVENTS_MAX];
    int64_t time[FUGU_NODE_EVENTS_MAX];
} FuguSavedEvents;

/* An update that has come to the node's memory. */
typedef struct FuguCame {
    uint16_t source;            /* node */
    uint8_t mode;               /* as the kind counts it */
    uint32_t from, dest;        /* physical addresses there and here */
    uint32_t bytes;             /* 0: there is none */
    int64_t issued;             /* FuguPacket's, in the source's time */
    int64_t time;               /* when it came */
} FuguCame;

struct FuguMmuCheck;

struct FuguNode {
    DeviceState parent_obj;

    /* What each stretch uses is on one line of the host's caches. */
    int64_t stop QEMU_ALIGNED(64);      /* local time when cycles_left
                                           reaches 0 */
    int64_t next_time;          /* of the soonest event, or FUGU_NEVER */
    int64_t waited;             /* cycles without the processor, for the line
                                   of progress */
    FuguEvent *events;          /* soonest first */
    FuguNodeState state;
    FuguWait wait;
    bool in_stretch;            /* the host interrupted it inside a stretch */
    bool deferred;              /* the processor's instruction accesses a
                                   device, and awaits its turn */
    int64_t end;                /* of the round that runs */
    bool ran;                   /* it may have executed an instruction since
                                   this was cleared; no state of the machine */
    uint32_t number;

    /* Wiring, fixed when realized. */
    uint32_t ram_size;
    struct FuguMachineState *machine;
    CPUClusterState cluster;
    SPARCCPU cpu;
    MemoryRegion root;          /* the CPU's memory tree */
    MemoryRegion ram, boot;     /* aliases of parts of the machine's */
    struct FuguNetif *ni;
    struct FuguTimer *timer;
    struct FuguConsole *console;
    struct FuguDisk *disk;      /* or NULL */
    struct FuguFiles *files;
    struct FuguControl *control;

    /* More of the state. */
    FuguEvent *all_events[FUGU_NODE_EVENTS_MAX];    /* by id */
    unsigned event_count;
    FuguSavedEvents saved_events;
    uint32_t status;            /* when ENDED; trap type when FAILED */
    int64_t end_time;           /* when ENDED */
    uint32_t interrupts;        /* levels that are requested, a bit each */
    uint64_t digest;
    FuguMeter meter;
    FuguSeen *seen;             /* NULL: the run is not observed */
    struct FuguMmuCheck *mmu;   /* NULL: the MMU is not checked */
    FuguContexts *contexts;     /* NULL: the processor has no message slots */
    FuguCame came;              /* the last one to what a debugger's search is
                                   about */
    /* NULL, or called when the processor goes on in user mode. */
    void (*to_user)(FuguNode *node);
};

/* Whether the processor has yet to hear of interrupts that came while it was in
 * straight code. */
static inline bool fugu_node_owes_irqs(const FuguNode *node)
{
    return node->interrupts != node->cpu.env.pil_in;
}

/*
 * Returns local time, in cycles. The time is exact between two instructions,
 * and while the processor executes a device access or an NI operation: then it
 * includes the cycles of that instruction.
 */
static inline int64_t fugu_node_time(FuguNode *node)
{
    return node->stop - CPU(&node->cpu)->neg.cycles_left;
}

/* Whether the node's processor is executing user code. Returns false for
 * accesses by a debugger. */
static inline bool fugu_node_user(FuguNode *node)
{
    return current_cpu == CPU(&node->cpu) && !node->cpu.env.psrs;
}

/* Whether the processor takes no interrupt of the cycle timer, nor of the first
 * network, which are below it. */
static inline bool fugu_node_masks(FuguNode *node)
{
    const CPUSPARCState *env = &node->cpu.env;

    return !env->psret || env->psrpil >= FUGU_IRQ_TIMER;
}

/* To be called when the list of events has changed. */
static inline void fugu_node_events_changed(FuguNode *node)
{
    node->next_time = node->events ? node->events->time : FUGU_NEVER;
}

#endif /* FUGU_NODE_STATE_H */
