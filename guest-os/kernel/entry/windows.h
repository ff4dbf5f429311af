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

/*
 * MAKE_ROOM: spills the oldest window of the user, and tries again; in a way
 * from message-available to an upcall.
 *
 * On entry:  T, traps disabled; %l0 PSR, %l3 WIM; W is T or T - 1.
 * Uses:      %l3 to %l7.
 * Leaves to: `again`, with %l3 WIM and %l4 twice WIM; or with a bad stack to
 *            C, as with IRQ_MESSAGE.
 */
        .macro  MAKE_ROOM again
        mov     %g1, %l4
        mov     %g2, %l5
        mov     %g3, %l6
        mov     %g4, %l7
        mov     1, %g2
        sll     %g2, %l0, %g2           ! the shift takes CWP alone
        cmp     %g2, %l3                ! W = T?
        mov     %l3, %g1
        WIM_DOWN %g1, %g2
        wr      %g0, %wim               ! WIM: saves must not trap on the way
        mov     %l0, %g4                ! (three instructions until it holds)
        nop
        nop
        be      1f
         save                           ! delay slot: T - 1
        save                            ! T - 2
1:      CHECK_STACK %sp, STACK_WRITE_MASK, STACK_WRITE, 2f, %g2, %g3
        WINDOW_STORE %sp
        wr      %g4, %psr               ! PSR: back to T
        wr      %g1, %wim               ! WIM: what was stored is invalid
        nop                             ! three instructions until they hold
        nop
        nop
        mov     %l4, %g1
        mov     %l5, %g2
        mov     %l6, %g3
        mov     %l7, %g4
        rd      %wim, %l3
        ba      \again
         add    %l3, %l3, %l4           ! delay slot: as in the vector

2:      wr      %g4, %psr               ! PSR: back to T
        nop                             ! three instructions until it holds
        nop
        nop
        wr      %l3, %wim               ! WIM: as it was
        mov     %l4, %g1                ! (three instructions until it holds)
        mov     %l5, %g2
        mov     %l6, %g3
        mov     %l7, %g4
        ba      trap_slow
         mov    FUGU_TT_IRQ(FUGU_IRQ_MESSAGE), %l3      ! delay slot
        .endm

/*
 * RETURN_REFILL: loads the window that an upcall has interrupted, which has
 * gone to the stack.
 *
 * On entry:  T of the upcall, traps disabled.
 * Uses:      %o0 to %o2, and no local: see LEAVE_UPCALL.
 * Leaves to: `resume`, with the FPU's bit and the condition codes' in %o5;
 *            or with a bad stack to what follows the macro.
 */
        .macro  RETURN_REFILL resume
        mov     %g1, %o0
        mov     %g2, %o1
        mov     %g3, %o2
        CHECK_STACK %fp, STACK_READ_MASK, STACK_READ, 1f, %g2, %g3
        rd      %wim, %g1
        WIM_UP  %g1, %g2
        wr      %g1, %wim               ! WIM: one up, for the restore
        nop                             ! three instructions until it holds
        nop
        nop
        restore
        WINDOW_LOAD %sp
        save
        mov     %o0, %g1
        mov     %o1, %g2
        sethi   %hi(PSR_ICC | PSR_EF), %o5
        ba      \resume
         mov    %o2, %g3                ! delay slot

1:      mov     %o0, %g1
        mov     %o1, %g2
        mov     %o2, %g3
        .endm

#endif /* GLAZE_WINDOWS_H */
