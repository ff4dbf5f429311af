/*
 * From reset to main().
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "cfi.h"
#include "psr.h"
#include "fugu-regs.h"

        .section .text
        .global start

/*
 * start: the first instructions of a node.
 *
 * On entry:  supervisor mode, MMU off, traps disabled, everything else as
 *            the reset leaves it; every node arrives here at cycle 0.
 * Uses:      everything.
 * Leaves to: main(), with traps enabled and all interrupts masked.
 */
        CFI_OUTERMOST
start:
        ! PSR: supervisor, window 0, interrupts masked; traps stay off until
        ! there is a stack to take them on.
        wr      %g0, PSR_S | PSR_PIL, %psr
        ! WIM: window 1 is invalid, so that a save from window 2 spills.
        wr      %g0, 1 << 1, %wim
        wr      %g0, %tbr               ! the table is where we started
        nop                             ! three instructions until PSR, WIM
        nop                             ! and TBR can be relied upon
        nop

        set     kernel_stack_top - FRAME_MIN, %sp
        mov     %g0, %fp                ! the outermost frame
        mov     %g0, %i7                ! has no caller

        ! Initial values of .data, from the image to the RAM.
        set     __data_load, %g1
        set     __data_start, %g2
        set     __data_end, %g3
        ba      2f
         cmp    %g2, %g3                ! delay slot: there may be no data
1:      ldd     [%g1], %g4
        std     %g4, [%g2]
        add     %g1, 8, %g1
        add     %g2, 8, %g2
        cmp     %g2, %g3
2:      blu     1b
         nop                            ! delay slot: keeps the loop legible

        ! .bss is part of RAM, which starts as zeros (docs/machine.md).

        ! PSR: traps on. PIL stays 15: the kernel polls.
        wr      %g0, PSR_S | PSR_ET | PSR_PIL, %psr
        nop                             ! three instructions until it holds
        nop
        nop
        call    main
         nop                            ! delay slot: main has no arguments
        unimp   0                       ! it does not return
        .cfi_endproc
