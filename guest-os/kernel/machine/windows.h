/*
 * Register windows of users: macros for assembly, beside those of window.h.
 *
 * W stands for the invalid window, T for the window that a trap has entered.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_WINDOWS_H
#define GLAZE_WINDOWS_H

#include "machine/psr.h"
#include "window.h"

/* Clears the locals (l), the ins (i) or the outs (o) of the current window. */
        .macro  WINDOW_CLEAR kind
        .irp    r, 0, 1, 2, 3, 4, 5, 6, 7
        clr     %\kind\r
        .endr
        .endm

/*
 * CHECK_STACK: checks that a user's window may be stored at sp, or loaded from
 * there.
 *
 * sp must be a multiple of 8. The 64 bytes must be on one page, and the page
 * must be memory that the user may write (STACK_WRITE) or read (STACK_READ).
 * If not, CHECK_STACK branches to `fail`, which goes to C: C brings the page
 * or ends the process. The macro asks the MMU by a probe, because a load or a
 * store could trap, and a trap while traps are disabled ends the machine.
 *
 * Changes the condition codes. 13 cycles.
 */
#define STACK_WRITE_MASK PTE_WRITABLE_MASK
#define STACK_WRITE      PTE_WRITABLE
#define STACK_READ_MASK  PTE_READABLE_MASK
#define STACK_READ       PTE_READABLE

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
         nop                            ! delay slot: differs by use
        .endm

#endif /* GLAZE_WINDOWS_H */
