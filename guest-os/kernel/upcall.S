/*
 * The fast path: message-available becomes an upcall, and back (paper,
 * section 4.1; table 4, "message receive (interrupt)").
 *
 * The way back stands in the trap table (fast.h).
 *
 * The upcall's window is the trap's own: what the processor and the vector
 * have left in its locals (PSR, pc, npc) is saved by being there, and the
 * library's handler stub needs no save of its own. Cycles stand at the right.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cfi.h"
#include "operations.h"
#include "process.h"
#include "rows.h"
#include "windows.h"

        .section .text
        .global message_upcall, return_refill, return_slow

#define UPCALL_UAC (FUGU_UAC_INTERRUPT_DISABLE | FUGU_UAC_TIMER_FORCE | \
                    FUGU_UAC_DISPOSE_PENDING)

/*
 * message_upcall: interrupt 10, message-available, from user mode.
 *
 * On entry:  T, traps disabled; %l0 PSR, %l1 and %l2 pc and npc, %l3 WIM,
 *            %l4 twice WIM. The mode is fast, or there would be none.
 * Uses:      %l3 to %l5, T's outs.
 * Leaves to: the process's message upcall, in T (glaze.h). With too few
 *            windows, after a spill; with a bad stack for that, to C.
 *
 * T is to be valid, and the one below as well: rett leaves from there, and
 * the handler needs one anyway. That is WIM not at T, nor at T - 1: bits of
 * 3 * WIM, shifted down by T; bit 8 is for T = 0, whose T - 1 is 7.
 */
        CFI_TRAP
        ROW     register_save
message_upcall:                         !  6 for the interrupt, 4 the vector
        or      %l3, %l4, %l4           !  1
        srl     %l4, %l0, %l4           !  1   the shift takes CWP alone
        andcc   %l4, 0x101, %g0         !  1
        bne     make_room               !  1
         sethi  %hi(GLAZE_UPCALL), %l5  !  1   delay slot: used by both
        ROW     dispatch_upcall
        sethi   %hi(PSR_EF), %l4        !  1
        andn    %l0, %l4, %l4           !  1
        wr      %l4, %psr               !  1   PSR: FPU off, so that it is
                                        !      not the handler's by accident.
                                        !      Three instructions until it
                                        !      holds: those that follow
        ldd     [%l5 + GLAZE_U_MESSAGE], %sp    ! 3   %sp, and in %o7 where to
        andn    %o7, 3, %o7             !  1   the user's word, so make sure
        ROW     timer_setup
        BEGINATOM(UPCALL_UAC)           !  1
        ROW     dispatch_upcall
        save                            !  1   to the window that rett leaves
        jmp     %i7                     !  2
         rett   %i7 + 4                 !  2   delay slot of jmp
        ROW     none

/*
 * make_room: spills the oldest window of the user, and tries again.
 *
 * On entry:  as message_upcall; W is T or T - 1.
 */
make_room:
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
        ba      message_upcall
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

/* The interrupted window has gone to the stack: it is loaded first. */
return_refill:
        mov     %g1, %l4
        mov     %g2, %l6
        mov     %g3, %l7
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
        mov     %l4, %g1
        mov     %l6, %g2
        sethi   %hi(PSR_ICC | PSR_EF), %l5
        ba      return_resume
         mov    %l7, %g3                ! delay slot

1:      mov     %l4, %g1
        mov     %l6, %g2
        mov     %l7, %g3
return_slow:                            ! both come here in T
        save                            ! the trap's window is as it was
        rd      %psr, %l0
        ba      trap_slow
         mov    TT_SOFTWARE + GLAZE_TRAP_RETURN, %l3    ! delay slot
        .cfi_endproc
