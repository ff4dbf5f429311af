/*
 * What lies outside of the machine's state, when the machine goes back
 *
 * Console output that has gone out does not go out again. Input that the host
 * has given comes again, at the same times. What was written to disks is
 * undone, and done again when a later state is restored.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef FUGU_OUTSIDE_H
#define FUGU_OUTSIDE_H

struct FuguMachineState;

typedef struct FuguOutside FuguOutside;
typedef struct FuguMark FuguMark;

/* Starts to record input, and what writes to disks replace. All functions below
 * need the BQL. */
FuguOutside *fugu_outside_new(struct FuguMachineState *machine);

/* Returns a mark of the present, for g_free(). */
FuguMark *fugu_mark_new(const FuguOutside *outside);

/*
 * Go to a mark, back or on: fugu_outside_before() before the state of devices
 * is loaded, fugu_outside_after() after that.
 */
void fugu_outside_before(FuguOutside *outside);
void fugu_outside_after(FuguOutside *outside, const FuguMark *mark);

/* The run is not the one that it was: output from here on is new, and input
 * comes at new times. */
void fugu_outside_forget(FuguOutside *outside);

/* Returns the host's bytes that the record of the disks takes. */
uint64_t fugu_outside_bytes(const FuguOutside *outside);

#endif /* FUGU_OUTSIDE_H */
