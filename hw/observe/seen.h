/*
 * What an observer has seen of a node: figures, and events of a timeline
 *
 * Node and network interface report what happens, if the node is observed
 * (node->seen is not NULL). Nothing here changes the node or takes time on it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SEEN_H
#define FUGU_SEEN_H

#include "hw/fugu/machine/packet.h"
#include "hw/fugu/machine/meter.h"
#include "hw/fugu/observe/masked.h"
#include "hw/fugu/observe/sharing.h"
#include "hw/fugu/observe/tally.h"
#include "hw/fugu/observe/timeline.h"

/* The messages of a GID: which handler runs, and what is in the buffer. */
typedef struct FuguSeenJob {
    FuguSlice handler;          /* the last one; name 0: none so far */
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

typedef struct FuguSeen {
    const FuguMeter *meter;     /* the node's */
    FuguTally tally;
    FuguMasked masked;
    FuguTimeline *timeline;     /* or NULL */
    bool has_buffers;
    FuguTrack track;

    int64_t mark;               /* local time up to which cycles are counted */
    uint32_t gid;               /* that the network interface serves */
    bool user;                  /* the processor is in user mode */
    bool from_user;             /* it has left it, for a trap that follows */
    int trap;                   /* type of the trap that the kernel works for;
                                   -1: none has come */
    int wait;                   /* FuguWait, or -1 */
    int64_t waited;             /* cycles of all waits so far */
    uint32_t waited_for;        /* the last one's FuguWait */
    bool ended;
    bool again;                 /* the instruction at `yielded` was left, and
                                   has not been executed yet */
    uint32_t yielded;
    uint32_t pages[FUGU_SEEN_GIDS];     /* of message buffers, in memory */
    uint32_t pages_sum;
    FuguSeenJob *job[FUGU_SEEN_GIDS];   /* NULL: no message so far */
    FuguSharing *sharing[FUGU_SEEN_GIDS];       /* NULL: none so far */
    uint64_t leaving;           /* the flow of the update that is launched next,
                                   up to there; 0: no update is */
    bool dropping;              /* the kernel drops the message that it is about
                                   to dispose of */
} FuguSeen;

/* Makes what an observer needs for a node. The timeline may be NULL.
 * @has_buffers: the kernel keeps messages of users in buffers, and has marks. */
FuguSeen *fugu_seen_new(uint32_t node, const FuguMeter *meter,
                        FuguTimeline *timeline, bool has_buffers);

/*
 * Begins to observe a node at local time @now. The other arguments are its
 * state at that time.
 */
void fugu_seen_start(FuguSeen *s, int64_t now, uint32_t gid, bool user,
                     bool masked, int wait, bool ended,
                     const uint64_t *misses);
/* Ends the timeline's slices and counts the cycles until @now. */
void fugu_seen_finish(FuguSeen *s, int64_t now);

/*
 * The processor has changed its mode, after the meter has been told. A trap
 * follows the change to the kernel at once. @next is the message that a handler
 * of the fast path would be for, or NULL.
 */
void fugu_seen_mode(FuguSeen *s, int64_t now, bool user, uint32_t uac,
                    const FuguPacket *next);
void fugu_seen_trap(FuguSeen *s, int64_t now, int tt);
/* PSR has changed: it masks the interrupts of clock and network, or not. */
static inline void fugu_seen_masked(FuguSeen *s, int64_t now, bool masked)
{
    fugu_masked_set(&s->masked, now, masked, s->trap);
}
/* The kernel looks which interrupts are pending. */
static inline void fugu_seen_asked(FuguSeen *s, int64_t now)
{
    fugu_masked_pause(&s->masked, now, s->trap);
}
/* The network interface is about to serve @gid. */
void fugu_seen_serve(FuguSeen *s, int64_t now, uint32_t gid);
/* The user is about to change UAC, and the meter has not been told yet; the
 * user has changed it. */
void fugu_seen_before_uac(FuguSeen *s, int64_t now);
void fugu_seen_uac(FuguSeen *s, int64_t now, uint32_t uac);
/* The processor has left the instruction at @pc, and will execute it later.
 * Returns whether it does so now: what precedes it has been seen already. */
void fugu_seen_yield(FuguSeen *s, uint32_t pc);
bool fugu_seen_again(FuguSeen *s, uint32_t pc);
/* An instruction waits; the wait is over; the node has ended. */
void fugu_seen_wait(FuguSeen *s, int64_t now, int why);
void fugu_seen_go(FuguSeen *s, int64_t now);
void fugu_seen_end(FuguSeen *s, int64_t now);
/* The meter of @gid is about to be cleared. */
void fugu_seen_clear(FuguSeen *s, int64_t now, uint32_t gid);

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

/* A credit has come: there are @space words of source space. */
void fugu_seen_space(FuguSeen *s, int64_t now, uint32_t space);
/* The hub has sent a message on its way to this node. */
static inline void fugu_seen_flight(FuguSeen *s)
{
    if (s->timeline) {
        s->timeline->flight++;
    }
}

/* Returns what the job that is served does with shared memory. */
FuguSharing *fugu_seen_sharing(FuguSeen *s);
void fugu_seen_write_sharing(const FuguSeen *s, uint32_t node, FILE *file);

/* The processor has reached a mark, with these operands. */
void fugu_seen_mark(FuguSeen *s, int64_t now, unsigned kind, uint32_t gid,
                    uint32_t value);

#endif /* FUGU_SEEN_H */
