/*
 * The switch from one thread to another, and where threads begin and end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"
#include "sparcle.h"

        .cfi_sections .debug_frame
        .section .text
        .global windows_flush, context_switch, context_continue
        .global thread_begin, thread_end

/*
 * windows_flush(): stores all windows but its caller's to the stack, as the
 * trap GLAZE_TRAP_FLUSH does. The caller's window and those of LEVELS calls
 * are all the windows that a user has, so each older one is spilled by a window
 * overflow. These traps stay in the kernel's assembly: some 60 cycles for each
 * window that is in use, where the kernel's C code would take over a thousand.
 *
 * On entry:  called from C, in an atomic section.
 * Uses:      %o0, and the windows and frames of the calls.
 */
#define LEVELS  (NWINDOWS - 2)
windows_flush:
        .cfi_startproc
        mov     LEVELS, %o0
1:      save    %sp, -FRAME, %sp
        .cfi_def_cfa_register 30
        .cfi_window_save
        .cfi_register 15, 31
        subcc   %i0, 1, %o0
        be      2f
         nop                            ! delay slot
        call    1b
         nop                            ! delay slot
2:      ret
         restore                        ! delay slot
        .cfi_endproc

/*
 * context_switch(from, to): saves the caller's context in *from and continues
 * in *to. Both are struct context.
 *
 * On entry:  called from C, in an atomic section.
 * Uses:      windows and frames; what a C routine uses. The routine does
 *            not save y and the FPU: the ABI of C lets a call change both.
 * Leaves to: `to`. The restore underflows and loads the window of `to` from its
 *            stack.
 */
context_switch:
        .cfi_startproc
        save    %sp, -FRAME, %sp
        .cfi_def_cfa_register 30
        .cfi_window_save
        .cfi_register 15, 31
        call    windows_flush           ! stores our caller's window too
         nop                            ! delay slot
        st      %fp, [%i0 + CONTEXT_SP]
        st      %i7, [%i0 + CONTEXT_PC]
        ld      [%i1 + CONTEXT_PC], %i7
        ld      [%i1 + CONTEXT_SP], %fp
        ret
         restore                        ! delay slot: to the window of `to`
        .cfi_endproc

/*
 * context_continue(to): continues in *to, a struct context.
 *
 * On entry:  called from C, in an atomic section. The caller has called
 *            windows_flush(), so the window above the caller's is invalid.
 * Leaves to: `to`, as context_switch() does. The caller's window is lost.
 */
context_continue:
        .cfi_startproc
        ld      [%o0 + CONTEXT_PC], %i7
        ld      [%o0 + CONTEXT_SP], %fp
        ret
         restore                        ! delay slot: to the window of `to`
        .cfi_endproc

/*
 * thread_begin: a new thread starts here, at the first context_switch() to it.
 *
 * On entry:  in the base frame of the thread's unit, in an atomic section.
 * Leaves to: thread_run(), which does not return.
 *
 * thread_end: the end of a handler that has become a thread. The handler's stub
 * returns here.
 *
 * On entry:  in the base frame of the thread's unit.
 * Leaves to: udm_thread_exit(NULL), which does not return.
 */
thread_begin:
        .cfi_startproc
        .cfi_undefined 15               ! the outermost frame
        call    thread_run
         nop                            ! delay slot: no arguments
thread_end:
        call    udm_thread_exit
         mov    %g0, %o0                ! delay slot: the result, NULL
        .cfi_endproc
