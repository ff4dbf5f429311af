/*
 * The FUGU network interface (paper, section 4.1; docs/machine.md)
 *
 *   ni.h       its state, which all files of this folder share
 *   flags.c    flags, atomicity timer, interrupts
 *   queue.c    what arrives, queues, flow control
 *   dma.c      bodies: from memory, to memory
 *   op.c       launch, dispose, beginatom, endatom
 *   regs.c     the registers of both pages
 *   check.c    what always holds, for tests and snapshots
 *   fugu-ni.c  the device: what node and mesh call, reset, saved state
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_H
#define FUGU_NI_H

#include "hw/qdev-core.h"
#include "hw/fugu/fugu-regs.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"

#define TYPE_FUGU_NI "fugu-ni"
OBJECT_DECLARE_SIMPLE_TYPE(FuguNI, FUGU_NI)

QEMU_BUILD_BUG_ON(FUGU_MSG_WORDS > FUGU_PACKET_WORDS);
QEMU_BUILD_BUG_ON(FUGU_BODY_MAX > FUGU_PACKET_BODY_MAX);

/* Words of the second network's queue and source space. */
#define FUGU_SECOND_WORDS       32

/* An output window, and how much of it the software has described. */
typedef struct FuguDescriptor {
    uint32_t words[FUGU_MSG_WORDS];
    uint32_t length;            /* descriptor-length */
    uint32_t reserved;          /* words of source space that it may use */
} FuguDescriptor;

/* One logical network, as this network interface sees it. */
typedef struct FuguChannel {
    struct FuguNI *ni;
    uint8_t network;
    FuguEvent arrival;          /* of the first packet in flight */
    FuguPacketList flight;      /* on their way here, soonest first */
    FuguPacketList blocked;     /* arrived; wait in the network for room */
    FuguPacketList queue;       /* the input queue */
    uint32_t queue_words;       /* words of the queue in use */
    uint32_t queue_max;
    uint32_t space;             /* words that this node may still send */
    uint32_t space_max;
    bool body_out;              /* a body of this node is in the network */
    FuguPacketList departing;   /* launched; wait for the outgoing DMA */
    FuguEvent departure;
    int64_t depart_time;        /* when the last of them leaves */
} FuguChannel;

/* What a register's handler leaves to fugu_ni_resolve(). */
typedef enum FuguResolve {
    FUGU_RESOLVE_TRAP,
    FUGU_RESOLVE_WAIT,
    FUGU_RESOLVE_STOREBACK,
} FuguResolve;

struct FuguNI {
    FuguNetif parent_obj;

    /* Wiring. */
    FuguNode *node;             /* a copy of parent_obj.node */
    MemoryRegion user_page, kernel_page;

    FuguChannel channel[FUGU_NETWORKS];
    uint32_t sequence;          /* of packets sent */

    FuguDescriptor user, kernel, second;

    /* Kernel registers. */
    uint32_t gid;
    bool divert;
    uint32_t timeout;           /* atomicity-timeout: preset of the timer */
    uint32_t uac;
    int64_t atomic_since;       /* local time when the user's atomic section
                                   began; FUGU_NEVER: not known. For reports,
                                   not saved */
    uint32_t offset_high;       /* written; the low word follows */
    uint32_t cycles_low;        /* latched when the high word is read */

    /* Atomicity timer: cycles left at local time @timer_mark. */
    int64_t timer_left;
    int64_t timer_mark;
    bool timer_runs;            /* enabled, and not at 0 */
    bool user_mode;
    FuguEvent timer_event;

    /* DMA between the input queue and memory. */
    uint32_t sb_addr, sb_offset;
    uint32_t dma_addr, dma_body;
    bool dma_armed;
    int64_t dma_until;          /* the engine is busy */
    bool dma_hides;             /* until then the queue shows no head */
    FuguEvent dma_event;

    /* Between a register access and fugu_ni_resolve(). */
    FuguResolve resolve;
    int resolve_tt;
    FuguWait resolve_wait;
    uint32_t resolve_count;
};

/* Returns the first message in the queue, or NULL. Returns NULL for the main
 * network also while a DMA hides the message. */
static inline FuguPacket *fugu_ni_head(FuguNI *ni, int network)
{
    if (network == FUGU_MAIN_NETWORK && ni->dma_hides) {
        return NULL;
    }
    return QTAILQ_FIRST(&ni->channel[network].queue);
}

/* Returns the GID that the message carries. */
static inline uint32_t fugu_ni_gid(const FuguPacket *message)
{
    return (message->words[0] & FUGU_HDR_GID_MASK) >> FUGU_HDR_GID_SHIFT;
}

/* Makes the processor's instruction wait. Returns SPARCLE_WAIT. */
static inline int fugu_ni_wait(FuguNI *ni, FuguWait why)
{
    fugu_node_wait(ni->node, why);
    return SPARCLE_WAIT;
}

#endif /* FUGU_NI_H */
