/*
 * The FUGU network interface (paper, section 4.1; docs/machine.md)
 *
 *   ni.c     flags, atomicity timer, interrupts, reset, state
 *   regs.c   the registers of both pages
 *   op.c     launch, dispose, beginatom, endatom
 *   queue.c  what arrives, queues, flow control
 *   dma.c    bodies: from memory, to memory
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_H
#define FUGU_NI_H

#include "hw/qdev-core.h"
#include "migration/vmstate.h"
#include "hw/fugu/fugu-regs.h"
#include "hw/fugu/mesh/hub.h"
#include "hw/fugu/node/node.h"

#define TYPE_FUGU_NI "fugu-ni"
OBJECT_DECLARE_SIMPLE_TYPE(FuguNI, FUGU_NI)

/* Words of the second network's queue and source space. */
#define FUGU_SECOND_WORDS       32

/* An output window and what of it is described. */
typedef struct FuguDescriptor {
    uint32_t words[FUGU_MSG_WORDS];
    uint32_t length;            /* descriptor-length */
    uint32_t reserved;          /* words of source space promised to it */
} FuguDescriptor;

/* One logical network, as this NI sees it. */
typedef struct FuguChannel {
    struct FuguNI *ni;
    uint8_t network;
    FuguEvent arrival;          /* of the first packet in flight */
    FuguPacketList flight;      /* on their way here, soonest first */
    FuguPacketList blocked;     /* arrived, waiting in the network for room */
    FuguPacketList queue;       /* the input queue */
    uint32_t queue_words;       /* taken */
    uint32_t queue_max;
    uint32_t space;             /* words that this source may still send */
    uint32_t space_max;
    bool body_out;              /* a body of ours is in the network */
    FuguPacketList departing;   /* launched; the outgoing DMA has them */
    FuguEvent departure;
    int64_t depart_time;        /* when the last of them leaves */
} FuguChannel;

/* What a device access has left to fugu_ni_resolve(). */
typedef enum FuguResolve {
    FUGU_RESOLVE_TRAP,
    FUGU_RESOLVE_WAIT,
    FUGU_RESOLVE_STOREBACK,
} FuguResolve;

struct FuguNI {
    DeviceState parent_obj;

    /* Wiring. */
    FuguNode *node;
    MemoryRegion user_page, kernel_page;

    FuguChannel channel[FUGU_NETWORKS];
    uint32_t sequence;          /* of packets sent */

    FuguDescriptor user, kernel, second;

    /* Kernel registers. */
    uint32_t gid;
    bool divert;
    uint32_t timeout;           /* atomicity-timeout, the preset */
    uint32_t uac;
    int64_t cycle_offset;
    uint32_t offset_high;       /* written, until the low word is */
    uint32_t cycles_low;        /* latched when the high word is read */

    /* Atomicity timer: what is left as of local time @timer_mark. */
    int64_t timer_left;
    int64_t timer_mark;
    bool timer_runs;            /* enabled, and in user mode */
    bool user_mode;
    FuguEvent timer_event;

    /* DMA between the input queue and memory. */
    uint32_t sb_addr, sb_offset;
    uint32_t dma_addr;
    bool dma_armed;
    int64_t dma_until;          /* the engine is busy */
    bool dma_hides;             /* no head is shown until then */
    FuguEvent dma_event;

    /* Between a register access and fugu_ni_resolve(). */
    FuguResolve resolve;
    int resolve_tt;
    FuguWait resolve_wait;
    uint32_t resolve_count;
};

/* ni.c */
void fugu_ni_update(FuguNI *ni);        /* timer and interrupts, after any
                                           change of what they depend on */
void fugu_ni_timer_preset(FuguNI *ni);
bool fugu_ni_message_available(FuguNI *ni);
/* The paper's mechanisms of atomicity are left to software. */
bool fugu_ni_soft(FuguNI *ni);
int64_t fugu_ni_cycle_offset(FuguNI *ni);
/* The processor changes its mode. */
void fugu_ni_mode(FuguNI *ni, bool user);
/* What is left to the atomicity timer at local time @now, in cycles. */
int64_t fugu_ni_timer_left(FuguNI *ni, int64_t now);
void fugu_ni_update_timer(FuguNI *ni);  /* account for the time until now */
uint32_t fugu_ni_pending(FuguNI *ni);   /* interrupts: FUGU_PEND_* */

/* regs.c */
void fugu_ni_init_pages(FuguNI *ni);
/* Make the access that a register handler could not: 0, a trap type, or
 * SPARCLE_WAIT. */
int fugu_ni_resolve(FuguNI *ni, uintptr_t ra);

/* op.c: 0, a trap type, or SPARCLE_WAIT */
int fugu_ni_op(FuguNI *ni, SparcleOp op, uint32_t a, uint32_t b, bool user,
               uintptr_t ra);
int fugu_ni_launch_second(FuguNI *ni, uint32_t n);
int fugu_ni_dispose_second(FuguNI *ni);
int fugu_ni_wait(FuguNI *ni, FuguWait why);
/* Words that can still be promised to the user's or the kernel's window: all
 * that the other has not been promised. */
uint32_t fugu_ni_space(FuguNI *ni, const FuguDescriptor *d);

/* queue.c */
void fugu_channel_init(FuguNI *ni, int network);
void fugu_channel_reset(FuguChannel *channel);
/* Called by the hub between rounds; takes the packet. */
void fugu_ni_arrive(FuguNI *ni, FuguPacket *packet);
/* The first message in the queue, or NULL; for the main network also NULL
 * while a DMA hides it. */
FuguPacket *fugu_ni_head(FuguNI *ni, int network);
/* Send @packet at local time @time or when those before it have left. */
void fugu_channel_send(FuguChannel *channel, FuguPacket *packet, int64_t time);
void fugu_channel_drop_head(FuguChannel *channel);
extern const VMStateDescription vmstate_fugu_channel;

/* dma.c: 0, a trap type, or SPARCLE_WAIT */
/* Can the body be read that @pairs address and length pairs describe? */
int fugu_dma_check(FuguNI *ni, const uint32_t *pair, unsigned pairs,
                   uintptr_t ra);
/* Read it, once that has been checked. */
void fugu_dma_gather(FuguNI *ni, const uint32_t *pair, unsigned pairs,
                     FuguPacket *packet, uintptr_t ra);
int fugu_dma_storeback(FuguNI *ni, uint32_t count, bool user, uintptr_t ra);
int fugu_dma_store_head(FuguNI *ni, FuguPacket *head);
void fugu_dma_init(FuguNI *ni);

/* Part of its node's. */
extern const VMStateDescription vmstate_fugu_ni;

#endif /* FUGU_NI_H */
