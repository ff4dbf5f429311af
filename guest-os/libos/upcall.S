/*
 * Message upcalls: from the kernel to the handler and back.
 *
 * A stub runs in a window of its own, on the stack of handlers, in an atomic
 * section. Its locals and ins hold the interrupted context, its frame what
 * else belongs to it (struct stub_frame in library.h), so that all of it can
 * be moved.
 *
 * Cycles stand at the right where their sum matters: a null message costs 14
 * on the way in and 9 on the way out, traps not counted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"
#include "rows.h"

#define DESCRIPTOR_LENGTH (FUGU_NI_USER_DISP + FUGU_U_DESC_LEN)

        .cfi_sections .debug_frame

/*
 * The interrupted frame, for a debugger: its %sp is our %fp, its outs are our
 * ins, its pc and npc (DWARF columns 68 and 69) are in %l1 and %l2 (17, 18).
 */
        .macro  CFI_STUB
        .cfi_startproc simple
        .cfi_signal_frame
        .cfi_def_cfa 30, 0
        .cfi_window_save
        .cfi_register 68, 17
        .cfi_register 69, 18
        .endm

/*
 * IN: what both stubs begin with.
 *
 * On entry:  as glaze.h says: %l0 PSR, %l1 pc, %l2 npc; UAC: interrupts
 *            disabled, timer forced, dispose pending.
 * Leaves:    %o5 the handler, %l3 to %l6 %g1 to %g4, %o4 as below.
 *
 * `special` is for what is interrupted elsewhere than on the first thread's
 * stack, which is below bit 31, or with half a message described: a length of
 * 1 to 16, which has bit 31 when negative.
 */
        .macro  IN special
        ROW     dispatch_upcall
        ld      [%g6 + FUGU_REC_HANDLER], %o5           ! 2
        ROW     register_save
        ld      [%g0 + DESCRIPTOR_LENGTH], %o4          ! 2
        mov     %g1, %l3                                ! 1
        mov     %g2, %l4                                ! 1
        neg     %o4                                     ! 1
        orcc    %o4, %fp, %g0                           ! 1
        mov     %g3, %l5                                ! 1
        bneg    \special                                ! 1
         mov    %g4, %l6                                ! 1, delay slot: in any
        .endm                                           !    case

/*
 * SPECIAL usual, special: was that a thread's stack and nothing else, or a
 * descriptor or the very unit that we are on? That is a handler's which has
 * ended its atomic section, and its frames must not be written over.
 */
        .macro  SPECIAL usual, special
        tst     %o4
        bne     \special
         xor    %fp, %sp, %o4           ! delay slot: equal but for the offset
        srl     %o4, 16, %o4            ! in the unit?
        tst     %o4
        bne     \usual
         nop                            ! delay slot
        .if     GLAZE_STACK_SIZE - (1 << 16)
        .error  "the shift above is wrong"
        .endif
        .endm

/*
 * LOOK_AGAIN: a stub that has been interrupted between its look at U_WANTED and
 * its TRAP_RETURN goes back to the look.
 *
 * A handler that has ended its atomic section returns to its stub with
 * interrupts enabled. Code that interrupts the stub there may put FPU values
 * into the stub's frame, or make a thread of higher priority ready. The stub has
 * looked already and would miss either. The instructions from the look on only
 * load U_WANTED and copy %l3 to %l7, so the stub can repeat them. This costs
 * nothing where no handler interrupts another; to disable interrupts before the
 * look would cost each handler's end a cycle.
 *
 * On entry:  the window of the stub that has interrupted, in an atomic section
 *            that lasts up to its return; all that gives more to do is done.
 * Uses:      %o4, %o5.
 */
        .macro  LOOK_AGAIN
        set     message_done, %o4
        sub     %l1, %o4, %o5
        cmp     %o5, message_return - message_done
        bgu     .Lelsewhere\@
         nop                            ! delay slot
        mov     %o4, %l1
        add     %o4, 4, %l2
.Lelsewhere\@:
        .endm

        .section .text
        .global message_stub, buffered_stub, stub_resume, fault_stub

/*
 * message_stub: a message from the network.
 *
 * On entry:  as IN.
 * Uses:      %l3 to %l7 for %g1 to %g4 and y; what a C routine uses.
 * Leaves to: the message's handler, then to the interrupted code by way of
 *            the kernel; or to handler_end(), where something is wanted.
 */
        .align  32                                      ! six lines of cache
message_stub:
        CFI_STUB
        IN      message_special                         ! 11
message_call:
        ROW     dispatch_upcall
        jmpl    %o5, %o7                                ! 2
        ROW     register_save
         rd     %y, %l7                                 ! 1, delay slot
        ROW     upcall_cleanup
message_done:                                           !    see LOOK_AGAIN
        ld      [%g7 + U_WANTED], %o5                   ! 2
        ROW     register_restore
        mov     %l4, %g2                                ! 1
        ROW     upcall_cleanup
        tst     %o5                                     ! 1
        bne     stub_wanted                             ! 1
        ROW     register_restore
         mov    %l5, %g3                                ! 1, delay slot: in any
stub_return:                                            !    case
        mov     %l6, %g4                                ! 1
        wr      %l7, %y                                 ! 1
        mov     %l3, %g1                                ! 1
        ROW     upcall_cleanup
message_return:
        ta      GLAZE_TRAP_RETURN
        ROW     none

/*
 * stub_wanted: a thread of higher priority than the interrupted one is ready.
 * handler_end() returns if there is nothing to it.
 */
stub_wanted:
        call    handler_end
         nop                            ! delay slot: no arguments

/*
 * stub_resume: back to the interrupted context the long way. Here continues
 * one that has been moved from its stub's frame.
 *
 * On entry:  a stub's window and frame, in an atomic section that the kernel
 *            ends.
 * Leaves to: the interrupted code.
 */
stub_resume:
        ld      [%sp + STUB_EXTRA], %o5
        tst     %o5
        be      1f
         mov    %l4, %g2                ! delay slot: in any case
        call    context_restore         ! a descriptor, or the FPU
         add    %sp, 0, %o0             ! delay slot: the frame
        mov     %l4, %g2
1:      ba      stub_return
         mov    %l5, %g3                ! delay slot

message_special:
        SPECIAL message_call, stub_special

/*
 * stub_special: something is to be kept of what is interrupted, or a unit of
 * its own is needed; one is always ready. No window has been spilled since
 * the upcall, so nothing has been written to the frame at %sp.
 */
stub_special:
        xor     %fp, %sp, %o4
        srl     %o4, 16, %o4
        tst     %o4
        be,a    1f
         ld     [%g7 + U_SPARE], %sp    ! delay slot: only if taken
1:      rd      %y, %l7
        call    handler_special
         mov    %sp, %o0                ! delay slot: the frame
        ld      [%g6 + FUGU_REC_HANDLER], %o5
        jmpl    %o5, %o7
         nop                            ! delay slot
        call    handler_special_end
         mov    %sp, %o0                ! delay slot: the frame
        LOOK_AGAIN
        ba      stub_resume
         nop                            ! delay slot
        .cfi_endproc

/*
 * buffered_stub: messages from the buffer, one after the other.
 *
 * As message_stub, but %g4 and y are in the frame; %l7 is the address of the
 * record that the last handler had, plus 1, and %l6 a bound: the next record
 * is at %l7 + 0 to %l6. Elsewhere are the network's own record, the empty one
 * (both behind the buffer's range), and the same one once more: what those
 * mean the kernel sorts out at TRAP_RETURN. It is fast mode, or nothing is
 * left, or the handler has not disposed. If %g6 is in the range, the buffer
 * is not empty and therefore we are in an atomic section still.
 *
 * From record to record: 27 cycles, 9 of them the kernel's and 10 a cache
 * miss; and the handler.
 */
        .align  16
buffered_stub:
        CFI_STUB
        IN      buffered_special
buffered_begin:
        rd      %y, %o4
        st      %o4, [%sp + STUB_Y]
        st      %l6, [%sp + STUB_G4]
        set     GLAZE_BUFFER_END - GLAZE_BUFFER - 1, %l6
        ba      2f
         st     %l6, [%sp + STUB_KIND]  ! delay slot: not 0
1:      ta      GLAZE_TRAP_NEXT                         ! 9
2:      jmpl    %o5, %o7                                ! 2
         add    %g6, 1, %l7                             ! 1, delay slot
        sub     %g6, %l7, %o5                           ! 1
        cmp     %o5, %l6                                ! 1
        bleu    1b                                      ! 1
         ld     [%g6 + FUGU_REC_HANDLER], %o5           ! 2 + 10, delay slot
        ld      [%sp + STUB_G4], %l6
        ld      [%sp + STUB_Y], %l7
        ba      message_done
         st     %g0, [%sp + STUB_KIND]  ! delay slot

buffered_special:
        SPECIAL buffered_begin, stub_special
        ba      stub_special
         nop                            ! delay slot
        .cfi_endproc

/*
 * fault_stub: a page is on its way, or has come (glaze.h, fault upcalls).
 *
 * On entry:  %l0 PSR, %l1 pc, %l2 npc; %o0 the page or 0, %o1 the suspended
 *            atomic section; UAC: interrupts disabled.
 * Uses:      a frame below the interrupted one, which is the running thread's
 *            or handler's; no window has been spilled since the upcall, so
 *            nothing has been written at the %sp that it came with.
 * Leaves to: fault_wait(); when that returns, to the interrupted code.
 */
fault_stub:
        CFI_STUB
        st      %g0, [%g7 + U_FAULT_ENTRY]      ! none in here
        sub     %fp, STUB_FRAME, %sp
        mov     %g1, %l3
        mov     %g2, %l4
        mov     %g3, %l5
        mov     %g4, %l6
        rd      %y, %l7
        mov     %o1, %o2
        mov     %o0, %o1
        call    fault_wait
         mov    %sp, %o0                ! delay slot: the frame
        LOOK_AGAIN
        mov     %l3, %g1
        mov     %l4, %g2
        mov     %l5, %g3
        mov     %l6, %g4
        wr      %l7, %y
        ta      GLAZE_TRAP_RESUME       ! %o0: what is to be resumed
        .cfi_endproc
