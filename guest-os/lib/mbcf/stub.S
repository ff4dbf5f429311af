/*
 * The stub of signal upcalls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"
#include "window.h"

        .cfi_sections .debug_frame
        .section .text
        .global mbcf_signal_stub

/*
 * mbcf_signal_stub: calls mbcf_signals() on the interrupted code's stack, below
 * its last frame. That is safe: the kernel has spilled no window since the
 * upcall, so nothing has been stored at the old %sp.
 *
 * On entry:  %l0 PSR, %l1 pc, %l2 npc of the interrupted code; in UAC
 *            interrupt-disable is set.
 * Uses:      %l3 to %l7 for %g1 to %g4 and y.
 * Leaves to: the interrupted code.
 */
        .cfi_startproc simple
        .cfi_signal_frame
        .cfi_def_cfa 30, 0
        .cfi_window_save
        .cfi_register 65, 16            ! for a debugger: the PSR is in %l0
        .cfi_register 68, 17
        .cfi_register 69, 18
mbcf_signal_stub:
        sub     %fp, FRAME, %sp
        mov     %g1, %l3
        .cfi_register 1, 19             ! %g1 is in %l3, and so on
        mov     %g2, %l4
        .cfi_register 2, 20
        mov     %g3, %l5
        .cfi_register 3, 21
        mov     %g4, %l6
        .cfi_register 4, 22
        call    mbcf_signals
         rd     %y, %l7                 ! delay slot
        .cfi_register 64, 23
        mov     %l3, %g1
        mov     %l4, %g2
        mov     %l5, %g3
        mov     %l6, %g4
        wr      %l7, %y
        ta      GLAZE_TRAP_RETURN
        .cfi_endproc
