/*
 * The stubs of upcalls: from the kernel to a handler and back.
 *
 * A message stub runs in its own window, on the stack of handlers, in an
 * atomic section. The window's locals and ins hold most of the interrupted
 * context, and the stub's frame the rest (struct stub_frame in library.h). So
 * the library can move the whole context by copying the frame.
 *
 * Numbers at the right are cycles. A null message costs 14 on the way in, traps
 * not counted, and 24 on the way out (8 and a trap in trapping_stub).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"
#include "rows.h"

#define DESCRIPTOR_LENGTH (FUGU_NI_USER_DISP + FUGU_U_DESC_LEN)

        .cfi_sections .debug_frame

/*
 * Call frame information: where a debugger finds the interrupted code's
 * registers. The constants are GDB's numbers of registers: 1 to 4 are globals,
 * 16 to 23 locals, 64 y, 65 PSR, 68 and 69 pc and npc. In instructions that no
 * CFI_SAVED covers, globals and y are where the interrupted code has left them.
 *
 * CFI_STUB: the interrupted code's %sp is the stub's %fp, its outs are the
 * stub's ins, and its PSR, pc and npc are in the stub's %l0 to %l2.
 */
        .macro  CFI_STUB
        .cfi_startproc simple
        .cfi_signal_frame
        .cfi_def_cfa 30, 0
        .cfi_window_save
        .cfi_register 65, 16
        .cfi_register 68, 17
        .cfi_register 69, 18
        .endm

/* CFI_SAVED: from here on, %l3 to %l6 hold the interrupted code's %g1 to %g4,
 * and %l7 holds its y. CFI_LIVE: as at the beginning. */
        .macro  CFI_SAVED
        .irp    n, 1, 2, 3, 4
        .cfi_register \n, 18 + \n
        .endr
        .cfi_register 64, 23
        .endm

        .macro  CFI_LIVE
        .irp    n, 1, 2, 3, 4, 64
        .cfi_same_value \n
        .endr
        .endm

/* CFI_IN_FRAME: from here on, a register is in the stub's frame, at an offset
 * of two bytes as a SLEB128: DW_CFA_expression, DW_OP_breg14. */
        .macro  CFI_IN_FRAME register, offset
        .if     \offset < 64 || \offset >= 1 << 13
        .error  "the offset does not take two bytes"
        .endif
        .cfi_escape 0x10, \register, 3, 0x7e, (\offset & 0x7f) | 0x80, \
                    \offset >> 7
        .endm

/*
 * CFI_LEFT: from here on, the current window is that of the interrupted code,
 * whose pc is in %g5 (column 5), and npc is pc + 4: DW_CFA_val_expression,
 * DW_OP_breg5. Its %g5 is lost; the ABI leaves that register undefined.
 */
        .macro  CFI_LEFT
        CFI_LIVE
        .cfi_def_cfa 14, 0
        .irp    n, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
        .cfi_same_value \n
        .cfi_same_value 8 + \n
        .endr
        .cfi_undefined 5
        .cfi_same_value 65
        .cfi_register 68, 5
        .cfi_escape 0x16, 69, 2, 0x75, 4
        .endm

/*
 * IN special: the beginning of the message stubs.
 *
 * On entry:  %l0 PSR, %l1 pc, %l2 npc of the interrupted code; in UAC
 *            interrupt-disable, timer-force and dispose-pending are set
 *            (glaze.h).
 * Sets:      %o5 to the handler, %l3 to %l6 to %g1 to %g4, %o4 to minus the
 *            length of a half-described message, 0 without one.
 * Leaves to: `special` in two cases, which one test finds by bit 31 of
 *            %o4 | %fp. The interrupted code may run elsewhere than on the
 *            first thread's stack: that stack is the only one with bit 31 of
 *            its addresses clear. Or a message is half described: then %o4 is
 *            -1 to -16.
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
         mov    %g4, %l6                                ! 1, delay slot: in
        .endm                                           !    both cases

/*
 * SPECIAL usual, special: tells apart the cases for which IN has branched.
 *
 * On entry:  %o4 as IN has set it.
 * Leaves to: - `special` if a message is half described;
 *            - the instruction that follows if the interrupted code runs on
 *              the same unit as the stub: it is a handler that has ended its
 *              atomic section, and the stub must not overwrite its frames;
 *            - `usual` in all other cases: the interrupted code runs on the
 *              unit of a thread, which needs no special care.
 */
        .macro  SPECIAL usual, special
        tst     %o4
        bne     \special
         xor    %fp, %sp, %o4           ! delay slot: on the same unit, %fp and
        srl     %o4, 16, %o4            ! %sp differ in the lower 16 bits only
        tst     %o4
        bne     \usual
         nop                            ! delay slot
        .if     GLAZE_STACK_SIZE - (1 << 16)
        .error  "the shift above is wrong"
        .endif
        .endm

/*
 * LOOK_AGAIN: if the interrupted code is trapping_stub or buffered_stub between
 * its look at GLAZE_U_ENDS and its TRAP_RETURN, sends that stub back to the
 * look.
 *
 * A handler that has ended its atomic section returns to its stub with
 * interrupts enabled. Code that interrupts the stub there may put FPU values
 * into the stub's frame, or make a thread of higher priority ready. The stub
 * has looked already and would miss either. The instructions from the look on
 * only load that word and copy %l3 to %l7, so the stub can repeat them. This
 * costs nothing where no handler interrupts another. message_stub disables
 * interrupts before its look instead, which costs each handler's end a cycle,
 * and with soft atomicity a trap.
 *
 * On entry:  in the window of the stub that has interrupted, in an atomic
 *            section that lasts until this stub returns. GLAZE_U_ENDS and the
 *            frame of the interrupted stub have their final contents.
 * Uses:      %o4, %o5. Changes %l1 and %l2, the interrupted pc and npc.
 */
        .macro  LOOK_AGAIN
        set     stub_look, %o4
        sub     %l1, %o4, %o5
        cmp     %o5, stub_trap - stub_look
        bgu     .Lelsewhere\@
         nop                            ! delay slot
        mov     %o4, %l1
        add     %o4, 4, %l2
.Lelsewhere\@:
        .endm

        .section .text.upcall, "ax"
        .global message_stub, trapping_stub, buffered_stub, stub_resume
        .global fault_stub, stub_look, stub_special_end
        /* Messages name the function of a pc. */
        .type   message_stub, #function
        .type   trapping_stub, #function
        .type   stub_look, #function
        .type   stub_resume, #function
        .type   buffered_stub, #function
        .type   fault_stub, #function

/*
 * message_stub: calls the handler of a message from the network, and returns to
 * the interrupted code without the kernel.
 *
 * On entry:  as IN.
 * Uses:      %l3 to %l7 for %g1 to %g4 and y; %g5; what a C routine uses.
 * Leaves to: the interrupted code; or to message_slow, if one of the following
 *            does not hold.
 *            - No bit of GLAZE_U_ENDS is set in %l0: the interrupted code has
 *              no FPU, the handler has not turned it on, and nothing is wanted.
 *            - npc is pc + 4, so that one jump leads to both.
 *            - `flags` has operands for the condition codes.
 *
 * A user cannot write the PSR. The sum of two words restores the condition
 * codes: library.h's `flags` has them for each combination, and the tag of a
 * taddcc sets V where no sum would. The second word is a multiple of 32, so a
 * shift by it changes nothing. For a combination that no sum has, the second
 * word is 31, and the shift leaves nothing of the 4.
 *
 * The end is atomic, although a handler may have ended its section: beginatom
 * opens it again, and endatom is in the delay slot of the jump, in the
 * interrupted code's window. A message that waits interrupts that code, and not
 * the stub. If the kernel has set atomicity-extend or dispose-pending, endatom
 * traps, as at the end of any atomic section, with npc at the interrupted code.
 * The restore loads a window that is on the stack by the usual trap.
 */
        .align  32                                      ! takes eight cache lines
message_stub:
        CFI_STUB
        IN      message_special                         ! 11
message_call:
        ROW     dispatch_upcall
        jmpl    %o5, %o7                                ! 2
        ROW     register_save
         rd     %y, %l7                                 ! 1, delay slot
        CFI_SAVED
        ROW     upcall_cleanup
message_done:
        BEGINATOM(FUGU_UAC_INTERRUPT_DISABLE)           ! 1
        ld      [%g7 + GLAZE_U_ENDS], %o5               ! 2
        ROW     register_restore
        srl     %l0, FLAGS_SHIFT, %o2                   ! 1
        ldd     [%g7 + %o2], %o2                        ! 3
        sub     %l2, %l1, %o4                           ! 1
        srl     %o4, %o3, %o4                           ! 1
        ROW     upcall_cleanup
        and     %l0, %o5, %o1                           ! 1
        or      %o4, %o1, %o4                           ! 1
        cmp     %o4, 4                                  ! 1
        bne     message_slow                            ! 1
        ROW     register_restore
         mov    %l1, %g5                                ! 1, delay slot:
        .cfi_undefined 5
        wr      %l7, %y                                 ! 1  harmless
        mov     %l3, %g1                                ! 1
        mov     %l4, %g2                                ! 1
        mov     %l5, %g3                                ! 1
        mov     %l6, %g4                                ! 1
        taddcc  %o2, %o3, %g0                           ! 1
        restore                                         ! 1
        CFI_LEFT
        jmp     %g5                                     ! 2
        ROW     timer_cleanup
         ENDATOM(FUGU_UAC_USER | UPCALL_ENDS)           ! 1, delay slot
        ROW     none
        .cfi_endproc

/*
 * message_slow: message_stub cannot return by itself.
 *
 * On entry:  %o5 the word of GLAZE_U_ENDS, in an atomic section.
 * Leaves to: handler_end() if that is wanted, otherwise to stub_restore. If the
 *            interrupted code has the FPU, the next message starts
 *            trapping_stub, whose end takes less time for such code: code keeps
 *            the FPU once it has it.
 */
        CFI_STUB
        CFI_SAVED
message_slow:
        andcc   %o5, ENDS_WANTED, %g0
        bne     stub_wanted
         sethi  %hi(PSR_EF), %o4        ! delay slot
        andcc   %l0, %o4, %g0
        be      1f
         st     %o4, [%g7 + GLAZE_U_ENDS]       ! delay slot: ENDS_USUAL
        set     trapping_stub, %o4
        st      %o4, [%g7 + GLAZE_U_MESSAGE + 4]
1:      ba      stub_restore
         clr    %o5                     ! delay slot: nothing is wanted

message_special:
        CFI_LIVE
        SPECIAL message_call, stub_special

/*
 * trapping_stub: as message_stub, but GLAZE_TRAP_RETURN ends it. For processes
 * that use the FPU, and where atomicity is soft: there endatom is a trap.
 *
 * Leaves to: the interrupted code, by way of the kernel; or first to
 *            handler_end(), if it is wanted.
 */
        .align  256                                     ! section.h; takes six
        CFI_LIVE                                        ! cache lines
trapping_stub:
        IN      trapping_special                        ! 11
trapping_call:
        ROW     dispatch_upcall
        jmpl    %o5, %o7                                ! 2
        ROW     register_save
         rd     %y, %l7                                 ! 1, delay slot
        CFI_SAVED
        ROW     upcall_cleanup
stub_look:                                              !    (see LOOK_AGAIN)
        ld      [%g7 + GLAZE_U_ENDS], %o5               ! 2
        ROW     register_restore
stub_restore:
        mov     %l4, %g2                                ! 1
        mov     %l5, %g3                                ! 1
        mov     %l6, %g4                                ! 1
        wr      %l7, %y                                 ! 1
stub_return:                                            !    (two lines of the
        mov     %l3, %g1                                ! 1   cache from its
        ROW     upcall_cleanup                          !    beginning)
        andcc   %o5, ENDS_WANTED, %g0                   ! 1
stub_trap:
        te      GLAZE_TRAP_RETURN
        ROW     none

/*
 * stub_wanted: a thread of higher rank than the interrupted one may be ready,
 * or the frame holds more to restore. handler_end() returns if the interrupted
 * code is to continue.
 */
stub_wanted:
        call    handler_end
         nop                            ! delay slot: no arguments

/*
 * stub_resume: restores the interrupted context, with all that `extra` in the
 * frame names. A context that context_move() has moved continues here.
 *
 * On entry:  in a stub's window, %sp its frame, in an atomic section, which the
 *            kernel ends at TRAP_RETURN.
 * Leaves to: the interrupted code.
 */
stub_resume:
        ld      [%sp + STUB_EXTRA], %o5
        tst     %o5
        be      stub_restore            ! %o5 is 0: nothing is wanted
         nop                            ! delay slot
        call    context_restore
         add    %sp, 0, %o0             ! delay slot: the frame
        ba      stub_restore
         clr    %o5                     ! delay slot: nothing is wanted

trapping_special:
        CFI_LIVE
        SPECIAL trapping_call, stub_special

/*
 * stub_special: the slow path. Calls the handler of one message, for either
 * stub, where the handler needs another unit or a half-described message has
 * to be saved. handler_special() says more.
 *
 * On entry:  as IN leaves it.
 * Uses:      %sp, which it sets to the spare unit if the interrupted code is a
 *            handler. That is safe: the kernel has spilled no window since the
 *            upcall, so nothing has been stored at the old %sp.
 * Leaves to: stub_resume.
 */
stub_special:
        xor     %fp, %sp, %o4
        srl     %o4, 16, %o4
        tst     %o4
        be,a    1f
         ld     [%g7 + U_SPARE], %sp    ! delay slot: only if taken
1:      rd      %y, %l7
        CFI_SAVED
        call    handler_special
         mov    %sp, %o0                ! delay slot: the frame
        ld      [%g6 + FUGU_REC_HANDLER], %o5
        jmpl    %o5, %o7
         nop                            ! delay slot
stub_special_end:
        call    handler_special_end
         mov    %sp, %o0                ! delay slot: the frame
        LOOK_AGAIN
        ba      stub_resume
         nop                            ! delay slot
        .cfi_endproc

/*
 * buffered_stub: calls the handlers of messages from the buffer, one after the
 * other.
 *
 * On entry:  as IN.
 * Uses:      as message_stub, but %g4 and y are in the frame. %l7 is the
 *            address of the record that the last handler had, plus 1. %l6 is
 *            the size of the buffer's address range, minus 1.
 * Leaves to: as message_stub.
 *
 * After a handler, %g6 points at the next record if %g6 - %l7 is at most %l6,
 * as unsigned numbers. The buffer is not empty then, and therefore the atomic
 * section is still open. Otherwise the stub ends, and the kernel acts at
 * TRAP_RETURN. There are three such cases: %g6 points at the NI's own record
 * (fast mode), or at the empty record (the buffer is empty); both lie above
 * the buffer's range. Or %g6 still points at the same record, because the
 * handler has not disposed.
 *
 * From one record to the next: 27 cycles, of which the kernel takes 9 and a
 * cache miss 10; the handler comes on top.
 */
        .align  16
buffered_stub:
        CFI_STUB
        IN      buffered_special
buffered_begin:
        rd      %y, %o4
        st      %o4, [%sp + STUB_Y]
        st      %l6, [%sp + STUB_G4]
        CFI_SAVED
        CFI_IN_FRAME 64, STUB_Y
        CFI_IN_FRAME 4, STUB_G4
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
        ba      stub_look
         st     %g0, [%sp + STUB_KIND]  ! delay slot

buffered_special:
        CFI_LIVE
        SPECIAL buffered_begin, stub_special
        ba      stub_special
         nop                            ! delay slot
        .cfi_endproc

/*
 * fault_stub: a page is on its way, or has come (glaze.h, fault upcalls).
 *
 * On entry:  %l0 PSR, %l1 pc, %l2 npc of the interrupted code; %o0 the page
 *            or 0, %o1 the word of the suspended atomic section or 0; in UAC
 *            interrupt-disable is set.
 * Uses:      a frame on the stack of the interrupted thread or handler, below
 *            its last frame. The stub may leave the %sp that the kernel has
 *            set: the kernel has spilled no window since the upcall, so nothing
 *            has been stored there.
 * Leaves to: the interrupted code, after fault_wait() has returned.
 */
fault_stub:
        CFI_STUB
        st      %g0, [%g7 + U_FAULT_ENTRY]      ! what faults_hide() does
        sub     %fp, STUB_FRAME, %sp
        mov     %g1, %l3
        mov     %g2, %l4
        mov     %g3, %l5
        mov     %g4, %l6
        rd      %y, %l7
        CFI_SAVED
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
        ta      GLAZE_TRAP_RESUME       ! %o0: the atomic section to resume
        .cfi_endproc
