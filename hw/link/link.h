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
 *   wire/ring.c      bytes through shared memory
 *   wire/pipe.c      frames to and from one other process
 *   account.c        how many words each node has in the network
 *   link.c           faults, waiting, packets: common to both sides
 *   join.c           connecting and handshake; accept.c is the hub's side of it,
 *                    connect.c a peer's
 *   hub-side.c       rounds and the end: the hub's side
 *   peer-side.c      rounds and the end: a peer's side
 *   setup.c          makes the link, and joins the other processes
 *
 * Only the files of this folder change a FuguLink.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_LINK_H
#define FUGU_LINK_H

#include "qemu/notify.h"
#include "hw/fugu/node/hub.h"
#include "hw/fugu/machine/remote.h"
#include "hw/fugu/report/outlook.h"
#include "hw/fugu/machine/node-status.h"
#include "hw/fugu/link/account.h"
#include "hw/fugu/wire/pipe.h"

#define FUGU_PROCESSES_MAX      64

struct FuguMachineState;

typedef struct FuguLink {
    struct FuguMachineState *machine;
    FuguRemote remote;          /* what hub and console call */
    LinkPipe *pipe[FUGU_PROCESSES_MAX];     /* hub: [1] and up, by process;
                                               peer: [0], to the hub */
    unsigned pipes;             /* all indices in use are below this */
    bool joined;                /* the handshake with all is done */
    bool over;                  /* the run has ended or failed */
    Notifier init_done, exit;
    LinkLimits limits[LINK_NETWORKS];   /* of the kind of network interface */

    /* Hub: this round, indexed by process. */
    bool heard[FUGU_PROCESSES_MAX];         /* the expected frame has come */
    LinkReader payload[FUGU_PROCESSES_MAX]; /* payload of that frame */
    LinkBuffer packets[FUGU_PROCESSES_MAX]; /* to be sent to the process */
    uint32_t packet_count[FUGU_PROCESSES_MAX];
    int64_t next_arrival;       /* earliest arrival of all those packets */
    LinkAccount in_network;     /* words that all nodes have in the network */
    bool early;                 /* EARLY was sent in this round */
    unsigned alone;             /* rounds that the hub has run without the
                                   peers, which wait for GO meanwhile */
    FuguOutlook peers;          /* of all peers, in the last round they ran */
    bool through;               /* this process has run the round */

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

typedef enum FuguLinkResult {
    FUGU_LINK_READY,            /* done */
    FUGU_LINK_AGAIN,            /* not done, but QEMU wants the vCPU thread:
                                   return to it, and call again later */
    FUGU_LINK_OVER,             /* the machine has ended, or lost a process */
} FuguLinkResult;

/* ---- Faults ------------------------------------------------------------- */

/*
 * Ends the run because of process @culprit: prints the reason, tells the other
 * processes, and ends QEMU. @how is the predicate of a sentence whose subject
 * is the process, such as "has gone". Caller must be the vCPU thread, or the
 * vCPU thread must not be running.
 */
void fugu_link_fault(FuguLink *link, unsigned culprit, const char *how);

/* ---- For the other files of the link ------------------------------------- */

/*
 * Handles @result, which a call on pipe number @pipe has returned: ends the run
 * on GONE or NONSENSE. Returns false if the run is over.
 */
bool link_goes_on(FuguLink *link, unsigned pipe, LinkResult result);
/*
 * Sends as much as can be sent at once on all pipes. Returns false if the run
 * is over.
 */
bool link_flush_all(FuguLink *link);
/*
 * Waits for a moment after a look at the pipes that has found nothing. Returns
 * READY when it is time to look again.
 */
FuguLinkResult link_pass_time(FuguLink *link);

/* Stops all processors. QEMU's main loop then ends QEMU with @status. */
void link_leave(FuguLink *link, uint32_t status);
/* Handles ABORT, in which another process says why the run ends. */
void link_hear_abort(FuguLink *link, unsigned process, LinkReader r);
/* Ends the run because of a frame of @process that makes no sense. */
void link_nonsense(FuguLink *link, unsigned process, const char *what);

/* Appends a packet to a frame. */
void link_send_packet(LinkBuffer *b, const FuguPacket *p);
/*
 * Enters a packet in @messages if it is a message, in @credits if it is a
 * credit. Returns NULL, or what is wrong.
 */
const char *link_enter(const FuguLink *link, LinkAccount *messages,
                       LinkAccount *credits, const FuguPacket *p);
/*
 * Reads a packet from a frame. Returns NULL and sets *@packet, or returns what
 * is wrong with the packet.
 */
const char *link_take_packet(FuguHub *hub, LinkReader *r,
                             const LinkRules *rules, FuguPacket **packet);

/*
 * To be called when QEMU exits. If the run is not over, the reason is a signal
 * or the monitor's quit, and the other processes have to end too. The
 * processors have stopped, so no other thread uses the pipes.
 */
void link_quit(FuguLink *link);

/* A node's status and an outlook, as frames have them. */
void link_put_status(LinkBuffer *b, const FuguNodeStatus *status);
/* Returns NULL and sets *@status, or returns what is wrong. */
const char *link_take_status(LinkReader *r, FuguNodeStatus *status);
LinkRound link_round_of(const FuguOutlook *o);
FuguOutlook link_outlook_of(const LinkRound *round);

#endif /* FUGU_LINK_H */
