/*
 * What node, mesh, hub and link need of a network interface
 *
 * Each kind of network interface is a QOM type below TYPE_FUGU_NETIF. The
 * machine's option network-interface names the type, and all nodes get one
 * of it. Everything outside of the folder of a kind goes through the class
 * below; hw/ni/ has the kind of the FUGU paper, hw/debug/test-ni.c the
 * smallest possible one. To add a kind:
 *
 *   - Make a folder beside hw/ni/ with the device, a subtype that fills in
 *     FuguNetifClass.
 *   - Give it a number in fugu-regs.h (FUGU_NETIF_*), which the guest reads
 *     in the node control's register FUGU_CONTROL_NETIF.
 *   - In realize(), map the kind's registers into node->root. Between two
 *     stretches of the processor it gets control by FuguEvents (node.h).
 *   - To send, take a packet from fugu_packet_new() and hand it to
 *     fugu_hub_send() (mesh/hub.h). The payload may mean anything.
 *   - What the node waits for is a FuguWait (node-status.h).
 *
 * A kind that is more than messages plugs in like this:
 *
 *   - It watches the processor's stores to marked pages (SHRIMP's automatic
 *     update): for each marked page it maps a MemoryRegion of its own over
 *     the RAM in node->root, with a higher priority. Loads and stores go to
 *     the RAM below; a store is put into a packet as well.
 *   - It writes what arrives straight into memory (SHRIMP): its event of a
 *     packet's arrival calls address_space_write(), then
 *     fugu_transfer_wrote() (devices/transfer.h) for cache and watchpoints.
 *   - It has instructions that send from registers (M-Machine): a new
 *     SparcleOp reaches op(), which finds the registers in node->cpu.env and
 *     may return SPARCLE_WAIT.
 *   - It hands words that arrive to a context of the processor (M-Machine):
 *     its event of the arrival changes node->cpu.env, as the processor then
 *     stands between two instructions, or asks for an interrupt with
 *     fugu_node_set_irq(). idle() of a node asks only for interrupts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_NETIF_H
#define FUGU_NETIF_H

#include "hw/qdev-core.h"
#include "target/sparc/cpu.h"
#include "hw/fugu/mesh/packet.h"

#define TYPE_FUGU_NETIF "fugu-netif"
OBJECT_DECLARE_TYPE(FuguNetif, FuguNetifClass, FUGU_NETIF)

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
    const FuguNetifClass *kind; /* the class: a look-up takes long */
    int64_t cycle_offset;       /* NOW of the cycle timer - local time */
};

/* A method that a kind does not set does what its comment says. */
struct FuguNetifClass {
    DeviceClass parent_class;

    size_t instance_size;       /* bytes for the board to allocate */
    uint32_t number;            /* FUGU_NETIF_* */
    const VMStateDescription *state;    /* of an instance */

    /* ---- The mesh ---- */

    /*
     * Takes @packet, which the hub delivers between two rounds. The
     * processor must not see it before local time @packet->arrival. Ends
     * with fugu_packet_free(). Each kind has it.
     */
    void (*arrive)(FuguNetif *ni, FuguPacket *packet);
    /* The words that one node may have in @network before credits return
     * them: the link holds other processes to it. Not set: none. */
    uint32_t (*space)(const struct FuguMachineState *machine, int network);

    /* ---- The processor ---- */

    /* An operation of the processor in user or supervisor mode: 0 (done), a
     * trap type, or SPARCLE_WAIT. Not set: no such instruction. */
    int (*op)(FuguNetif *ni, SparcleOp op, uint32_t a, uint32_t b, bool user,
              uintptr_t ra);
    /* Ends an access that a register's handler answered with
     * SPARCLE_TX_RESOLVE. Returns as op() does. Set if a handler does so. */
    int (*resolve)(FuguNetif *ni, uintptr_t ra);
    /* The processor changes its mode. Not set: nothing. */
    void (*mode)(FuguNetif *ni, bool user);

    /* ---- Debuggers, snapshots and tests ---- */

    /* The packets at @place, in order, or NULL. Not set: NULL. */
    const FuguPacketList *(*packets)(FuguNetif *ni, int network,
                                     FuguNetifPlace place);
    /* Checks what always holds between two instructions. Returns NULL, or
     * the text of the first condition that does not. Not set: NULL. */
    const char *(*check)(FuguNetif *ni);
    /* Checks what holds of all interfaces together between two rounds, with
     * all nodes in this process. Returns as check() does. */
    const char *(*check_balance)(struct FuguMachineState *machine);
};

/* The kind that the machine's option network-interface names, or NULL. */
const FuguNetifClass *fugu_netif_kind(const struct FuguMachineState *machine);

#endif /* FUGU_NETIF_H */
