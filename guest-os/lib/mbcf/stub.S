/*
 * The stub of signal upcalls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"
#include "window.h"

#define DESCRIPTOR_LENGTH (FUGU_NI_USER_DISP + FUGU_U_DESC_LEN)

        .cfi_sections .debug_frame
        .section .text
        .global mbcf_signal_stub

/*
 * mbcf_signal_stub: calls mbcf_signals() as trapping_stub (upcall.S) calls a
 * message's handler, on the stack of handlers. So a program may send while the
 * interrupted code describes a message, use the FPU, interrupt a handler that
 * has ended its section, and wake threads.
 *
 * On entry:  %l0 PSR, %l1 pc, %l2 npc of the interrupted code; in UAC
 *            interrupt-disable is set.
 * Uses:      %l3 to %l7 for %g1 to %g4 and y; %o4. %sp, which it sets to the
 *            spare unit if the interrupted code runs on the stack of handlers.
 * Leaves to: stub_look, or stub_special_end if a message is half described or a
 *            handler is interrupted.
 */
        .cfi_startproc simple
        .cfi_signal_frame
        .cfi_def_cfa 30, 0
        .cfi_window_save
        .cfi_register 65, 16            ! for a debugger: the PSR is in %l0
        .cfi_register 68, 17
        .cfi_register 69, 18
mbcf_signal_stub:
        mov     %g1, %l3
        .cfi_register 1, 19             ! %g1 is in %l3, and so on
        mov     %g2, %l4
        .cfi_register 2, 20
        mov     %g3, %l5
        .cfi_register 3, 21
        mov     %g4, %l6
        .cfi_register 4, 22
        xor     %fp, %sp, %o4           ! below 2^16: on the same unit
        srl     %o4, 16, %o4
        tst     %o4
        be,a    signal_special
         ld     [%g7 + U_SPARE], %sp    ! delay slot: only if taken
        ld      [%g0 + DESCRIPTOR_LENGTH], %o4
        tst     %o4
        bne     signal_special
         nop                            ! delay slot
        call    mbcf_signals
         rd     %y, %l7                 ! delay slot
        .cfi_remember_state
        .cfi_register 64, 23
        ba      stub_look
         nop                            ! delay slot

signal_special:
        .cfi_restore_state
        rd      %y, %l7
        .cfi_register 64, 23
        call    handler_special
         mov    %sp, %o0                ! delay slot: the frame
        call    mbcf_signals
         nop                            ! delay slot
        ba      stub_special_end
         nop                            ! delay slot
        .cfi_endproc
        .if     GLAZE_STACK_SIZE - (1 << 16)
        .error  "the shift above is wrong"
        .endif
