/*
 * The M-Machine's message interface: its state, which all files of this folder
 * share
 *
 * Lee, Dally, Keckler, Carter, Chang: An Efficient, Protected Message Interface,
 * IEEE Computer, November 1998 ("paper"). docs/machine.md says what guest programs
 * see.
 *
 * Priority P has a channel of its own: the main network for 0, the urgent one for
 * 1. The processor's context 0 is the main one, context P + 1 the message slot of
 * priority P.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MM_H
#define FUGU_MM_H

#include "hw/fugu/ni/system/system.h"

#define TYPE_MM_NI FUGU_NETIF_TYPE_NAME("m-machine")
OBJECT_DECLARE_SIMPLE_TYPE(MMachineNI, MM_NI)

QEMU_BUILD_BUG_ON(SPARCLE_CONTEXTS != 1 + FUGU_MM_PRIORITIES);
QEMU_BUILD_BUG_ON(FUGU_MM_HEAD + FUGU_MM_BODY_MAX > FUGU_PACKET_WORDS);

/* Words of a message. */
enum { MM_HEADER, MM_HANDLER, MM_DEST, MM_BODY };

/* Entries of both tables, as the kernel has stored them: FUGU_MM_SEG_* and
 * FUGU_MM_ENTRY_*. */
typedef struct MMTables {
    uint32_t segment[FUGU_MM_GTLB][FUGU_MM_SEG_WORDS];
    uint32_t handler[FUGU_MM_HANDLERS][FUGU_MM_ENTRY_WORDS];
    uint32_t at_segment, at_handler;    /* entries that the registers show */
    uint32_t miss_dest, miss_ip;        /* of the last SEND that trapped */
} MMTables;

/* What a context sends with. */
typedef struct MMInjection {
    int64_t free;               /* when the message has left the buffer: then its
                                   Ack bit is valid */
    uint8_t ack;                /* number of that bit */
    uint32_t acks;              /* the other bits that are valid */
    uint32_t needs;             /* words of the SEND or PUT that waits for space */
    uint32_t put[FUGU_MM_PUT_WORDS];    /* the message buffer of PUT */
    uint8_t next;               /* word that a stream wants next; 0: none is open */
    uint16_t stream_dest;       /* node that the words of the stream go to, */
    uint8_t stream_priority;    /*   and at which priority */
    uint32_t put_gid;           /* whose words the buffer and the stream are */
    FuguEvent event;            /* the buffer is free, and somebody waits */
} MMInjection;

/* The end of a priority at which messages are extracted: a slot, or the main
 * context by registers. */
typedef struct MMExtraction {
    uint32_t state;             /* FUGU_MM_SLOT_* */
    uint32_t fault;             /* type of a trap, when at fault, */
    uint32_t fault_address;     /*   and what FUGU_K_MM_ADDRESS and */
    uint32_t fault_cause;       /*   FUGU_K_MM_CAUSE say of it */
    bool reads;                 /* MsgHead has given the queue's head */
    bool drops;                 /* its rest is lost, and its room free at */
    int64_t drop_time;          /*   this time */
    int64_t armed;              /* the time of `event`, when it fires */
    int64_t read_time;          /* of the last peek, for the pop after it */
    int64_t read_begin;         /* when its instruction began */
    int64_t tail;               /* when the last word comes of all that has
                                   entered the queue */
    bool present;               /* a message interrupts the main context */
    uint8_t next;               /* the word of it that MsgBody gives next */
    uint32_t gid;               /* of the message whose handler runs */
    uint32_t left;              /* messages that have left the queue */
    FuguEvent event;            /* of a word that is waited for, or of the tail
                                   of what is dropped */
    uint32_t began;             /* what fugu_node_busy() said of the slot when it
                                   took the message, modulo 2^32 */
    FuguEvent watchdog;         /* a look at the cycles since then */
} MMExtraction;

struct MMachineNI {
    FuguSystemNI parent_obj;

    FuguNode *node;             /* a copy of parent_obj.node */
    uint32_t word;              /* cycles a word on a link */
    FuguChannel channel[FUGU_MM_PRIORITIES];
    MMTables tables;
    MMInjection injection[SPARCLE_CONTEXTS];
    MMExtraction extraction[FUGU_MM_PRIORITIES];
    uint32_t main_priority;     /* of what the main context sends */
    uint32_t rules;             /* FUGU_MM_RULE_* */
    uint32_t irqs;              /* priorities that interrupt, a bit each */
    uint32_t watchdog;          /* cycles of a slot for a message; 0: any number */
    uint8_t main_reads;         /* priority whose word the main context waits for */
    uint8_t holder[FUGU_MM_PRIORITIES]; /* 1 + the context whose stream is open
                                   there; 0: none */
};

/* OBJECT_CHECK would cost time in each access. */
static inline MMachineNI *mm_of(FuguSystemNI *ni)
{
    return container_of(ni, MMachineNI, parent_obj);
}

#endif /* FUGU_MM_H */
