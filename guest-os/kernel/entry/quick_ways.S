/*
 * The ways to quick_packet() and quick_call(), and back.
 *
 * Both functions run in the window below T, on the kernel's stack. T is the
 * window that the trap has entered. T and T - 1 have to be valid: the test is
 * that of message_upcall (receive.S).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cfi.h"
#include "entry/receive.h"
#include "services/mbcf/quick_call.h"
#include "services/mbcf/quick_packet.h"
#include "machine/handler.h"

        .section .fast, "ax"
        .global message_mbcf, call_quick

/*
 * message_mbcf: the handler of packets.
 *
 * On entry:  from message_of_kernel (insert.S). C never calls this handler.
 * Uses:      %g1 to %g4, T's outs, the window below T.
 * Leaves to: message_of_kernel's end, if quick_packet() has done what the
 *            packet says; otherwise to C, as interrupt 11.
 */
        CFI_TRAP
        CFI_GLOBALS
message_mbcf:
        rd      %wim, %g1
        add     %g1, %g1, %g2
        or      %g1, %g2, %g2
        srl     %g2, %l0, %g2           ! the shift takes CWP alone
        andcc   %g2, 0x101, %g0
        bne     packet_room
         nop                            ! delay slot: T's outs may be a user's
        set     kernel_stack_top - FRAME_MIN, %sp
        call    quick_packet
         mov    1, %o0                  ! delay slot: has interrupted a user
        cmp     %o0, QUICK_DONE
        CLEAN
        be      1f
         nop                            ! delay slot
        bgu     signal_upcall
         mov    %l4, %g1                ! delay slot
        mov     %l5, %g2
        mov     %l6, %g3
        jmp     %l3 - MESSAGE_TO_C
         mov    %l7, %g4                ! delay slot
1:      jmp     %l3 + 8
         nop                            ! delay slot

/*
 * signal_upcall: the current process's signal upcall, as message_upcall makes
 * the message upcall.
 *
 * On entry:  %g1 and %l5 to %l7: the user's %g1 to %g4.
 * Leaves to: the process's signal upcall, in T (glaze.h).
 */
signal_upcall:
        mov     %l5, %g2
        mov     %l6, %g3
        mov     %l7, %g4
        CFI_GLOBALS_LIVE
        sethi   %hi(GLAZE_UPCALL), %l5
        and     %l0, PSR_S | PSR_CWP, %l4
        wr      %l4, %psr               ! PSR: FPU off. Three instructions
                                        ! until it holds
        ldd     [%l5 + GLAZE_U_SIGNAL], %sp     ! %sp, and in %o7 where to
        andn    %o7, 3, %o7             ! the user's word: align it
        clr     %l3                     ! the user finds its own words alone
        save                            ! to the window that rett leaves
        jmp     %i7
         rett   %i7 + 4                 ! delay slot of jmp

        CFI_GLOBALS
packet_room:
        mov     %g1, %l3                ! WIM
        mov     %l4, %g1                ! what message_of_kernel has found
        ba      make_packet_room
         mov    %l5, %g2                ! delay slot
        CFI_GLOBALS_LIVE
packet_again:
        ba      message_of_kernel
         sethi  %hi(FUGU_NI_KERNEL_BASE), %l3   ! delay slot

/*
 * call_quick: ta GLAZE_TRAP_QUICK.
 *
 * On entry:  in T, traps disabled; %l0 PSR, %l1 and %l2 pc and npc, %l3 WIM,
 *            %l4 twice WIM. %g1 and T's ins: the call's number and arguments.
 * Uses:      %g2 to %g4, which calls may change, %l3 to %l7, T's outs, the
 *            window below T.
 * Leaves to: npc, with the result in the caller's %o0. To C, as trap
 *            GLAZE_TRAP_CALL, if this is no call of MBCF, or if quick_call()
 *            leaves it to C.
 */
call_quick:
        cmp     %g1, GLAZE_MBCF
        bne     call_long
         or     %l3, %l4, %l4           ! delay slot
        srl     %l4, %l0, %l4
        andcc   %l4, 0x101, %g0
        bne     make_call_room
         nop                            ! delay slot: as above
        set     kernel_stack_top - FRAME_MIN, %sp
        mov     %i0, %o0
        mov     %i1, %o1
        mov     %i2, %o2
        call    quick_call
         mov    %i3, %o3                ! delay slot
        mov     %o0, %l4
        CLEAN
        clr     %g2
        clr     %g3
        clr     %g4
        sethi   %hi(QUICK_LONG), %l5
        cmp     %l4, %l5
        be      call_long
         mov    GLAZE_MBCF, %g1         ! delay slot: the function may change it
        mov     %l4, %i0
        .irp    r, 0, 3, 4, 5, 6, 7
        clr     %l\r
        .endr
        jmp     %l2
         rett   %l2 + 4                 ! delay slot of jmp

call_long:
        ba      trap_slow
         mov    TT_SOFTWARE + GLAZE_TRAP_CALL, %l3      ! delay slot

/* Fewer than two windows are free. */
make_packet_room:
        MAKE_ROOM packet_again, FUGU_TT_IRQ(FUGU_IRQ_MISMATCH)
make_call_room:
        MAKE_ROOM call_quick, TT_SOFTWARE + GLAZE_TRAP_CALL
        .cfi_endproc
