/*
 * Register windows of users: macros for assembly, beside those of window.h.
 *
 * W stands for the invalid window, T for the window that a trap has entered.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_WINDOWS_H
#define GLAZE_WINDOWS_H

#include "psr.h"
#include "window.h"

/* Locals (l) or ins (i) hold nothing. */
        .macro  WINDOW_CLEAR kind
        .irp    r, 0, 1, 2, 3, 4, 5, 6, 7
        clr     %\kind\r
        .endr
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
