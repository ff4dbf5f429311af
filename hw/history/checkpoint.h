/*
 * Checkpoints: states of the machine that a run can go back to
 *
 * A checkpoint holds what a snapshot holds (docs/snapshots.md), in memory: the
 * state of all devices as QEMU's migration writes it, a version of the RAM, and
 * a mark of what lies outside of the machine. All functions need the BQL, and
 * that no vCPU is executing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_CHECKPOINT_H
#define FUGU_CHECKPOINT_H

#include "hw/fugu/history/place.h"

typedef struct FuguCheckpoints FuguCheckpoints;

/* A node at a checkpoint. */
typedef struct FuguThen {
    uint64_t digest;
    int64_t time;               /* local */
} FuguThen;

typedef struct FuguCheckpoint {
    FuguPlace place;
    uint64_t rounds;            /* that the run had executed */
    bool changed;               /* the debugger has changed the machine here */
    struct FuguMark *mark;
    struct FuguVersion *memory;
    struct FuguVersion *before; /* if changed: memory before the change */
    uint8_t *state;             /* of all devices */
    size_t state_len;
    FuguThen node[];
} FuguCheckpoint;

/* With @max bytes for all checkpoints. The first and the last one are kept
 * even if they take more. */
FuguCheckpoints *fugu_checkpoints_new(FuguMachineState *machine, uint64_t max);

/*
 * Takes a checkpoint of the present, unless there is one. Drops others, where
 * they are dense for their distance from the present, until all fit. Returns
 * false with @errp if a device's state cannot be saved.
 */
bool fugu_checkpoint_take(FuguCheckpoints *all, uint64_t rounds, bool changed,
                          Error **errp);

/* Loads the state of @c. If the debugger has changed the machine after that
 * time, forgets what followed. Returns false with @errp. */
bool fugu_checkpoint_restore(FuguCheckpoints *all, const FuguCheckpoint *c,
                             Error **errp);

/* Returns the last one at or before @place, or with @before the last one before
 * @place; or NULL. */
const FuguCheckpoint *fugu_checkpoint_find(const FuguCheckpoints *all,
                                           const FuguPlace *place,
                                           bool before);

/* Returns the first one, or NULL. */
const FuguCheckpoint *fugu_checkpoint_first(const FuguCheckpoints *all);

/* Returns the last one that the debugger has changed and at which the local
 * time of @node was not after @time, or NULL. */
const FuguCheckpoint *fugu_checkpoint_changed(const FuguCheckpoints *all,
                                              uint32_t node, int64_t time);

/* Copies @len bytes of the RAM of all nodes, from @at on, within a page: those
 * of @c, or with @before those before the debugger's change. */
void fugu_checkpoint_read(const FuguCheckpoints *all, const FuguCheckpoint *c,
                          bool before, size_t at, uint8_t *to, unsigned len);

/* The debugger is about to change the machine: drops those at and after the
 * present, and keeps the present memory for the next one. */
void fugu_checkpoints_cut(FuguCheckpoints *all);

/* Another machine's state is loaded, or a reset: drops all. */
void fugu_checkpoints_clear(FuguCheckpoints *all);

/* Returns the number of a node whose digest is not that of @c, or -1. */
int fugu_checkpoint_differs(const FuguCheckpoints *all,
                            const FuguCheckpoint *c);

unsigned fugu_checkpoints_count(const FuguCheckpoints *all);

/* Returns the host's bytes that all checkpoints take. */
uint64_t fugu_checkpoints_bytes(const FuguCheckpoints *all);

#endif /* FUGU_CHECKPOINT_H */
