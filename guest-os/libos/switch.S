/*
 * From one thread to another, and where threads begin and end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"

        .cfi_sections .debug_frame
        .section .text
        .global context_switch, thread_begin, thread_end

/*
 * context_switch(from, to)
 *
 * On entry:  called from C, in an atomic section.
 * Uses:      a window and a frame of its own; what a C routine uses. Neither
 *            y nor the FPU is kept: a call loses both.
 * Leaves to: `to`; its window is loaded from its stack by an underflow.
 */
context_switch:
        .cfi_startproc
        save    %sp, -FRAME, %sp
        .cfi_def_cfa_register 30
        .cfi_window_save
        .cfi_register 15, 31
        ta      GLAZE_TRAP_FLUSH        ! our caller's window, and all others
        st      %fp, [%i0 + CONTEXT_SP]
        st      %i7, [%i0 + CONTEXT_PC]
        ld      [%i1 + CONTEXT_PC], %i7
        ld      [%i1 + CONTEXT_SP], %fp
        ret
         restore                        ! delay slot: to the other's window
        .cfi_endproc

/*
 * thread_begin, thread_end: where context_switch() goes for the first time in
 * a thread, and where a handler returns that has become one.
 *
 * On entry:  on the thread's stack, in a frame at its bottom: begin in an
 *            atomic section.
 * Leaves to: thread_run(), udm_thread_exit(NULL), which do not return.
 */
thread_begin:
        .cfi_startproc
        .cfi_undefined 15               ! the outermost frame
        call    thread_run
         nop                            ! delay slot: no arguments
thread_end:
        call    udm_thread_exit
         mov    %g0, %o0                ! delay slot: its result
        .cfi_endproc
