/*
 * What an observer has seen of a node, and what it sees of messages, slots and updates
 *
 * Node and network interface include seen.h, which says when they report.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SEEN_MESSAGES_H
#define FUGU_SEEN_MESSAGES_H

#include "hw/fugu/machine/packet.h"
#include "hw/fugu/machine/meter.h"
#include "hw/fugu/observe/masked.h"
#include "hw/fugu/observe/races.h"
#include "hw/fugu/observe/sharing.h"
#include "hw/fugu/observe/tally.h"
#include "hw/fugu/observe/timeline.h"

/* The messages of a GID: which handler runs, and what is in the buffer. */
typedef struct FuguSeenJob {
    FuguSlice handler;          /* the last one, or an upcall that has no message;
                                   name 0: none so far */
    bool runs;                  /* it has not ended */
    bool pending;               /* it has not disposed of its message yet */
    GQueue buffer;              /* of FuguSlice, oldest first */
} FuguSeenJob;

/* An update that enters the Outgoing FIFO. */
typedef struct FuguUpdate {
    const FuguPacket *packet;
    uint32_t number;            /* among those of the node */
    uint32_t address;           /* where it goes, physical */
    uint32_t bytes;
    uint32_t words;             /* that the FIFO has now */
} FuguUpdate;

/* What a message slot does. */
typedef struct FuguSeenSlot {
    FuguSlice handler;          /* of its last message; name 0: none so far */
    bool handles;               /* it has not ended */
    uint32_t does;              /* name of what the slot does in place of running
                                   it; 0: it runs */
} FuguSeenSlot;

typedef struct FuguSeen {
    const FuguMeter *meter;     /* the node's */
    FuguTally tally;
    FuguMasked masked;
    FuguTimeline *timeline;     /* or NULL */
    FuguRaces *races;           /* or NULL */
    bool has_buffers;
    FuguTrack track;

    int64_t mark;               /* local time up to which cycles are counted */
    uint32_t gid;               /* that the network interface serves */
    bool user;                  /* the processor is in user mode */
    bool from_user;             /* it has left it, for a trap that follows */
    int trap;                   /* type of the trap that the kernel works for;
                                   -1: none has come */
    int wait;                   /* FuguWait, or -1 */
    bool main_waits;            /* the main context waits for an interrupt, beside
                                   message slots */
    int64_t waited;             /* cycles of all waits so far */
    uint32_t waited_for;        /* the last one's FuguWait */
    bool ended;
    bool again;                 /* the instruction at `yielded` was left, and
                                   has not been executed yet */
    uint32_t yielded;
    uint32_t pages[FUGU_SEEN_GIDS];     /* of message buffers, in memory */
    uint32_t pages_sum;
    FuguSeenJob *job[FUGU_SEEN_GIDS];   /* NULL: no message so far */
    FuguSeenSlot slot[FUGU_SEEN_SLOTS]; /* by priority */
    int runs;                   /* priority of the slot that runs, or -1 */
    uint32_t runs_for;          /* GID of its message */
    FuguSharing *sharing[FUGU_SEEN_GIDS];       /* NULL: none so far */
    uint64_t leaving;           /* the flow of the update that is launched next,
                                   up to there; 0: no update is */
    bool dropping;              /* the kernel drops the message that it is about
                                   to dispose of */
} FuguSeen;

/* A message: launched, with @space words of source space left; arrived, when
 * the queue has no room for it; in the queue, which has @words now; disposed
 * of. */
void fugu_seen_launch(FuguSeen *s, int64_t now, const FuguPacket *p, bool user,
                      uint32_t space);
void fugu_seen_blocked(FuguSeen *s, int64_t now, const FuguPacket *p);
void fugu_seen_accept(FuguSeen *s, int64_t now, const FuguPacket *p,
                      uint32_t words);
void fugu_seen_dispose(FuguSeen *s, int64_t now, const FuguPacket *p,
                       bool user, uint32_t words);
/*
 * An update of a kind that maps memory: a store was merged into the packet that will
 * be the @number-th one of the node; a packet enters the Outgoing FIFO; packet @number
 * is launched next, and the FIFO has @words words without it; a packet is in memory
 * or, with @dropped, is dropped, and the Incoming FIFO has @words words.
 */
void fugu_seen_merged(FuguSeen *s, int64_t now, uint32_t number);
void fugu_seen_update(FuguSeen *s, int64_t now, const FuguUpdate *update);
void fugu_seen_leaves(FuguSeen *s, int64_t now, uint32_t number,
                      uint32_t words);
void fugu_seen_stored(FuguSeen *s, int64_t now, const FuguPacket *p,
                      bool dropped, uint32_t words);
/* The engine has a command from time @asked on, or is free. */
void fugu_seen_engine(FuguSeen *s, int64_t now, int64_t asked, bool busy);
/* The job that is served waits for an update of @address, or has the value. */
void fugu_seen_update_wait(FuguSeen *s, int64_t now, uint32_t address,
                           bool waits);

/* A credit has come: there are @space words of source space for @network. */
void fugu_seen_space(FuguSeen *s, int64_t now, int network, uint32_t space);
/* The hub has sent a message on its way to this node. */
static inline void fugu_seen_flight(FuguSeen *s)
{
    if (s->timeline) {
        s->timeline->flight++;
    }
}

/*
 * The message slot of a priority: it has taken message @p; it waits, is held or at
 * fault: @does is a name of a timeline, or 0; its handler has ended, and it does
 * nothing.
 */
void fugu_seen_slot_takes(FuguSeen *s, int64_t now, unsigned priority,
                          const FuguPacket *p);
void fugu_seen_slot_does(FuguSeen *s, int64_t now, unsigned priority,
                         uint32_t does);
void fugu_seen_slot_ends(FuguSeen *s, int64_t now, unsigned priority);

/* The network interface copies @bytes of memory at @address to a body or, if it
 * @stores, from one, for an operation at @pc, of the user or of the kernel. */
void fugu_seen_body(FuguSeen *s, uint32_t pc, uint32_t address, uint32_t bytes,
                    bool stores);

/* ---- For seen.c --------------------------------------------------------- */

/* Returns the place of a GID in tables; GIDs beyond the last place share it. */
static inline uint32_t fugu_seen_index(uint32_t gid)
{
    return MIN(gid, FUGU_SEEN_GIDS - 1);
}

/* Whether the job that is served handles a message. */
static inline bool fugu_seen_in_handler(const FuguSeen *s)
{
    return s->meter->counts[fugu_seen_index(s->gid)].handling;
}

/* Returns the messages of a GID. */
FuguSeenJob *fugu_seen_job(FuguSeen *s, uint32_t gid);
/* The handler of the next message runs from now on: of @next or, if that is NULL, of
 * the oldest one in the buffer. */
void fugu_seen_begin_handler(FuguSeen *s, FuguSeenJob *job,
                             const FuguPacket *next);
/* A user's message has been disposed of; @counter, if it is not 0, has @words now. */
void fugu_seen_disposed(FuguSeen *s, int64_t now, uint64_t flow,
                        uint32_t path, uint32_t counter, uint32_t words);

#endif /* FUGU_SEEN_MESSAGES_H */
