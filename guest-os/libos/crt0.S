/*
 * The first instructions of a program.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "library.h"

        .cfi_sections .debug_frame
        .section .text
        .global start

/*
 * start: the entry point of a program.
 *
 * On entry:  in user mode and in an atomic section; %sp is the top of the
 *            first thread's stack, %g6 the receive record, %g7 the upcall page;
 *            all other windows are free.
 * Uses:      everything.
 * Leaves to: program_start() in C, which does not return.
 */
        .cfi_startproc
        .cfi_undefined 15               ! the outermost frame
start:
        andn    %sp, 7, %sp
        sub     %sp, FRAME, %sp         ! make the first frame
        mov     %g0, %fp                ! the outermost frame
        mov     %g0, %i7                ! has no caller
        call    program_start
         nop                            ! delay slot: no arguments
        ta      GLAZE_TRAP_BREAK        ! not reached
        .cfi_endproc
