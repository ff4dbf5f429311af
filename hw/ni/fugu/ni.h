/*
 * The FUGU network interface (paper, section 4.1; docs/machine.md): its
 * message part
 *
 *   ni.h       its state, which all files of this folder share
 *   flags.c    the head of the queue: whose it is, and what it interrupts
 *   dma.c      bodies: from memory, to memory
 *   op.c       launch, dispose
 *   regs.c     the registers of both pages
 *   check.c    what always holds, for tests and snapshots
 *   fugu-ni.c  the device: what node and mesh call, reset, saved state
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NI_H
#define FUGU_NI_H

#include "hw/fugu/ni/system/system.h"

#define TYPE_FUGU_NI FUGU_NETIF_TYPE_NAME("fugu")
OBJECT_DECLARE_SIMPLE_TYPE(FuguNI, FUGU_NI)

QEMU_BUILD_BUG_ON(FUGU_BODY_MAX > FUGU_PACKET_BODY_MAX);

/* An output window, and how much of it the software has described. */
typedef struct FuguDescriptor {
    uint32_t words[FUGU_MSG_WORDS];
    uint32_t length;            /* descriptor-length */
    uint32_t reserved;          /* words of source space that it may use */
} FuguDescriptor;

struct FuguNI {
    FuguSystemNI parent_obj;

    FuguNode *node;             /* a copy of parent_obj.node */
    FuguChannel main;
    FuguDescriptor user, kernel;
    bool divert;

    /* DMA between the input queue and memory. */
    uint32_t sb_addr, sb_offset;
    uint32_t dma_addr, dma_body;
    bool dma_armed;
    int64_t dma_until;          /* the engine is busy */
    bool dma_hides;             /* until then the queue shows no head */
    FuguEvent dma_event;

    uint32_t resolve_count;     /* between the store of a storeback's count and
                                   its execution */
};

/* Returns the FUGU interface that a method of its message part is for. */
static inline FuguNI *fugu_ni_of(FuguSystemNI *system)
{
    return container_of(system, FuguNI, parent_obj);
}

/* Returns the first message in the queue, or NULL. Returns NULL also while a
 * DMA hides the message. */
static inline FuguPacket *fugu_ni_head(FuguNI *ni)
{
    return ni->dma_hides ? NULL : QTAILQ_FIRST(&ni->main.queue);
}

/* Returns the GID that the message carries. */
static inline uint32_t fugu_ni_gid(const FuguPacket *message)
{
    return (message->words[0] & FUGU_HDR_GID_MASK) >> FUGU_HDR_GID_SHIFT;
}

#endif /* FUGU_NI_H */
