/*
 * Register windows in memory: macros for assembly. These are macros and not
 * routines, because a call would overwrite an out register that is in use.
 *
 * One window is always invalid: its bit is set in the WIM.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "sparcle.h"

/* Stores the current window at `base`, or loads it from there: locals first. */
        .macro  WINDOW_STORE base
        std     %l0, [\base + 0]
        std     %l2, [\base + 8]
        std     %l4, [\base + 16]
        std     %l6, [\base + 24]
        std     %i0, [\base + 32]
        std     %i2, [\base + 40]
        std     %i4, [\base + 48]
        std     %i6, [\base + 56]
        .endm

        .macro  WINDOW_LOAD base
        ldd     [\base + 0], %l0
        ldd     [\base + 8], %l2
        ldd     [\base + 16], %l4
        ldd     [\base + 24], %l6
        ldd     [\base + 32], %i0
        ldd     [\base + 40], %i2
        ldd     [\base + 48], %i4
        ldd     [\base + 56], %i6
        .endm

/* Rotates a WIM, so that the invalid window is the next one down, or up. */
        .macro  WIM_DOWN wim, scratch
        srl     \wim, 1, \scratch
        sll     \wim, NWINDOWS - 1, \wim
        or      \wim, \scratch, \wim
        and     \wim, (1 << NWINDOWS) - 1, \wim
        .endm

        .macro  WIM_UP wim, scratch
        sll     \wim, 1, \scratch
        srl     \wim, NWINDOWS - 1, \wim
        or      \wim, \scratch, \wim
        and     \wim, (1 << NWINDOWS) - 1, \wim
        .endm

#endif /* WINDOW_H */
