/*
 * Message upcalls: from the kernel to the handler and back.
 *
 * A stub runs in a window of its own, on the stack of handlers, in an atomic
 * section. Its locals and ins hold the interrupted context (struct stub_frame
 * in library.h), so that they can be copied as a whole.
 *
 * Cycles are noted behind instructions whose sum matters: a null message costs
 * 11 on the way in and 9 on the way out, traps not counted.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"

#define BEGINATOM(mask) .word FUGU_INSN(FUGU_OPC_BEGINATOM, mask, 0, 0)

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

        .section .text
        .global message_stub, buffered_stub, stub_resume

/*
 * message_stub: a message from the network.
 *
 * On entry:  as glaze.h says: %l0 PSR, %l1 pc, %l2 npc; UAC: interrupts
 *            disabled, timer forced, dispose pending.
 * Uses:      %l3 to %l7 for %g1 to %g4 and y; what a C routine uses.
 * Leaves to: the message's handler, then to the interrupted code by way of
 *            the kernel; or to handler_end(), where a thread is wanted.
 */
        .align  32                      ! 20 instructions: five lines
message_stub:
        CFI_STUB
        mov     %g1, %l3                        ! 1
        ld      [%g6 + FUGU_REC_HANDLER], %g1   ! 2
        mov     %g2, %l4                        ! 1
        mov     %g3, %l5                        ! 1
        tst     %fp                             ! 1: bit 31 of all stacks but
        bneg    message_on_unit                 ! 1  the first thread's
         mov    %g4, %l6                        ! 1, delay slot: either way
message_call:
        jmpl    %g1, %o7                        ! 2
         rd     %y, %l7                         ! 1, delay slot
message_done:
        ld      [%g7 + U_WANTED], %g1           ! 2
        mov     %l4, %g2                        ! 1
        tst     %g1                             ! 1
        bne     stub_wanted                     ! 1
         mov    %l5, %g3                        ! 1, delay slot: either way
stub_return:
        mov     %l6, %g4                        ! 1
        wr      %l7, %y                         ! 1
        mov     %l3, %g1                        ! 1
        ta      GLAZE_TRAP_RETURN

/*
 * stub_resume: where an interrupted context goes on that has been copied from
 * a stub's frame.
 *
 * On entry:  from context_switch(), in a window as above, in an atomic
 *            section that the kernel ends.
 * Leaves to: the interrupted code.
 */
stub_resume:
        mov     %l4, %g2
        ba      stub_return
         mov    %l5, %g3                        ! delay slot

/*
 * stub_wanted: a thread of higher priority than the interrupted one is ready.
 * handler_end() returns if there is nothing to it.
 */
stub_wanted:
        call    handler_end
         nop                                    ! delay slot: no arguments
        ba      stub_resume
         nop                                    ! delay slot

/*
 * message_on_unit: the interrupted code ran on a stack of its own: on a
 * thread's, or on the very stack that we are on. That is a handler's which
 * has ended its atomic section, and its frames are not to be written over.
 */
message_on_unit:
        xor     %fp, %sp, %g2
        srl     %g2, 16, %g2                    ! equal down to the unit?
        tst     %g2
        bne     message_call
         rd     %y, %l7                         ! delay slot: either way
        .if     GLAZE_STACK_SIZE - (1 << 16)
        .error  "the shift above is wrong"
        .endif

/*
 * stub_nested: on a unit that is kept ready. No window has been spilled since
 * the upcall, so nothing has been written to our old frame.
 */
stub_nested:
        ld      [%g7 + U_SPARE], %sp
        call    handler_nested
         nop                                    ! delay slot: no arguments
        ld      [%g6 + FUGU_REC_HANDLER], %g1
        jmpl    %g1, %o7
         nop                                    ! delay slot
        call    handler_nested_end
         nop                                    ! delay slot: no arguments
        ba      stub_resume
         nop                                    ! delay slot
        .cfi_endproc

/*
 * buffered_stub: messages from the buffer, one after the other.
 *
 * As message_stub, but y is in the frame, %l7 is the record that the last
 * handler had. If %g6 is still the same, or there is none, the kernel sorts
 * out what that means: nothing more to do, the network's own record in fast
 * mode, or a handler that has not disposed.
 *
 * From record to record: 27 cycles, 9 of them in the kernel, one cache miss
 * (10), and the handler.
 */
        .align  16
buffered_stub:
        CFI_STUB
        mov     %g1, %l3
        ld      [%g6 + FUGU_REC_HANDLER], %g1
        mov     %g2, %l4
        mov     %g3, %l5
        tst     %fp
        bneg    buffered_on_unit
         mov    %g4, %l6                        ! delay slot: either way
buffered_begin:
        rd      %y, %g2
        st      %g2, [%sp + STUB_Y]
        mov     1, %g2
        st      %g2, [%sp + STUB_KIND]
        .align  16                              ! the loop is two lines
buffered_call:
        jmpl    %g1, %o7                        ! 2
         mov    %g6, %l7                        ! 1, delay slot
        ! A handler may have ended its atomic section. No message may come
        ! between the look at it and its handler.
        BEGINATOM(FUGU_UAC_USER)                ! 1
        cmp     %g6, %l7                        ! 1
        be      1f                              ! 1
         ld     [%g6 + FUGU_REC_HANDLER], %g1   ! 2 + 10, delay slot
        tst     %g1                             ! 1
        bne,a   buffered_call                   ! 1
         ta     GLAZE_TRAP_NEXT                 ! 9, delay slot: only if taken
1:      ld      [%sp + STUB_Y], %l7
        ba      message_done
         st     %g0, [%sp + STUB_KIND]          ! delay slot

/* buffered_on_unit: as message_on_unit. */
buffered_on_unit:
        xor     %fp, %sp, %g2
        srl     %g2, 16, %g2
        tst     %g2
        bne     buffered_begin
         rd     %y, %l7                         ! delay slot: for stub_nested
        ba      stub_nested
         nop                                    ! delay slot
        .cfi_endproc

        .end
