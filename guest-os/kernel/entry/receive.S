/*
 * The fast path: message-available becomes an upcall, and back (paper,
 * section 4.1; table 4, "message receive (interrupt)").
 *
 * The way back is in the trap table (vectors.S).
 *
 * The upcall runs in the trap's window. The processor and the vector have left
 * PSR, pc and npc in its locals, so they need not be saved, and the library's
 * handler stub needs no save instruction. Cycles stand at the right.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cfi.h"
#include "machine/process.h"
#include "entry/receive.h"
#include "rows.h"

        .section .fast, "ax"
        .global message_upcall, return_slow, return_slow_in_t

/*
 * message_upcall: interrupt 10, message-available, from user mode.
 *
 * On entry:  in T, traps disabled; %l0 PSR, %l1 and %l2 pc and npc, %l3 WIM,
 *            %l4 twice WIM. The process is in fast mode: otherwise this
 *            interrupt does not come.
 * Uses:      %l3 to %l5, T's outs.
 * Leaves to: the process's message upcall, in T (glaze.h). If too few windows
 *            are free, it spills one first. If that window's stack is bad, it
 *            leaves to C.
 *
 * T and T - 1 have to be valid: rett leaves from T - 1, and the handler needs
 * that window anyway. The test takes 3 * WIM, shifted down by T: bit 0 is set
 * if T or T - 1 is the invalid window. For T = 0, T - 1 is window 7, and bit 8
 * is set.
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
                                        !      (This also clears the
                                        !      condition codes; no other bit
                                        !      was set.) The three instructions
                                        !      until it holds follow
        ldd     [%l5 + GLAZE_U_MESSAGE], %sp    ! 3   %sp, and in %o7 where to
        andn    %o7, 3, %o7             !  1   the user's word: align it
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

/* C handles the end of an upcall. On entry in T, or in the trap's window. */
return_slow_in_t:
        save                            ! the trap's window, which is valid:
        rd      %psr, %l0               ! W is above T
return_slow:
        ba      trap_slow
         mov    TT_SOFTWARE + GLAZE_TRAP_RETURN, %l3    ! delay slot
        .cfi_endproc
