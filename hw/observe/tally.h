/*
 * Tally: what a node's jobs have done that its meter does not count
 *
 * machine/meter.h counts messages, and cycles by GID. The tally counts how a
 * job's cycles divide into user code, handlers, the kernel by trap, and waits,
 * and what marks in the kernel report. Each cycle is counted once, for the
 * GID that the network interface serves at that time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_TALLY_H
#define FUGU_TALLY_H

#include "hw/fugu/machine/meter.h"
#include "hw/fugu/machine/node-status.h"
#include "hw/fugu/machine/packet.h"
#include "hw/fugu/observe/names.h"

#define FUGU_TALLY_TRAPS        256
#define FUGU_TALLY_CAUSES       16      /* of a mark; higher ones count here */

typedef struct FuguTallyJob {
    uint64_t user, handler;             /* cycles in user mode */
    uint64_t start;                     /* cycles of the kernel before any
                                           trap */
    uint64_t ended;                     /* cycles after the node's end */
    uint64_t trap[FUGU_TALLY_TRAPS];    /* cycles of the kernel's work */
    uint64_t traps[FUGU_TALLY_TRAPS];   /* times that they came */
    uint64_t wait[FUGU_WAITS];          /* cycles */
    uint64_t waits[FUGU_WAITS];         /* times */
    uint64_t mark[FUGU_MARKS][FUGU_TALLY_CAUSES];
    uint64_t buffered_at_start;         /* 1: in buffered mode at the start */
    uint64_t handled;                   /* messages of the buffer that were
                                           disposed of in handlers */
    uint64_t launched[FUGU_NETWORKS];   /* by the kernel */
    uint64_t cleared[FUGU_METER_COUNTERS];      /* counted before the software
                                                   cleared the meter */
} FuguTallyJob;

typedef struct FuguTally {
    FuguTallyJob *job[FUGU_SEEN_GIDS];  /* NULL: nothing to count so far */
    uint64_t base[FUGU_SEEN_GIDS][FUGU_METER_COUNTERS]; /* at the start */
    uint64_t misses[2];                 /* of the cache, at the start */
    int64_t start;                      /* local time */
} FuguTally;

/* Returns the figures of a GID, to be changed. */
FuguTallyJob *fugu_tally_job(FuguTally *t, uint32_t gid);

/* Begins to count at local time @now, when the meter has these counts. */
void fugu_tally_start(FuguTally *t, const FuguMeter *meter, int64_t now,
                      const uint64_t *misses);
/* Software is about to clear the meter of @gid. */
void fugu_tally_clear(FuguTally *t, const FuguMeter *meter, int64_t now,
                      uint32_t gid);

/* Writes all figures that are not 0: lines NODE GID NAME INDEX VALUE. */
void fugu_tally_write(FuguTally *t, const FuguMeter *meter, int64_t now,
                      const uint64_t *misses, uint32_t node, FILE *file);

#endif /* FUGU_TALLY_H */
