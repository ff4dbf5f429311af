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
#include "process.h"
#include "receive.h"
#include "rows.h"

        .section .text
        .global message_upcall, return_slow, return_slow_in_t

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
        and     %l0, PSR_S | PSR_CWP, %l4       ! 1
        wr      %l4, %psr               !  1   PSR: FPU off, so that it is
                                        !      not the handler's by accident.
                                        !      (Condition codes go as well;
                                        !      nothing else was set.) Three
                                        !      instructions until it holds:
                                        !      those that follow
        ldd     [%l5 + GLAZE_U_MESSAGE], %sp    ! 3   %sp, and in %o7 where to
        andn    %o7, 3, %o7             !  1   the user's word, so make sure
        ROW     timer_setup
        BEGINATOM(UPCALL_UAC)           !  1
        ROW     dispatch_upcall
        save                            !  1   to the window that rett leaves
        jmp     %i7                     !  2
         rett   %i7 + 4                 !  2   delay slot of jmp
        ROW     none

/* Fewer than two windows are free. */
make_room:
        MAKE_ROOM message_upcall

/* The end of an upcall that C must see: in T, or in the trap's window. */
return_slow_in_t:
        save                            ! the trap's window, which is valid:
        rd      %psr, %l0               ! W is above T
return_slow:
        ba      trap_slow
         mov    TT_SOFTWARE + GLAZE_TRAP_RETURN, %l3    ! delay slot
        .cfi_endproc
