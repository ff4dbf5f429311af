/*
 * Register windows: macros for assembly, since a call would cost an out
 * register, which is somebody's in register.
 *
 * One window is always invalid (its bit in the WIM is set). W below is that
 * window, T the one that the trap entered.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_WINDOWS_H
#define GLAZE_WINDOWS_H

#include "psr.h"

/* A window lies at the stack pointer of its frame, locals first. */
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

/* Locals (l) or ins (i) hold nothing. */
        .macro  WINDOW_CLEAR kind
        .irp    r, 0, 1, 2, 3, 4, 5, 6, 7
        clr     %\kind\r
        .endr
        .endm

/* The WIM with its bit one window further down, or up. */
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

/*
 * CHECK_STACK: may a user's window be stored at, or loaded from, sp?
 *
 * The address must be a multiple of 8, its 64 bytes on one page, and the
 * page memory that the user can use as needed: STACK_WRITE or STACK_READ.
 * Whoever fails goes to C, which sees to the page or ends the process. The
 * probe of the MMU asks without a trap, since a trap here would be one with
 * traps disabled: the end of the machine.
 *
 * Changes the condition codes. 13 cycles.
 */
/* A valid entry of memory with access 1 (3 is not used); 0 to 3. */
#define STACK_WRITE_MASK (PTE_CACHEABLE | PTE_ACCESS | PTE_TYPE)
#define STACK_WRITE      (PTE_CACHEABLE | ACCESS_RW_RW << PTE_ACCESS_SHIFT | \
                          PTE_PAGE)
#define STACK_READ_MASK  (PTE_CACHEABLE | 4 << PTE_ACCESS_SHIFT | PTE_TYPE)
#define STACK_READ       (PTE_CACHEABLE | PTE_PAGE)

        .macro  CHECK_STACK sp, mask, want, fail, s1, s2
        andcc   \sp, 7, %g0
        bne     \fail
         add    \sp, 63, \s1            ! delay slot: the last byte's address
        xor     \s1, \sp, \s1
        srl     \s1, 12, \s1            ! do the pages differ?
        srl     \sp, 12, \s2
        sll     \s2, 12, \s2            ! the page, type 0 of probe
        lda     [\s2] ASI_PROBE, \s2
        and     \s2, \mask, \s2
        xor     \s2, \want, \s2
        orcc    \s1, \s2, %g0
        bne     \fail
         nop                            ! delay slot: each user has another
        .endm

#endif /* GLAZE_WINDOWS_H */
