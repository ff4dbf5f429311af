/*
 * Handlers of kernel messages on the first network.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine/cfi.h"
#include "fugu-regs.h"
#include "machine/psr.h"
#include "rows.h"

        .section .text
        .global message_null, message_marker, message_from_kernel

/*
 * message_null: the handler of GLAZE_PING, which does nothing.
 *
 * On entry:  from message_of_kernel (insert.S) or message_from_kernel.
 *            The comments there say what a handler may do.
 */
        CFI_TRAP
        CFI_GLOBALS
        ROW     null_handler_with_dispose
message_null:
        jmp     %l3 + 8
         DISPOSE                        ! delay slot
        ROW     none

/*
 * message_marker: counts a marker in message_marks.
 *
 * On entry:  as message_null.
 * Uses:      %g1, %g2.
 */
message_marker:
        sethi   %hi(message_marks), %g1
        ld      [%g1 + %lo(message_marks)], %g2
        inc     %g2
        st      %g2, [%g1 + %lo(message_marks)]
        jmp     %l3 + 8
         DISPOSE                        ! delay slot
        .cfi_endproc

/*
 * message_from_kernel(): runs the handler of the head message, when C finds
 * that message before it could interrupt: while the kernel waits, or works.
 *
 * On entry:  called from C.
 * Uses:      what a function may use, and a window for the handler's %l3.
 * Leaves to: the caller.
 */
        .cfi_startproc
message_from_kernel:
        save    %sp, -FRAME_MIN, %sp
        .cfi_window_save
        .cfi_def_cfa_register 30
        set     FUGU_NI_KERNEL_BASE, %l3
        ld      [%l3 + FUGU_K_HEAD + FUGU_HEAD_WORDS + 4], %l3
        jmpl    %l3, %l3
         nop                            ! delay slot: the handler returns to
        ret                             ! this instruction
         restore                        ! delay slot
        .cfi_endproc
