/*
 * What node, mesh, hub and link need of a network interface
 *
 * Each kind of network interface is a QOM type below TYPE_FUGU_NETIF. The
 * machine's option network-interface names the kind for all nodes. Code
 * outside of the folder of a kind uses only the class below. hw/ni/fugu/ has
 * the kind of the FUGU paper, hw/ni/shrimp/ that of the SHRIMP paper,
 * hw/ni/m-machine/ that of the M-Machine, and hw/ni/none/ the smallest possible
 * one. To add a kind KIND:
 *
 *   - Make a folder hw/ni/KIND/ with the device, of type
 *     FUGU_NETIF_TYPE_NAME("KIND"), a subtype of TYPE_FUGU_SYSTEM_NI
 *     (ni/system/system.h). It has what a kernel needs of every kind, fills in
 *     most of FuguNetifClass, and asks the kind for the message part.
 *   - Give it a number in fugu-regs.h (FUGU_NETIF_*), which the guest reads
 *     in the node control's register FUGU_CONTROL_NETIF. Tell the kernel what is
 *     different (guest-os/kernel/machine/kind.h, which says when a kind needs a
 *     trap table of its own), and the launcher the name (tools/fugu/options).
 *   - The kind's registers are on the system part's two pages. Between two
 *     stretches of the processor the kind gets control by FuguEvents (node.h).
 *   - State in limits() what the kind's packets may be in each network, and what
 *     they count. To send, get a packet from fugu_packet_new() (node/hub.h) and
 *     hand it to a channel of the system part (ni/system/channel.h), which keeps
 *     the account, or to fugu_hub_send(). Only the kind interprets the words and
 *     the body. machine/packet.h has the bounds of all limits.
 *   - A channel adds what it sends and gets to the node's digest. A kind that
 *     sends by itself calls fugu_digest().
 *   - Add a FuguWait (node-status.h) for each new reason to wait.
 *
 * A kind that does more than send and receive messages plugs in like this:
 *
 *   - It snoops the processor's stores to some pages (automatic update in SHRIMP)
 *     by the methods is_snooped(), may_store() and stored(): the entries of these
 *     pages in the TLB have a flag for the slow path of stores, and the slow path
 *     calls the kind when nothing can leave the instruction any more. A
 *     MemoryRegion over the page would not do: the page's loads would leave the
 *     cache model, and changes of the map take effect at the end of a round.
 *   - It writes arriving data straight into memory (ni/shrimp/incoming.c): its
 *     event of the arrival calls address_space_write(), then
 *     fugu_transfer_wrote() (devices/transfer.h), which updates cache and
 *     watchpoints.
 *   - It has instructions that send from registers (ni/m-machine/): target/sparc
 *     decodes them into a new SparcleOp, which reaches op(). op() finds the
 *     registers in node->cpu.env, and may return SPARCLE_WAIT.
 *   - It hands arriving words to contexts of the processor beside the main one
 *     (ni/m-machine/), by word(), taken() and fault(). node/contexts.h has which
 *     context runs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NETIF_H
#define FUGU_NETIF_H

#include "hw/qdev-core.h"
#include "target/sparc/cpu.h"
#include "hw/fugu/machine/node-status.h"
#include "hw/fugu/machine/packet.h"

#define TYPE_FUGU_NETIF "fugu-netif"
OBJECT_DECLARE_TYPE(FuguNetif, FuguNetifClass, FUGU_NETIF)

/* The type of the kind that users know as KIND, a string. */
#define FUGU_NETIF_TYPE_NAME(KIND) KIND "-ni"

struct FuguMachineState;
struct FuguNode;

/* Where a packet is while a network interface has it. */
typedef enum FuguNetifPlace {
    FUGU_NETIF_DEPARTING,       /* launched, and still at its source */
    FUGU_NETIF_FLIGHT,          /* on its way to this node */
    FUGU_NETIF_BLOCKED,         /* arrived, without room */
    FUGU_NETIF_QUEUE,           /* the guest can see it */
} FuguNetifPlace;

struct FuguNetif {
    DeviceState parent_obj;

    struct FuguNode *node;      /* the board sets it before realize() */
    const FuguNetifClass *kind; /* its class, to save a look-up per call */
    int64_t cycle_offset;       /* NOW of the cycle timer - local time */
};

/*
 * What the packets of a kind may be in one network, and its flow control. A
 * node has @space words in the network at most. Each message takes some of
 * them (fugu_netif_counted()), and its credit returns them.
 */
typedef struct FuguNetifLimits {
    uint32_t space;             /* words; 0: the kind does not use the network */
    uint32_t words;             /* most words of a message, 1 to
                                   FUGU_PACKET_WORDS; its body apart */
    uint32_t body;              /* most bytes of a body, a multiple of 4, up to
                                   FUGU_PACKET_BODY_MAX; 0: no message has one */
    bool counts_bodies;         /* the words of a body count too; otherwise
                                   bodies are free */
    bool by_head;               /* a message arrives with its first word, the
                                   others follow; otherwise with its last */
    uint32_t stream;            /* words with which a stream opens, whose other
                                   words follow one by one (packet.h); 0: the
                                   kind has no streams */
} FuguNetifLimits;

/* Whether @message is one word of a stream, behind those that opened it. */
static inline bool fugu_netif_is_word(const FuguNetifLimits *limits,
                                      const FuguPacket *message)
{
    return limits->stream && fugu_packet_stream(message) >= FUGU_STREAM_WORD;
}

/* Returns the words that a message takes from its sender's space. Those of a
 * stream have been taken when it opened. */
static inline uint32_t fugu_netif_counted(const FuguNetifLimits *limits,
                                          const FuguPacket *message)
{
    if (fugu_netif_is_word(limits, message)) {
        return 0;
    }
    return message->length +
           (limits->counts_bodies ? message->body_len / 4 : 0);
}

/* Returns the words of a message, without its body, that links carry. */
static inline uint32_t fugu_netif_carried(const FuguNetifLimits *limits,
                                          const FuguPacket *message)
{
    if (fugu_netif_is_word(limits, message)) {
        return 1;
    }
    return limits->stream && fugu_packet_stream(message) == FUGU_STREAM_OPENS
           ? MIN(limits->stream, message->length) : message->length;
}

/* What a report says about the processor's atomic section (report/reporter.h). */
typedef struct FuguNetifSection {
    uint32_t uac;               /* FUGU_UAC_* */
    uint32_t queued;            /* messages in the input queue */
    int64_t since;              /* local time when it began, or -1: not known */
} FuguNetifSection;

/* TYPE_FUGU_SYSTEM_NI sets all methods; a kind replaces some of them. */
struct FuguNetifClass {
    DeviceClass parent_class;

    size_t instance_size;       /* bytes for the board to allocate */
    uint32_t number;            /* FUGU_NETIF_* */
    const VMStateDescription *state;    /* of an instance */
    const char *const *options; /* of the machine: those that it has and other
                                   kinds need not have; NULL ends them */

    /* ---- The mesh ---- */

    /*
     * Takes @packet, which the hub delivers between two rounds. The
     * processor must not see it before local time @packet->arrival. When the
     * kind is done with it, it calls fugu_packet_free().
     */
    void (*arrive)(FuguNetif *ni, FuguPacket *packet);
    /* Returns what @network carries. The link checks the packets of other
     * processes by it. */
    FuguNetifLimits (*limits)(const struct FuguMachineState *machine,
                              int network);

    /* ---- The processor ---- */

    /* Executes an operation of the processor, in user or supervisor mode.
     * Returns 0 if it is done, a trap type, or SPARCLE_WAIT. To an operation
     * that the kind does not have, it returns the trap of an undefined one. */
    int (*op)(FuguNetif *ni, SparcleOp op, uint32_t a, uint32_t b, bool user,
              uintptr_t ra);
    /* Completes an access for which a register's handler has returned
     * SPARCLE_TX_RESOLVE. Returns as op() does. */
    int (*resolve)(FuguNetif *ni, uintptr_t ra);
    /* The processor changes its mode. */
    void (*mode)(FuguNetif *ni, bool user);

    /*
     * A kind whose messages are the operands of instructions in contexts of their
     * own, the processor's message slots, sets all five of these. @context is 1
     * or more (target/sparc/sparcle.h), and in waits() 0 too.
     */
    /* Sets *@word to what MsgHead (@head) or MsgBody gives an instruction that
     * takes @cycles, all of them charged. Returns as op() does. */
    int (*word)(FuguNetif *ni, unsigned context, bool head, unsigned cycles,
                uint32_t *word);
    /* The instruction that got the word is done: takes the word. Returns the
     * number of the MMU context of the current message's handler. */
    uint32_t (*taken)(FuguNetif *ni, unsigned context, bool head);
    /* Trap @tt has stopped the context, before its instruction. */
    void (*fault)(FuguNetif *ni, unsigned context, int tt);
    /* Returns the GID of the context's message. */
    uint32_t (*gid)(FuguNetif *ni, unsigned context);
    /* Whether the context, whose instruction waits for @why, would wait again. If so,
     * an event comes when that changes. Not asked about FUGU_WAIT_INTERRUPT. */
    bool (*waits)(FuguNetif *ni, unsigned context, FuguWait why);

    /*
     * A kind that snoops the processor's stores sets all three of these. The
     * local time is exact in the last two, and includes the store.
     */
    /* Whether stores to the page with physical address @addr are snooped. When
     * that changes, the kind flushes the processor's TLB. NULL: no store is. */
    bool (*is_snooped)(FuguNetif *ni, uint32_t addr);
    /* Returns whether the processor may store @size bytes at @addr now. If not,
     * the kind has called fugu_node_wait(), or wants the processor to try again
     * at once, after interrupts. */
    bool (*may_store)(FuguNetif *ni, uint32_t addr, unsigned size);
    /* The processor has stored @size bytes at @addr, a multiple of @size: those
     * at @data. may_store() has allowed it. */
    void (*stored)(FuguNetif *ni, uint32_t addr, const uint8_t *data,
                   unsigned size);

    /* Returns the number of the job that the processor works for, or 0 if it
     * works for no job. */
    uint32_t (*job)(FuguNetif *ni);

    /* ---- Debuggers, snapshots and tests ---- */

    /* Returns the packets at @place, in order, or NULL. */
    const FuguPacketList *(*packets)(FuguNetif *ni, int network,
                                     FuguNetifPlace place);
    /* Returns what a report says about the atomic section. */
    FuguNetifSection (*section)(FuguNetif *ni);
    /* Checks conditions that hold between any two instructions. Returns NULL,
     * or the text of the first that does not hold. */
    const char *(*check)(FuguNetif *ni);
    /* Checks conditions that hold for all interfaces together, between two
     * rounds, with all nodes in this process. Returns as check() does. */
    const char *(*check_balance)(struct FuguMachineState *machine);
};

/* Returns the kind that the machine's option network-interface names, or NULL
 * if there is no such kind. */
const FuguNetifClass *fugu_netif_kind(const struct FuguMachineState *machine);

/* Returns the names of all kinds, as in "fugu, none or shrimp". The caller frees
 * them. */
char *fugu_netif_kinds(void);

/* Whether the kind has that option of the machine, which some kinds have. */
bool fugu_netif_has_option(const FuguNetifClass *kind, const char *name);

#endif /* FUGU_NETIF_H */
