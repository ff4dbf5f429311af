/*
 * Meter: what the processes of a node have sent, received and used
 *
 * A node counts by GID. The network interface reports messages, modes and the
 * GID that it serves; the node reports waits. Software reads the counters in
 * the node control's registers (docs/machine.md, "Counters"). Nothing here
 * takes time on the node.
 *
 * Each cycle is charged to one GID, the payer:
 *
 *   - in user mode, and in the kernel unless the next case applies: the GID
 *     that the network interface serves;
 *   - while the kernel inserts a message: the message's GID. An insertion
 *     begins with the entry to the kernel, with the last of these changes in
 *     the kernel, or with the message's arrival, whichever is latest. It ends
 *     with the return to user mode, or with the next change in the kernel: a
 *     change of GID, a wait, or the start of another insertion;
 *   - while a message slot runs: its message's GID, from the instruction on that has
 *     taken the message. All these cycles are a handler's.
 *
 * Timer-force marks a handler: the kernel sets it for the upcall. A handler
 * begins when the kernel leaves to user mode with timer-force set that was
 * clear at the entry, and its cycles count from that entry (from the start of
 * an insertion in the kernel, if that is later). It ends when the kernel leaves
 * to user mode with timer-force clear, or when the user clears timer-force.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_METER_H
#define FUGU_METER_H

#include "migration/vmstate.h"
#include "hw/fugu/fugu-regs.h"

/* What has been counted for one GID. */
typedef struct FuguMeterCounts {
    uint64_t counter[FUGU_METER_COUNTERS];      /* by FUGU_METER_* */
    bool forced;                /* timer-force when the kernel was last
                                   entered */
    bool handling;              /* a handler runs, or is interrupted */
} FuguMeterCounts;

typedef struct FuguMeter {
    FuguMeterCounts counts[FUGU_METER_GIDS + 1];        /* the last one: of all
                                                           further GIDs */
    uint32_t served;            /* index: the GID that the interface serves */
    uint32_t payer;             /* index */
    bool in_slot;               /* a message slot runs: */
    uint32_t slot;              /* index: who pays, in place of `payer` */
    int64_t mark;               /* local time up to which cycles are charged */
    uint64_t before;            /* cycles of `served` where a handler's begin,
                                   if one begins with the return to the user */
    uint32_t shown;             /* register: GID whose counters can be read */
    uint32_t low;               /* register: low word of a counter, latched */
} FuguMeter;

void fugu_meter_reset(FuguMeter *m);

/*
 * Functions with @now get the local time, which never decreases. @forced is
 * timer-force.
 */

/* The processor enters the kernel, or leaves it to user mode. */
void fugu_meter_enter(FuguMeter *m, int64_t now, bool forced);
void fugu_meter_leave(FuguMeter *m, int64_t now, bool forced);
/* The user has changed UAC. */
void fugu_meter_user(FuguMeter *m, int64_t now, bool forced);
/* The network interface serves @gid from now on. */
void fugu_meter_serve(FuguMeter *m, int64_t now, uint32_t gid);
/* The kernel begins to wait for an interrupt, or has waited. */
void fugu_meter_wait(FuguMeter *m, int64_t now);

/* A message slot runs from now on, for @gid; the main context does, or waits. */
void fugu_meter_slot(FuguMeter *m, int64_t now, uint32_t gid);
void fugu_meter_main(FuguMeter *m, int64_t now);

/* The user of GID @gid has sent a message, with @bytes of body if @body. */
void fugu_meter_sent(FuguMeter *m, uint32_t gid, bool body, uint32_t bytes);
/* The user has disposed of a message, or the kernel is to do so for it. */
void fugu_meter_received(FuguMeter *m);
/* A handler in a message slot has got a message of GID @gid. */
void fugu_meter_taken(FuguMeter *m, uint32_t gid);
/* The kernel has taken a user's message that had arrived at @arrival. */
void fugu_meter_inserted(FuguMeter *m, int64_t now, uint32_t gid,
                         int64_t arrival);

/* Returns counter @k, below FUGU_METER_COUNTERS, of @gid. */
uint64_t fugu_meter_read(const FuguMeter *m, int64_t now, uint32_t gid,
                         unsigned k);
/* Sets all counters of @gid to 0. */
void fugu_meter_clear(FuguMeter *m, int64_t now, uint32_t gid);

/* Whether a meter that was loaded makes sense. */
bool fugu_meter_valid(const FuguMeter *m);
extern const VMStateDescription vmstate_fugu_meter;

#endif /* FUGU_METER_H */
