/*
 * The SHRIMP network interface: its state, which all files of this folder share
 *
 * Blumrich, Li, Alpert, Dubnicki, Felten, Sandberg: Virtual Memory Mapped Network
 * Interface for the SHRIMP Multicomputer, ISCA 1994 ("paper"). docs/machine.md
 * says what guest programs see.
 *
 * What passes through the interface has exact times, whenever the code runs. A
 * node's events fire between two stretches of its processor, so they may fire
 * late; each acts at the time for which it was set. An access of the processor
 * may come before a late event fires. So it first calls shrimp_settle(), which
 * does what was due.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SHRIMP_H
#define FUGU_SHRIMP_H

#include "hw/fugu/ni/system/system.h"

#define TYPE_SHRIMP_NI FUGU_NETIF_TYPE_NAME("shrimp")
OBJECT_DECLARE_SIMPLE_TYPE(ShrimpNI, SHRIMP_NI)

#define SHRIMP_PAGE             4096u
#define SHRIMP_PACKET_MAX       496     /* bytes: two largest packets have
                                           credits at once */
QEMU_BUILD_BUG_ON(2 * (FUGU_SHRIMP_OVERHEAD + SHRIMP_PACKET_MAX / 4) >
                  FUGU_SHRIMP_CREDITS);

/* Most packets of a node in the network: the smallest has one word of data. */
#define SHRIMP_FLIGHT_MAX       (FUGU_SHRIMP_CREDITS / \
                                 (FUGU_SHRIMP_OVERHEAD + 1))

/* ---- Network Interface Page Table (NIPT) ---------------------------------- */

/* A part of a page, as the registers have it (fugu-regs.h). All 0: nothing. */
typedef struct ShrimpPart {
    uint32_t target;            /* mode and node */
    uint32_t place;             /* page and displacement there */
} ShrimpPart;

typedef struct ShrimpEntry {
    uint32_t split;             /* first byte of part[1] */
    ShrimpPart part[2];
    uint32_t in;                /* FUGU_NIPT_IN_*, SHRIMP_IN_ARRIVED */
} ShrimpEntry;

#define SHRIMP_IN_ARRIVED       0x4     /* an update came while it was armed */

/* An entry that is not empty, while the table is saved or loaded. */
typedef struct ShrimpSavedEntry {
    uint32_t page;
    ShrimpEntry entry;
} ShrimpSavedEntry;

typedef struct ShrimpNipt {
    uint32_t pages;             /* of RAM */
    ShrimpEntry *entry;         /* by number of the page */
    unsigned long *arrived;     /* a bit for each page with SHRIMP_IN_ARRIVED */
    uint32_t arrivals;          /* bits that are set */
    uint32_t page;              /* the page whose entry the registers show */
    uint32_t high;              /* written of a part; the low word follows */

    int32_t saved_count;        /* of these, as QEMU asks for it */
    ShrimpSavedEntry *saved;
} ShrimpNipt;

/* ---- The way out ----------------------------------------------------------- */

typedef struct ShrimpOutgoing {
    FuguPacketList fifo;
    uint32_t words;             /* that the packets in it count */
    uint32_t threshold;         /* words; more interrupt the processor */
    uint32_t await;             /* words of room to interrupt for; 0: none */
    uint32_t sent;              /* packets that have been put into it */
    uint32_t injected;          /* of those, packets that have left it */
    int64_t free;               /* when the next one can leave */
    FuguEvent inject;

    /* Packets in the network whose credit has not come, oldest first. */
    uint32_t flight_count;
    uint32_t flight_number[SHRIMP_FLIGHT_MAX];
    uint16_t flight_dest[SHRIMP_FLIGHT_MAX];
} ShrimpOutgoing;

/* The engine for deliberate update. */
typedef struct ShrimpEngine {
    uint32_t left;              /* words to send; 0: it is free */
    uint32_t base;              /* address of the first word of its command, */
    uint32_t next;              /* and of the next packet */
    bool waits;                 /* a packet has no room */
    int64_t asked;              /* when the command was given, */
    uint32_t gid;               /* and for whom: the GID that was served */
    int64_t due;                /* when the next packet has been read */
    FuguEvent read;             /* at that time */
} ShrimpEngine;

/* The packet of blocked-write that is not yet in the FIFO. */
typedef struct ShrimpOpen {
    uint32_t bytes;             /* 0: there is none */
    uint32_t addr;              /* of the first one, here */
    uint32_t time;              /* cycles that a store keeps it open */
    int64_t stored;             /* when its last byte was stored */
    int64_t deadline;           /* when it is closed */
    FuguEvent close;            /* at that time */
    uint8_t data[SHRIMP_PACKET_MAX];
} ShrimpOpen;

/* ---- The way in ------------------------------------------------------------ */

typedef struct ShrimpIncoming {
    uint32_t entered;           /* packets */
    uint32_t left;
    uint32_t dropped_place, dropped_crc, dropped_page;
    bool drop_pending;          /* the kernel has not heard of the last drop */
    int64_t due;                /* when the head is in memory */
    FuguEvent drain;
} ShrimpIncoming;

/* What a test does to the next packet that leaves the Outgoing FIFO. */
typedef enum ShrimpDamage {
    SHRIMP_DAMAGE_NOTHING,
    SHRIMP_DAMAGE_CRC,
    SHRIMP_DAMAGE_COORDINATES,
} ShrimpDamage;

struct ShrimpNI {
    FuguSystemNI parent_obj;

    FuguNode *node;             /* a copy of parent_obj.node */
    MemoryRegion command;
    uint32_t packet_max;        /* bytes of data */
    uint32_t mesh_width;
    FuguChannel main;
    ShrimpNipt nipt;
    ShrimpOutgoing out;
    ShrimpOpen open;
    ShrimpEngine engine;
    ShrimpIncoming in;
    uint32_t damage;            /* ShrimpDamage, of the next packet to leave */
};

/* Returns the interface that a method of its message part is for. */
static inline ShrimpNI *shrimp_of(FuguSystemNI *system)
{
    return container_of(system, ShrimpNI, parent_obj);
}

#endif /* FUGU_SHRIMP_H */
