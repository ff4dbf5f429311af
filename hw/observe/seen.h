/*
 * What an observer has seen of a node: figures, and events of a timeline
 *
 * Node and network interface report what happens, if the node is observed
 * (node->seen is not NULL): here what the processor does, and in seen-messages.h
 * what becomes of messages. Nothing here changes the node or takes time on it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_SEEN_H
#define FUGU_SEEN_H

#include "hw/fugu/observe/seen-messages.h"

/* Makes what an observer needs for a node. The timeline may be NULL.
 * @has_buffers: the kernel keeps messages of users in buffers, and has marks. */
FuguSeen *fugu_seen_new(uint32_t node, const FuguMeter *meter,
                        FuguTimeline *timeline, bool has_buffers);

/*
 * Begins to observe a node at local time @now. The other arguments are its
 * state at that time. Then, fugu_seen_is_buffered() says that a GID's process is in
 * buffered mode, and fugu_seen_flight() that a message is on its way to the node.
 */
void fugu_seen_start(FuguSeen *s, int64_t now, uint32_t gid, bool user,
                     uint32_t uac, bool masked, int wait, bool ended,
                     const uint64_t *misses);
void fugu_seen_is_buffered(FuguSeen *s, int64_t now, uint32_t gid);
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
    fugu_masked_look(&s->masked, now, s->trap);
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
/* The message slot of a priority runs, for @gid, until another one does or the main
 * context, with @priority -1. */
void fugu_seen_slot_runs(FuguSeen *s, int64_t now, int priority, uint32_t gid);
/* An instruction waits; the wait is over; the node has ended. */
void fugu_seen_wait(FuguSeen *s, int64_t now, int why);
void fugu_seen_go(FuguSeen *s, int64_t now);
/* The main context of a node with message slots waits for an interrupt, while slots may
 * go on; or need not wait any more. */
void fugu_seen_main_waits(FuguSeen *s, int64_t now, bool waits);
void fugu_seen_end(FuguSeen *s, int64_t now);
/* The meter of @gid is about to be cleared. */
void fugu_seen_clear(FuguSeen *s, int64_t now, uint32_t gid);

/* Returns what the job that is served does with shared memory. */
FuguSharing *fugu_seen_sharing(FuguSeen *s);
void fugu_seen_write_sharing(const FuguSeen *s, uint32_t node, FILE *file);

/* The processor has reached a mark, with these operands. */
void fugu_seen_mark(FuguSeen *s, int64_t now, unsigned kind, uint32_t gid,
                    uint32_t value);

#endif /* FUGU_SEEN_H */
