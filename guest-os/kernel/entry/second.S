/*
 * The second network's messages: those that carry pages take a fast path
 * (memory/pieces.h), others go to C.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cfi.h"
#include "machine/process.h"
#include "entry/receive.h"

        .section .text
        .global message_second

/*
 * message_second: interrupt 14.
 *
 * On entry:  in T, traps disabled; %l0 PSR, %l1 and %l2 pc and npc, %l3 WIM,
 *            %l4 twice WIM. The kernel masks interrupts, so this comes from
 *            user mode.
 * Uses:      %l3 to %l7, T's outs, the window below T.
 * Leaves to: the interrupted code, if pieces_quick() has done what the message
 *            says and no other interrupt waits; otherwise to C. Either way, the
 *            time before is noted for who pays: pieces_quick() charges, or sets
 *            debts_trapped.
 *
 * T and T - 1 have to be valid: the test is that of message_upcall (receive.S).
 */
        CFI_TRAP
message_second:
        or      %l3, %l4, %l4
        srl     %l4, %l0, %l4           ! the shift takes CWP alone
        andcc   %l4, 0x101, %g0
        bne     make_second_room
         mov    %g4, %l7                ! delay slot: harmless
        set     FUGU_TIMER_BASE + FUGU_TIMER_NOW, %l4
        ldd     [%l4], %l4
        mov     %l5, %o1                ! the low word
        mov     %g1, %l4
        mov     %g2, %l5
        mov     %g3, %l6
        CFI_GLOBALS
        set     kernel_stack_top - FRAME_MIN, %sp
        call    pieces_quick
         mov    %l0, %o0                ! delay slot
        orcc    %o0, %g0, %l3
        CLEAN
        mov     %l4, %g1
        mov     %l5, %g2
        mov     %l6, %g3
        be      1f
         mov    %l7, %g4                ! delay slot
        CFI_GLOBALS_LIVE
        set     FUGU_TIMER_BASE + FUGU_TIMER_NOW, %l4
        ldd     [%l4], %l4
        sub     %l5, %l3, %l5           ! since pieces_quick() has noted the time
        sethi   %hi(pieces_way_back), %l4
        st      %l5, [%l4 + %lo(pieces_way_back)]
second_return:
        wr      %l0, %psr               ! PSR: condition codes. Three instructions
        nop                             ! until they hold
        nop
        nop
        jmp     %l1
         rett   %l2                     ! delay slot of jmp
1:      ba      trap_slow               ! debts_trapped is set
         mov    FUGU_TT_IRQ(FUGU_IRQ_SECOND), %l3       ! delay slot

/* Fewer than two windows are free. With one more, the interrupt comes again: what this
 * file leaves in windows that were a user's when the trap came would look like the
 * user's to a debugger, until C has them. */
make_second_room:
        MAKE_ROOM second_return, FUGU_TT_IRQ(FUGU_IRQ_SECOND), trap_timed
        .cfi_endproc
