/*
 * The system part of a network interface: what every kind has (docs/machine.md)
 *
 * A kernel needs it whatever the interface is: number and size of the machine,
 * clock, GID, user atomicity control with its timer, pending interrupts, and
 * the second network. A kind is a QOM type below TYPE_FUGU_SYSTEM_NI, with a
 * message part of its own. This part calls it by FuguSystemNIClass.
 *
 *   system.h     its state, and what it asks of a message part
 *   flags.c      UAC, atomicity timer, interrupts, modes
 *   channel.c    one network of an interface: what arrives, queues, flow control
 *   op.c         beginatom, endatom; launch and dispose of the second network
 *   regs.c       the frame of both pages, and their registers that every kind has
 *   absent.c     the registers of a message part that a kind does not have
 *   check.c      what always holds, for tests and snapshots
 *   device.c     the device: what node and mesh call, reset, saved state
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SYSTEM_NI_H
#define FUGU_SYSTEM_NI_H

#include "hw/qdev-core.h"
#include "hw/fugu/fugu-regs.h"
#include "hw/fugu/machine/netif.h"
#include "hw/fugu/node/node.h"

#define TYPE_FUGU_SYSTEM_NI "fugu-system-ni"
OBJECT_DECLARE_TYPE(FuguSystemNI, FuguSystemNIClass, FUGU_SYSTEM_NI)

QEMU_BUILD_BUG_ON(FUGU_MSG_WORDS > FUGU_PACKET_WORDS);

/* Words of the second network's queue and source space. */
#define FUGU_SECOND_WORDS       64

/* One logical network, as a network interface sees it. */
typedef struct FuguChannel {
    struct FuguSystemNI *ni;
    FuguNetifLimits limits;
    uint8_t network;
    FuguEvent arrival;          /* of the first packet in flight */
    FuguPacketList flight;      /* on their way here, soonest first */
    FuguPacketList blocked;     /* arrived; wait in the network for room */
    FuguPacketList queue;       /* the input queue */
    uint32_t queue_words;       /* words of the queue in use */
    uint32_t queue_max;
    uint32_t space;             /* words that this node may still send */
    uint32_t bodies_out;        /* messages of this node with a body that are
                                   in the network */
    FuguPacketList departing;   /* launched; wait for the outgoing DMA */
    FuguEvent departure;
    int64_t depart_time;        /* when the last of them leaves */

    /* What the message part learns; NULL: nothing. */
    /* At @time, @packet has entered the input queue. */
    void (*entered)(struct FuguSystemNI *ni, FuguPacket *packet, int64_t time);
    /* Takes @word of a stream, which the channel frees afterwards, at @time. */
    void (*joins)(struct FuguSystemNI *ni, const FuguPacket *word, int64_t time);
    /* @credit has come, at @credit->arrival, and the space is there. */
    void (*credited)(struct FuguSystemNI *ni, const FuguPacket *credit);
} FuguChannel;

/* What a register's handler leaves to the processor's instruction. */
typedef enum FuguResolve {
    FUGU_RESOLVE_TRAP,
    FUGU_RESOLVE_WAIT,
    FUGU_RESOLVE_PART,          /* the message part knows what */
} FuguResolve;

struct FuguSystemNI {
    FuguNetif parent_obj;

    /* Wiring. */
    FuguNode *node;             /* a copy of parent_obj.node */
    const FuguSystemNIClass *part;      /* its class, as parent_obj.kind */
    MemoryRegion user_page, kernel_page;
    bool soft;                  /* the paper's mechanisms of atomicity are left
                                   to software */

    FuguChannel *channel[FUGU_NETWORKS];        /* NULL: the kind does not use
                                                   the network */
    FuguChannel second;
    uint32_t second_window[FUGU_MSG_WORDS];
    uint32_t sequence;          /* of packets sent, on all networks */

    /* Kernel registers. */
    uint32_t gid;
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

    /* Between a register access and fugu_system_resolve(). */
    FuguResolve resolve;
    int resolve_tt;
    FuguWait resolve_wait;
    bool load_waits;            /* the load that has been refused waits */
};

/*
 * What the system part asks of a message part. "Default" is what happens if a
 * kind does not set a method: a kind that sets none has no message part.
 *
 * Methods for registers get all accesses to a page that no register of the
 * system part takes. Offsets are multiples of the size. absent.h has their
 * defaults.
 */
struct FuguSystemNIClass {
    FuguNetifClass parent_class;

    /* Makes the part's channels and events; those of the system part are
     * there. Default: nothing. */
    void (*init)(FuguSystemNI *ni);
    /* Resets the part's state; that of the system part is reset. Default:
     * nothing. */
    void (*reset)(FuguSystemNI *ni);
    /* Returns the word at @offset, or clears *@ok if nothing can be read
     * there. */
    uint32_t (*user_read)(FuguSystemNI *ni, hwaddr offset, bool *ok);
    uint32_t (*kernel_read)(FuguSystemNI *ni, hwaddr offset, bool *ok);
    /* Stores @size bytes, 4 or 8. Returns MEMTX_OK, or what a function of
     * regs.h has returned: a violation if no register there takes stores of
     * that size. */
    MemTxResult (*user_write)(FuguSystemNI *ni, hwaddr offset, unsigned size,
                              uint64_t value);
    MemTxResult (*kernel_write)(FuguSystemNI *ni, hwaddr offset, unsigned size,
                                uint64_t value);
    /* Completes an access that fugu_system_leave_part() has left. Returns as
     * FuguNetifClass.op() does. No default; needed only if the part calls that
     * function. */
    int (*resolve_part)(FuguSystemNI *ni, uintptr_t ra);
    /* Returns the message that the user may see, or NULL. Default: NULL. */
    const FuguPacket *(*message)(FuguSystemNI *ni);
    /* Does what is due by local time, and may request an interrupt or withdraw
     * it: the processor is about to ask. Default: nothing. */
    void (*settle)(FuguSystemNI *ni);
    /* Returns the interrupts that the part requests, FUGU_PEND_*: those that
     * are not the system part's. Default: none. */
    uint32_t (*pending)(FuguSystemNI *ni);
};

/* Makes the processor's instruction wait. Returns SPARCLE_WAIT. */
static inline int fugu_system_wait(FuguSystemNI *ni, FuguWait why)
{
    fugu_node_wait(ni->node, why);
    return SPARCLE_WAIT;
}

#endif /* FUGU_SYSTEM_NI_H */
