/*
 * Plan: what to observe, as the launcher (tools/fugu/observe) has written it
 *
 * The file has one line for each item, a word and decimal numbers:
 *
 *      timeline KINDS FIRST LAST       events of these kinds and cycles
 *      node N                          of this node; without such lines, of all
 *      profile                         cycles by function
 *      stacks START END SIZE           stacks of threads, for the profile
 *      alone                           all GIDs have the functions of GID 0
 *      function GID ADDRESS            a function starts here
 *      mark GID ADDRESS KIND COUNT {IN_MEMORY REGISTER OFFSET} three times
 *      modes PROCESSES COUNT INFO MODE BUFFERED        where a kernel has the
 *                                      modes of its processes: an array of COUNT
 *                                      pointers to them by GID; in a process the
 *                                      offset of the pointer to its information page;
 *                                      there that of the mode, with this value if it
 *                                      is buffered
 *      races                           a log of accesses
 *      access GID ADDRESS RS1 RS2 OFFSET       an instruction that accesses memory at
 *                                      two registers and a constant; 0 is %g0
 *
 * GID 0 stands for the kernel's code, whatever GID the interface serves.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_PLAN_H
#define FUGU_PLAN_H

#include "names.h"

/* A register, or the word of memory at a register plus @offset. */
typedef struct FuguOperand {
    unsigned in_memory;
    unsigned reg;               /* 0 to 31: %g0 to %i7 */
    int offset;
} FuguOperand;

typedef struct FuguMark {
    uint32_t gid, address;
    unsigned kind;              /* FUGU_MARK_* */
    unsigned count;             /* of operands; 0: the GID that is served */
    FuguOperand operand[FUGU_MARK_OPERANDS];
} FuguMark;

/* An instruction that accesses memory at two registers and a constant. */
typedef struct FuguAccess {
    unsigned rs1, rs2;
    int offset;
} FuguAccess;

/* Where a kernel has the modes of its processes. */
typedef struct FuguModes {
    uint32_t processes;         /* physical address */
    uint32_t count;             /* 0: it has none */
    uint32_t info, mode;        /* offsets */
    uint32_t buffered;          /* value */
} FuguModes;

typedef struct FuguPlan {
    bool timeline;
    unsigned kinds;
    int64_t first, last;
    GHashTable *nodes;          /* set of numbers; empty: all */
    bool profile;
    bool alone;
    uint32_t stacks, stacks_end, stack_size;
    GArray *functions[FUGU_SEEN_GIDS];  /* addresses in order, or NULL */
    GHashTable *marks;          /* GID << 32 | address: FuguMark */
    GHashTable *marked;         /* set of addresses of marks and accesses */
    FuguModes modes;
    bool races;
    GHashTable *accesses;       /* GID << 32 | address: FuguAccess */
} FuguPlan;

/* Reads a plan. Returns NULL with @errp if it cannot be read. */
FuguPlan *fugu_plan_read(const char *path, Error **errp);

bool fugu_plan_has_node(const FuguPlan *plan, uint32_t node);
/* Whether any program has a mark or an access at @pc. */
bool fugu_plan_is_marked(const FuguPlan *plan, uint32_t pc);
/* Returns the mark at @pc in the code of @gid, or NULL. */
const FuguMark *fugu_plan_mark(const FuguPlan *plan, uint32_t gid,
                               uint32_t pc);
/* Returns the access at @pc in the code of @gid, or NULL. */
const FuguAccess *fugu_plan_access(const FuguPlan *plan, uint32_t gid,
                                   uint32_t pc);
/* Returns the start of the function at @pc, or 0 if none is known. */
uint32_t fugu_plan_function(const FuguPlan *plan, uint32_t gid, uint32_t pc);

#endif /* FUGU_PLAN_H */
