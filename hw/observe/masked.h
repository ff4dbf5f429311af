/*
 * Masked: the longest time for which a node has served neither its network nor
 * its clock
 *
 * A stretch lasts while the processor takes no interrupt of the cycle timer and
 * of the first network, whatever is pending: traps are disabled, or PIL masks
 * their levels. A wait for an interrupt ends it, because none is pending then;
 * the next one begins when the wait is over. So does a look at what is pending
 * (K_PENDING). Nothing is counted before interrupts were first taken: no program
 * runs then.
 *
 * Where a stretch was spent is known from samples: the pc at the end of each
 * round.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_MASKED_H
#define FUGU_MASKED_H

typedef struct FuguMasked {
    bool known;                 /* interrupts have been taken before */
    bool masked;                /* a stretch is under way, */
    bool paused;                /*   but for a wait for an interrupt */
    int64_t since;              /* local time at which it began */
    GArray *pcs;                /* of uint32_t: its samples */
    int64_t longest;            /* cycles of the longest one; 0: none */
    int64_t began;
    int trap;                   /* that the kernel worked for; -1: none */
    GArray *longest_pcs;
} FuguMasked;

void fugu_masked_init(FuguMasked *m);

/* Begins to observe at local time @now. */
void fugu_masked_start(FuguMasked *m, int64_t now, bool masked);
/* The processor takes interrupts from now on, or takes none. @trap is the trap
 * that the kernel has worked for. */
void fugu_masked_set(FuguMasked *m, int64_t now, bool masked, int trap);
/* The processor looks which interrupts are pending. */
void fugu_masked_look(FuguMasked *m, int64_t now, int trap);
/* It waits for an interrupt; the wait is over. */
void fugu_masked_pause(FuguMasked *m, int64_t now, int trap);
void fugu_masked_go(FuguMasked *m, int64_t now);
/* A round ends, and the processor is at @pc. */
void fugu_masked_sample(FuguMasked *m, uint32_t pc);

/* Writes the longest stretch, up to @now: a line "masked NODE BEGAN CYCLES TRAP",
 * and "sample NODE PC" for each sample. Nothing if there was none. */
void fugu_masked_write(FuguMasked *m, int64_t now, int trap, uint32_t node,
                       FILE *file);

#endif /* FUGU_MASKED_H */
