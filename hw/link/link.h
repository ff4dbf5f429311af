/*
 * The link: this process's part in a machine that several processes share
 *
 * Process 0 is the hub: it has the mesh, and decides when the next round
 * starts and when the machine ends. The others, its peers, tell it once a
 * round what their nodes sent and how they are, and hear what arrives. All
 * processes see the same run, whatever the split (wire/protocol.h has the
 * protocol, docs/processes.md the picture).
 *
 *   ../wire/protocol.h  the protocol
 *   ../wire/codec.c     its frames to structures and back
 *   ../wire/ring.c      bytes through shared memory
 *   ../wire/pipe.c      frames to and from one other process
 *   account.c           who has how much in the network
 *   join.c              connecting and the handshake: what both sides share
 *   accept.c            the same, of the hub
 *   connect.c           the same, of a peer
 *   hub.c               rounds and the end, of the hub
 *   peer.c              the same, of a peer
 *   link.c              what both share: faults, waiting, packets
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
    LinkPipe *pipe[FUGU_PROCESSES_MAX];     /* hub: by process; peer: [0] */
    unsigned pipes;             /* of them in use: indices below */
    bool joined;
    bool over;                  /* ended, or failed */
    Notifier init_done, exit;

    /* Hub: this round. */
    bool heard[FUGU_PROCESSES_MAX];         /* what is expected has come */
    LinkReader payload[FUGU_PROCESSES_MAX];
    LinkBuffer packets[FUGU_PROCESSES_MAX]; /* to be delivered there */
    uint32_t packet_count[FUGU_PROCESSES_MAX];
    int64_t next_arrival;       /* of all those */
    LinkAccount in_network;     /* of all nodes */
    bool early;                 /* EARLY was sent */
    unsigned tries;             /* of the wait that goes on */

    /* Peer. */
    LinkBuffer output;          /* of the console, for the hub */
    LinkAccount sent;           /* by our nodes, to any */
    LinkAccount arrived;        /* from any node, and not returned by ours */

    /* Both. */
    bool told;                  /* what we have to say of this round */
    bool quiet;                 /* it is a quiet one, of all peers */
} FuguLink;

/* Which nodes a process has: [*first, *end). */
void fugu_link_nodes(const struct FuguMachineState *machine, unsigned process,
                     uint32_t *first, uint32_t *end);

/*
 * Checks the machine's options of the link, exits if they are wrong; joins
 * the other processes when the machine is complete.
 */
FuguLink *fugu_link_new(struct FuguMachineState *machine);

/* What became of a round. */
typedef enum FuguLinkResult {
    FUGU_LINK_READY,
    FUGU_LINK_AGAIN,            /* the thread is wanted elsewhere: come back */
    FUGU_LINK_OVER,             /* the machine has ended, or lost a process */
} FuguLinkResult;

/* ---- Hub ---------------------------------------------------------------- */

/*
 * This process is through with a round, after which another one starts at
 * @start unless peers have something to say. To be called at most once a
 * round.
 */
void fugu_link_early(FuguLink *link, int64_t start);
/*
 * Collect what all peers have sent in the round: their packets go to the
 * hub, their console output is written, @o is extended by their outlook.
 */
FuguLinkResult fugu_link_collect(FuguLink *link, struct FuguOutlook *o);
/* Whether EARLY was sent and the round is a quiet one: then the next one has
 * begun. To be called once a round. */
bool fugu_link_went_early(FuguLink *link);
/* Takes a packet for a node of another process. */
void fugu_link_deliver(FuguLink *link, FuguPacket *packet);
/* The next round starts at @start. */
void fugu_link_go(FuguLink *link, int64_t start);
/* The machine ends: ask for the nodes' states once, then collect them. */
void fugu_link_finish(FuguLink *link);
FuguLinkResult fugu_link_collect_nodes(FuguLink *link, LinkNode *nodes);
void fugu_link_end(FuguLink *link, uint32_t status);

/* ---- Peer --------------------------------------------------------------- */

/* Tell the hub, once, and hear when the next round starts. */
FuguLinkResult fugu_link_meet(FuguLink *link, const struct FuguOutlook *o,
                              int64_t *start);
/* Console output, to be written by the hub. */
void fugu_link_print(FuguLink *link, const uint8_t *data, size_t len);

/* ---- Faults ------------------------------------------------------------- */

/*
 * Process @culprit has spoilt the run: say so, tell the others, and end. In
 * the vCPU thread, or while it does not run; @how ends a sentence that begins with
 * the process.
 */
void fugu_link_fault(FuguLink *link, unsigned culprit, const char *how);

/* link-join.c: exits, with a message, if it does not come about */
void fugu_link_join(FuguLink *link);

#endif /* FUGU_LINK_H */
