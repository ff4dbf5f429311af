/*
 * The link: connects the processes of one machine
 *
 * Process 0 is the hub: it has the mesh, and decides when the next round
 * starts and when the machine ends. The other processes are its peers. Once a
 * round each peer tells the hub what its nodes have sent and what state they
 * are in, and the hub tells the peer what arrives. The guest sees the same run
 * however the nodes are split among processes. wire/protocol.h defines the
 * protocol, docs/processes.md describes the whole.
 *
 *   wire/protocol.h  the protocol
 *   wire/codec.c     converts between frames and structures
 *   account.c        how many words each node has in the network
 *   wire/ring.c      bytes through shared memory
 *   wire/pipe.c      frames to and from one other process
 *   join.c           connecting and handshake: the part common to both sides
 *   accept.c         connecting and handshake: the hub's side
 *   connect.c        connecting and handshake: a peer's side
 *   hub.c            rounds and the end: the hub's side
 *   peer.c           rounds and the end: a peer's side
 *   link.c           faults, waiting, packets: common to both sides
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_H
#define FUGU_LINK_H

#include "qemu/notify.h"
#include "hw/fugu/mesh/hub.h"
#include "hw/fugu/link/account.h"
#include "hw/fugu/wire/pipe.h"

#define FUGU_PROCESSES_MAX      64

struct FuguMachineState;
struct FuguOutlook;

typedef struct FuguLink {
    struct FuguMachineState *machine;
    LinkPipe *pipe[FUGU_PROCESSES_MAX];     /* hub: [1] and up, by process;
                                               peer: [0], to the hub */
    unsigned pipes;             /* all indices in use are below this */
    bool joined;                /* the handshake with all is done */
    bool over;                  /* the run has ended or failed */
    Notifier init_done, exit;

    /* Hub: this round, indexed by process. */
    bool heard[FUGU_PROCESSES_MAX];         /* the expected frame has come */
    LinkReader payload[FUGU_PROCESSES_MAX]; /* payload of that frame */
    LinkBuffer packets[FUGU_PROCESSES_MAX]; /* to be sent to the process */
    uint32_t packet_count[FUGU_PROCESSES_MAX];
    int64_t next_arrival;       /* earliest arrival of all those packets */
    LinkAccount in_network;     /* words that all nodes have in the network */
    bool early;                 /* EARLY was sent in this round */

    /* Both: how often the current wait has called link_wait(). */
    unsigned tries;

    /* Peer. */
    LinkBuffer output;          /* console output, for the hub */
    LinkAccount sent;           /* words that our nodes have in the network */
    LinkAccount arrived;        /* words that have arrived at our nodes, and
                                   for which they owe credits */
    bool told;                  /* ROUND has been sent for this round */

    /* Both: the round is quiet (wire/protocol.h). Hub: of all peers. */
    bool quiet;
} FuguLink;

/* Sets the range of nodes that a process has: *first to *end - 1. */
void fugu_link_nodes(const struct FuguMachineState *machine, unsigned process,
                     uint32_t *first, uint32_t *end);

/*
 * Makes the link of this process. Checks the machine's options for the link,
 * and exits if they are wrong. The link joins the other processes when the
 * machine is complete.
 */
FuguLink *fugu_link_new(struct FuguMachineState *machine);

typedef enum FuguLinkResult {
    FUGU_LINK_READY,            /* done */
    FUGU_LINK_AGAIN,            /* not done, but QEMU wants the vCPU thread:
                                   return to it, and call again later */
    FUGU_LINK_OVER,             /* the machine has ended, or lost a process */
} FuguLinkResult;

/* ---- Hub ---------------------------------------------------------------- */

/*
 * Tells a single peer that the next round starts at @start unless the peer has
 * something to say (EARLY in wire/protocol.h). To be called at most once a round,
 * when the hub's own nodes have run it and have sent nothing.
 */
void fugu_link_early(FuguLink *link, int64_t start);
/*
 * Collects what all peers have sent in this round: hands their packets to the
 * FuguHub, writes their console output, and adds their outlooks to *@o.
 */
FuguLinkResult fugu_link_collect(FuguLink *link, struct FuguOutlook *o);
/*
 * Returns true if EARLY was sent and the round is quiet: the peer has begun
 * the next round then, without GO. To be called once a round.
 */
bool fugu_link_went_early(FuguLink *link);
/* Takes a packet for a node of another process, to be sent with GO. */
void fugu_link_deliver(FuguLink *link, FuguPacket *packet);
/* Tells all peers that the next round starts at @start, and what arrives. */
void fugu_link_go(FuguLink *link, int64_t start);
/*
 * At the end of the machine, in this order: fugu_link_finish() asks the peers
 * once for the states of their nodes, fugu_link_collect_nodes() stores them in
 * @nodes, by node number, and fugu_link_end() ends all processes with @status.
 */
void fugu_link_finish(FuguLink *link);
FuguLinkResult fugu_link_collect_nodes(FuguLink *link, LinkNode *nodes);
void fugu_link_end(FuguLink *link, uint32_t status);

/* ---- Peer --------------------------------------------------------------- */

/*
 * Tells the hub the outlook and packets of this round, once, and waits for the
 * start of the next round, which it stores in *@start.
 */
FuguLinkResult fugu_link_meet(FuguLink *link, const struct FuguOutlook *o,
                              int64_t *start);
/* Keeps console output for the hub, which writes it. */
void fugu_link_print(FuguLink *link, const uint8_t *data, size_t len);

/* ---- Faults ------------------------------------------------------------- */

/*
 * Ends the run because of process @culprit: prints the reason, tells the other
 * processes, and ends QEMU. @how is the predicate of a sentence whose subject
 * is the process, such as "has gone". Caller must be the vCPU thread, or the
 * vCPU thread must not be running.
 */
void fugu_link_fault(FuguLink *link, unsigned culprit, const char *how);

/* join.c: joins the other processes, or exits with a message. */
void fugu_link_join(FuguLink *link);

#endif /* FUGU_LINK_H */
