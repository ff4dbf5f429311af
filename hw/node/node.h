/*
 * A node: one Sparcle processor with memory and devices, in local time
 *
 * A node's local time is the number of cycles that its processor has run or
 * waited. Devices that need time use the node's list of events. An event
 * bounds the stretch that the processor runs before it, and fires between two
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

#define FUGU_NODE_EVENTS_MAX 16

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

/* To be called while the board makes the node's devices, in the same order in
 * each run. The node saves its events, so their devices need not. */
void fugu_event_init(FuguNode *node, FuguEvent *event, void (*fire)(void *),
                     void *opaque);

/* Schedules @event for @time, instead of any earlier time. With a time in the
 * past it fires at the next stop, with FUGU_NEVER not at all. */
void fugu_event_set(FuguNode *node, FuguEvent *event, int64_t time);

/* To be called when the list of events has changed. */
static inline void fugu_node_events_changed(FuguNode *node)
{
    node->next_time = node->events ? node->events->time : FUGU_NEVER;
}

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

/* Gives the processor message slots, all off. A kind of network interface that
 * has word(), taken() and fault() calls it once (machine/netif.h). */
void fugu_node_use_slots(FuguNode *node);

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

/* What happens to a node and is part of its digest. */
typedef enum FuguDigestKind {
    FUGU_DIGEST_LAUNCH = 1,
    FUGU_DIGEST_DELIVERY,
    FUGU_DIGEST_TRAP,
    FUGU_DIGEST_CONSOLE,
    FUGU_DIGEST_END,
    FUGU_DIGEST_UPDATE,         /* the interface writes to memory, or drops what
                                   it got */
} FuguDigestKind;

/* Adds an event to the node's digest, with the local time. */
void fugu_digest(FuguNode *node, FuguDigestKind kind, uint64_t value);
/* Adds @len bytes of data, a multiple of 4, to the event just added. */
void fugu_digest_data(FuguNode *node, const void *data, size_t len);

#endif /* FUGU_NODE_H */
