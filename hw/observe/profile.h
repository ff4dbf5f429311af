/*
 * Profile: where the cycles of a node go, by function and its callers
 *
 * The observer reports each translated block when the processor enters it. The
 * cycles until the next one are the block's: so their sum is the run. Which
 * functions have called the block's function is read off calls and returns: a
 * call enters a function at its start, with the return address in %o7; a
 * return goes there with the same stack pointer. A trap puts the kernel's
 * functions on top of those that it has interrupted, an upcall a handler's.
 * Threads and processes have stacks of their own.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_PROFILE_H
#define FUGU_PROFILE_H

#include "plan.h"

#define FUGU_PROFILE_DEPTH      250     /* deeper calls count for the caller */

/* What a frame stands for, and what its code is. */
#define FUGU_FRAME_JOB          0       /* a process; the GID */
#define FUGU_FRAME_FUNCTION     1       /* the address of its start */
#define FUGU_FRAME_TRAP         2       /* the kernel; the trap's type */
#define FUGU_FRAME_WAIT         3       /* an instruction waits; why */

typedef struct FuguFrame {
    uint32_t parent, child, next;       /* indices; 0: none */
    uint32_t kind, gid, code;
    uint64_t cycles;
} FuguFrame;

/* A function that has been called and has not returned. */
typedef struct FuguCall {
    uint32_t frame;
    uint32_t sp;                        /* when it was called */
    uint32_t back;                      /* where it returns to */
} FuguCall;

typedef struct FuguProfile {
    const FuguPlan *plan;
    GArray *frames;                     /* of FuguFrame; the first is unused */
    FuguCall call[FUGU_PROFILE_DEPTH];
    unsigned depth;                     /* calls, the process included */
    unsigned user_depth;                /* those below the kernel's */
    uint32_t gid;
    bool user;
    uint32_t pc, npc;                   /* where the kernel was entered from */
    GHashTable *stacks;                 /* GID << 32 | region: calls */
    int64_t mark;                       /* local time up to which is counted */
    int64_t waited;                     /* cycles of waits up to then */
} FuguProfile;

/* What the processor is about to execute. */
typedef struct FuguProfileBlock {
    uint32_t pc, sp, o7;
    uint32_t l1, l2;                    /* after a trap: pc and npc */
    uint32_t gid;
    bool user;
    uint32_t trap;                      /* that the kernel works for */
    int64_t waited;                     /* cycles that the node has waited */
    uint32_t why;                       /* the last time (FuguWait) */
} FuguProfileBlock;

FuguProfile *fugu_profile_new(const FuguPlan *plan, uint32_t gid, int64_t now);
/* The processor enters a block. */
void fugu_profile_block(FuguProfile *p, int64_t now,
                        const FuguProfileBlock *b);
/* Counts the cycles until @now, and writes a line
 * "frame NODE INDEX PARENT KIND GID CODE CYCLES" for each frame. */
void fugu_profile_write(FuguProfile *p, int64_t now, int64_t waited,
                        uint32_t why, uint32_t node, FILE *file);

#endif /* FUGU_PROFILE_H */
