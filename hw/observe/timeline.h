/*
 * Timeline: writes what happens on the nodes as a trace for Perfetto
 *
 * Each node writes a sequence of packets, each process of the machine one
 * more. The launcher (tools/fugu/observe) puts a head before them, with the
 * clocks, the tracks and the names that the packets refer to by the numbers of
 * names.h. So a packet here is an event and nothing else, some 20 bytes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_TIMELINE_H
#define FUGU_TIMELINE_H

#include "hw/fugu/observe/names.h"
#include "hw/fugu/observe/proto.h"

#define FUGU_TIMELINE_DEPTH     4       /* slices within each other */

typedef struct FuguTimeline {
    FuguProto *proto;
    uint32_t process;
    unsigned kinds;             /* FUGU_KIND_* */
    int64_t first, last;        /* cycles that are written */
    GHashTable *codes;          /* GID and address of a handler: its name */
    int64_t flight;             /* messages on their way to this process */
    int64_t flight_shown;
    int64_t time;               /* of the process's last packet */
} FuguTimeline;

/* A slice: a name, and what its first packet says of a message. */
typedef struct FuguSlice {
    uint32_t name;
    uint32_t path;              /* FUGU_PATH_*, or 0 */
    uint64_t flow;              /* the message whose way ends here, or 0 */
    bool begins;                /* or begins here */
    bool again;                 /* this slice goes on, after another one */
} FuguSlice;

/* The slices of a track that are open, and those that go on, from the outermost one
 * on. They are the same in the cycles that are written; otherwise none is open. */
typedef struct FuguStack {
    unsigned depth, goes_on;
    FuguSlice open[FUGU_TIMELINE_DEPTH], now[FUGU_TIMELINE_DEPTH];
} FuguStack;

/* Where a node is: before the cycles that are written, in them, or behind them. */
typedef enum FuguPart {
    FUGU_BEFORE, FUGU_INSIDE, FUGU_BEHIND,
} FuguPart;

/* What has been written for a node. */
typedef struct FuguTrack {
    uint32_t node;
    FuguPart part;
    int64_t time;               /* of the node's last packet */
    FuguStack runs, slot[FUGU_SEEN_SLOTS];
    uint32_t section, section_open;     /* names of slices, or 0 */
    uint32_t mode[FUGU_SEEN_GIDS], mode_open[FUGU_SEEN_GIDS];
    uint32_t engine, engine_open;
    uint64_t engine_flow;
} FuguTrack;

/* An event without a duration. */
typedef struct FuguInstant {
    uint32_t name, path;
    uint64_t flow;              /* the message, or 0 */
    bool ends;                  /* the message's way ends here */
    uint64_t before;            /* a flow that ends here too, or 0 */
    uint64_t transfer;          /* a flow that goes on here too, or 0 */
    uint32_t to, words, bytes;  /* of a launch; words 0: no launch */
    uint32_t handler;           /* its name, or 0 */
    uint32_t network;           /* of a launch; 0: the main one */
    uint32_t from, address;     /* of an update, */
    uint32_t data;              /* with so many bytes; 0: no update */
    uint32_t counter;           /* FUGU_TRACK_* of a counter, or 0 */
    uint32_t value;             /* its value from now on */
} FuguInstant;

/* Returns NULL with errno set if the file cannot be made. */
FuguTimeline *fugu_timeline_new(const char *path, uint32_t process,
                                unsigned kinds, int64_t first, int64_t last);
/* Returns whether all was written. */
bool fugu_timeline_close(FuguTimeline *l);
/* Writes a line "name NUMBER GID ADDRESS" for each handler that was met. */
void fugu_timeline_write_codes(FuguTimeline *l, FILE *file);

/* Returns the name of the handler at this address of a GID's program. */
uint32_t fugu_timeline_code(FuguTimeline *l, uint32_t gid, uint32_t address);

/* The slices of what the processor does, from the outermost one on. */
void fugu_timeline_runs(FuguTimeline *l, FuguTrack *t, int64_t now,
                        const FuguSlice *slices, unsigned depth);
/* Those of what a message slot does. */
void fugu_timeline_slot(FuguTimeline *l, FuguTrack *t, int64_t now,
                        unsigned priority, const FuguSlice *slices,
                        unsigned depth);
/* The atomic section, or the mode of a GID, has this name from now on; 0:
 * there is none. */
void fugu_timeline_section(FuguTimeline *l, FuguTrack *t, int64_t now,
                           uint32_t name);
void fugu_timeline_mode(FuguTimeline *l, FuguTrack *t, int64_t now,
                        uint32_t gid, uint32_t name);
/* The engine begins a transfer, whose flow begins too; @busy false: it is free. */
void fugu_timeline_engine(FuguTimeline *l, FuguTrack *t, int64_t now, bool busy,
                          uint64_t flow);
void fugu_timeline_instant(FuguTimeline *l, FuguTrack *t, int64_t now,
                           const FuguInstant *i);
void fugu_timeline_counter(FuguTimeline *l, FuguTrack *t, int64_t now,
                           uint32_t counter, int64_t value);
/* A round begins: writes the number of messages in flight if it has changed. */
void fugu_timeline_round(FuguTimeline *l, int64_t now);
/* Ends all slices of a node, at the last cycle that is written if that is earlier. */
void fugu_timeline_finish(FuguTimeline *l, FuguTrack *t, int64_t now);

#endif /* FUGU_TIMELINE_H */
