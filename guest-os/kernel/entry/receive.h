/*
 * Macros for both trap tables: windows on the way from message-available to an
 * upcall, and back.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GLAZE_RECEIVE_H
#define GLAZE_RECEIVE_H

#include "machine/psr.h"
#include "machine/windows.h"

/* The bits of UAC that are set when a message upcall begins. */
#define UPCALL_UAC (FUGU_UAC_INTERRUPT_DISABLE | FUGU_UAC_TIMER_FORCE | \
                    FUGU_UAC_DISPOSE_PENDING)

/*
 * MAKE_ROOM: spills the user's oldest window, so that T and T - 1 are valid.
 *
 * On entry:  in T, traps disabled; %l0 PSR, %l3 WIM; W is T or T - 1.
 * Uses:      %l3 to %l7.
 * Leaves to: `again`, with %l3 WIM and %l4 twice WIM. If the stack is bad, to
 *            C, as the trap `tt`: to `way`.
 */
        .macro  MAKE_ROOM again, tt=FUGU_TT_IRQ(FUGU_IRQ_MESSAGE), way=trap_slow
        mov     %g1, %l4
        mov     %g2, %l5
        mov     %g3, %l6
        mov     %g4, %l7
        CFI_GLOBALS
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
        CFI_GLOBALS_LIVE
        rd      %wim, %l3
        ba      \again
         add    %l3, %l3, %l4           ! delay slot: as in the vector

        CFI_GLOBALS
2:      wr      %g4, %psr               ! PSR: back to T
        nop                             ! three instructions until it holds
        nop
        nop
        wr      %l3, %wim               ! WIM: as it was
        mov     %l4, %g1                ! (three instructions until it holds)
        mov     %l5, %g2
        mov     %l6, %g3
        mov     %l7, %g4
        CFI_GLOBALS_LIVE
        ba      \way
         mov    \tt, %l3               ! delay slot
        .endm

/*
 * RETURN_REFILL: loads the window that an upcall has interrupted from the
 * stack.
 *
 * On entry:  in T of the upcall, traps disabled.
 * Uses:      %o0 to %o2, and no local: see LEAVE_UPCALL.
 * Leaves to: `resume`, with the bits PSR_ICC and PSR_EF in %o5. If the stack
 *            is bad, to what follows the macro.
 */
        .macro  RETURN_REFILL resume
        mov     %g1, %o0
        mov     %g2, %o1
        mov     %g3, %o2                ! the ins of the trap's window
        .irp    n, 1, 2, 3
        .cfi_register \n, CFI_TRAP_I - 1 + \n
        .endr
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
        CFI_GLOBALS_LIVE
        .endm

/*
 * CLEAN: clears the window below T, and T's outs, which hold words of the
 * kernel. It changes no condition code.
 */
        .macro  CLEAN
        save
        WINDOW_CLEAR i
        WINDOW_CLEAR l
        WINDOW_CLEAR o
        restore
        .endm

#endif /* GLAZE_RECEIVE_H */
